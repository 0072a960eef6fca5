/**
 * `npm run torture -- [PART…] [--size N] [--seed S]`: what the tests draw at random, drawn for as long as you like. All
 * parts when none is named; each has a size of its own, which `--size` replaces. Prints the verdict of each with its
 * count, seed and time. `npm test` runs the same files with a few cases.
 */
import { parseArgs } from 'node:util';
import { run, stopAll, stopAllOnSignals } from '../../scripts/tests/processes.js';

interface Part {
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
    file: 'test/machine/model.test.ts',
    unit: 'random steps of the machine',
    size: 10_000_000,
  },
  schedules: {
    file: 'test/simulation/simulation.test.ts',
    unit: 'network schedules',
    size: 20_000,
  },
  shoppers: {
    file: 'test/simulation/shoppers.test.ts',
    unit: 'shoppers while every mishap of the sandbox happens',
    size: 400,
  },
  decisions: {
    file: 'test/server/orders/decisions.test.ts',
    unit: 'lives of an order',
    size: 100_000,
  },
  refunds: {
    file: 'test/server/orders/payout-decisions.test.ts',
    unit: 'lives of the refunds of an order',
    size: 100_000,
  },
  faults: {
    file: 'test/server/work/faults.test.ts',
    unit: 'orders while everything fails',
    size: 2_000,
  },
  'disk-full': {
    file: 'test/server/work/disk-full.test.ts',
    unit: "orders while the database's disk is full now and then",
    size: 500,
  },
  clocks: {
    file: 'test/server/work/clock-jumps.test.ts',
    unit: 'lives of an order while the clock jumps',
    size: 2_000,
  },
  webhooks: {
    file: 'test/server/http/receive-webhook.test.ts',
    unit: 'forged webhooks',
    size: 100_000,
    only: 'forged or altered',
  },
  requests: {
    file: 'test/server/http/hostile.test.ts',
    unit: 'hostile requests to each call of the backend',
    size: 100_000,
  },
  'sandbox-requests': {
    file: 'test/sandbox/api/hostile.test.ts',
    unit: 'hostile requests to the sandbox',
    size: 100_000,
  },
  edges: {
    file: ['answers', 'return-address', 'memory', 'tabs'].map((name) => `test/transport/${name}.test.ts`),
    unit: 'answers of each call, addresses, kept texts, and messages and moves of tabs',
    size: 100_000,
  },
  'slow-clients': {
    file: 'test/server/slow-clients.test.ts',
    unit: 'clients that are slow, stop, hold on, never read or hang up',
    size: 500,
  },
  kills: {
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
  },
});
const unknown = wanted.filter((name) => !(name in PARTS));
if (unknown.length > 0)
  throw new Error(`No part is called ${unknown.join(', ')}. There are: ${Object.keys(PARTS).join(', ')}`);

stopAllOnSignals();
let failed = 0;
for (const [name, { file, unit, size, only }] of Object.entries(PARTS)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const count = values.size ?? String(size);
  console.log(`${name}: ${count} × ${unit}, seed ${values.seed} …`);
  const startedMs = performance.now();
  const { code, output } = await run(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      ...[file].flat(),
      ...(only === undefined ? [] : ['--testNamePattern', only]),
      '--reporter=verbose',
      // As long as it takes: a size has no time limit.
      '--testTimeout=0',
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
}
await stopAll();
process.exitCode = failed === 0 ? 0 : 1;
