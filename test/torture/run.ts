/**
 * `npm run torture -- [PART…] [--size N] [--seed S]`: what the tests draw at random, drawn for as long as you like. All
 * parts when none is named; each has a size of its own, which `--size` replaces. Prints the verdict of each with its
 * count, seed and time, and with `--write` puts it into docs/reliability.md; `npm test` runs the same files with a few
 * cases.
 */
import { parseArgs } from 'node:util';
import { run, stopAll, stopAllOnSignals } from '../../scripts/tests/processes.js';
import { loadNow, writeSection } from '../bench/report.js';

interface Part {
  /** Its heading in docs/reliability.md. */
  readonly title: string;
  /** One, or several that try the same kind of thing. */
  readonly file: string | readonly string[];
  /** What is counted. */
  readonly unit: string;
  readonly size: number;
  /** Only these tests of the file. */
  readonly only?: string;
}

const PARTS: Readonly<Record<string, Part>> = {
  model: {
    title: 'The machine, step by step',
    file: 'test/machine/model.test.ts',
    unit: 'random steps of the machine',
    size: 10_000_000,
  },
  schedules: {
    title: 'A shop on a bad network',
    file: 'test/simulation/simulation.test.ts',
    unit: 'network schedules',
    size: 20_000,
  },
  shoppers: {
    title: 'An hour of shoppers',
    file: 'test/simulation/shoppers.test.ts',
    unit: 'shoppers while every mishap of the sandbox happens',
    size: 400,
  },
  decisions: {
    title: 'Lives of an order',
    file: 'test/server/orders/decisions.test.ts',
    unit: 'lives of an order',
    size: 100_000,
  },
  faults: {
    title: 'Everything fails at once',
    file: 'test/server/work/faults.test.ts',
    unit: 'orders while everything fails',
    size: 2_000,
  },
  'disk-full': {
    title: 'A full disk',
    file: 'test/server/work/disk-full.test.ts',
    unit: "orders while the database's disk is full now and then",
    size: 500,
  },
  clocks: {
    title: 'Clocks that jump',
    file: 'test/server/work/clock-jumps.test.ts',
    unit: 'lives of an order while the clock jumps',
    size: 2_000,
  },
  webhooks: {
    title: 'Forged webhooks',
    file: 'test/server/http/receive-webhook.test.ts',
    unit: 'forged webhooks',
    size: 100_000,
    only: 'forged or altered',
  },
  requests: {
    title: 'Hostile requests to the backend',
    file: 'test/server/http/hostile.test.ts',
    unit: 'hostile requests to each call of the backend',
    size: 100_000,
  },
  'sandbox-requests': {
    title: 'Hostile requests to the sandbox',
    file: 'test/sandbox/api/hostile.test.ts',
    unit: 'hostile requests to the sandbox',
    size: 100_000,
  },
  edges: {
    title: 'Hostile inputs to the page',
    file: ['answers', 'return-address', 'memory', 'tabs'].map((name) => `test/transport/${name}.test.ts`),
    unit: 'answers of each call, addresses, kept texts, and messages and moves of tabs',
    size: 100_000,
  },
  'slow-clients': {
    title: 'Slow clients',
    file: 'test/server/slow-clients.test.ts',
    unit: 'clients that are slow, stop, hold on, never read or hang up',
    size: 500,
  },
  kills: {
    title: 'Killed at every write',
    file: 'test/server/crash/crash.test.ts',
    unit: 'every write, before and after',
    size: 1,
  },
};

const { values, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: {
    size: { type: 'string' },
    seed: { type: 'string', default: '1' },
    write: { type: 'boolean', default: false },
  },
});
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`No part is called ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}`);

stopAllOnSignals();
let failed = 0;
for (const [name, { title, file, unit, size, only }] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const count = values.size ?? String(size);
  console.log(`${name}: ${count} × ${unit}, seed ${values.seed} …`);
  const loadBefore = loadNow();
  const startedMs = performance.now();
  const { code, output } = await run(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...[file].flat(),
      ...(only === undefined ? [] : ['--testNamePattern', only]),
      '--reporter=verbose',
    ],
    {
      env: {
        PAY_CHECKOUT_SIZE: count,
        PAY_CHECKOUT_SEED: values.seed,
        PAY_CHECKOUT_LONG: '1',
        NO_COLOR: '1',
      },
    },
  );
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(0);
  // What a test prints stands below a line with the test's name, up to an empty line.
  const counted = [...output.matchAll(/^stdout \| .*\n((?:.+\n)+)/gm)].flatMap(([, said = '']) =>
    said.trim().split('\n'),
  );
  for (const line of counted) console.log(`  ${line}`);
  if (code !== 0) {
    failed += 1;
    console.log(output);
  }
  const verdict = `${code === 0 ? 'held' : 'FAILED'} in ${seconds} s`;
  console.log(`  ${verdict}`);
  if (!values.write) continue;
  const command = `npm run torture -- ${name} --size ${count} --seed ${values.seed}`;
  const about = `${Number(count).toLocaleString('en')} × ${unit}: **${verdict}**.`;
  const section = { name, title, about: [about], tables: [] };
  const lists = [{ title: 'Counted', items: counted }];
  await writeSection(
    { ...section, ...(counted.length > 0 && { lists }) },
    command,
    loadBefore,
    'reliability.md',
  );
}
await stopAll();
process.exitCode = failed === 0 ? 0 : 1;
