/**
 * How strong the tests are: plants small mistakes in the sources, one at a time, and counts those that the tests notice.
 *
 *   npm run mutation                        200 mistakes, in all parts
 *   npm run mutation -- machine server/http only in files whose path contains one of these
 *   npm run mutation -- --sample 50         so many; `--sample all` for each one there is
 *   npm run mutation -- --seed 7            other ones
 *   npm run mutation -- --near              only by the tests of the mistake's own part: quicker, and stricter
 *   npm run mutation -- --known             those of known-mistakes.ts, all of which must be noticed
 *
 * A mistake counts as noticed when the types no longer fit, or else when a test fails or hangs. The tests tried are those
 * that reach the file through their imports, the nearest first; those for browsers in the
 * first engine there is. What nobody noticed is listed.
 */
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, posix, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { engines } from '../../scripts/tests/browsers.js';
import { inLanes } from '../../scripts/tests/lanes.js';
import { findBrowsers } from '../../scripts/tests/needs.js';
import { run, stopAll, stopAllOnSignals } from '../../scripts/tests/processes.js';
import { reach, testFiles } from '../../scripts/tests/files.js';
import { loadNow, printSection, type Section } from '../bench/report.js';
import { row } from '../bench/table.js';
import { KNOWN_MISTAKES } from './known-mistakes.js';
import { type Mutant, mutantsOf } from './mutants.js';

interface Planted extends Mutant {
  readonly file: string;
  readonly text: string;
}

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: {
    sample: { type: 'string', default: '200' },
    seed: { type: 'string', default: '1' },
    near: { type: 'boolean', default: false },
    known: { type: 'boolean', default: false },
  },
});

const PARTS = ['machine', 'transport', 'server', 'service', 'contract', 'element'];
/** Too slow to be run for each mistake, or about something else. */
const LEFT_OUT =
  /\/(journeys|package|docs|bench|architecture|cli|sandbox|mutation)\/|\/element\/(gallery|heap|size)|\/simulation\/(outage|shoppers)|crash\/postgres|examples/;
const NOT_COPIED = ['.git', 'node_modules', 'dist', 'dist-demo', '.data'];
/** A loop without an end is noticed by this: so many times what the file takes without a mistake, and at least a minute. */
const HANGS_AFTER_TIMES = 10;
const HANGS_AFTER_MS = 60_000;

/** Of the mistakes of each part. */
const WANTED_SHARE = 0.9;

stopAllOnSignals();
const [browser] = findBrowsers(engines).found;
if (browser === undefined) throw new Error('Needs a browser: npm test says how to get one');
const inBrowser = ['--import', 'tsx', 'scripts/test.ts', '--engine', browser.engine];
const inNode = ['node_modules/vitest/vitest.mjs', 'run'];
const { node: forNode, browser: forBrowser } = testFiles();
const tests = [...forNode, ...forBrowser]
  .filter((file) => !LEFT_OUT.test(file))
  .map((file) => ({ file, reached: reach(file) }));
const all = options.known ? known() : everySmallMistake();
const size = options.sample === 'all' ? all.length : Number(options.sample);
const chosen = shuffled(all, Number(options.seed)).slice(0, size);
console.log(`${chosen.length} of ${all.length} mistakes, seed ${options.seed}`);

const loadBefore = loadNow();
const unnoticed: Planted[] = [];
let tried = 0;
const copies = Array.from({ length: availableParallelism() }, copyOfProject);
const free = [...copies];
const inCopy = async <Result>(work: (copy: string) => Promise<Result>): Promise<Result> => {
  const copy = free.pop() as string;
  try {
    return await work(copy);
  } finally {
    free.push(copy);
  }
};
const failing: string[] = [];
/** How long each test file takes while nothing is wrong. */
const tookMs = new Map<string, number>();
await inLanes(
  copies.length,
  [...new Set(chosen.flatMap(nearestFirst))].map((test) => () => inCopy((copy) => measure(test, copy))),
);
if (failing.length > 0) throw new Error(`Fail without any mistake planted: ${failing.join(', ')}`);
await inLanes(
  copies.length,
  chosen.map((planted) => async () => {
    const noticedBy = await inCopy((copy) => notice(planted, copy));
    console.log(`[${++tried} of ${chosen.length}] ${noticedBy ?? 'NOT NOTICED'}: ${describe(planted)}`);
    if (noticedBy === undefined) unnoticed.push(planted);
  }),
);
for (const copy of copies) rmSync(copy, { recursive: true, force: true });
await stopAll();

printSection(sectionOf(), loadBefore);
if (options.known && unnoticed.length > 0) process.exitCode = 1;

function sectionOf(): Section {
  const ofPart = (planted: readonly Planted[], part: string) =>
    planted.filter(({ file }) => file.startsWith(`src/${part}/`)).length;
  const counted = (name: string, planted: number, missed: number) => {
    const share = (planted - missed) / planted;
    const cells = [name, String(planted), String(planted - missed), `${(100 * share).toFixed(1)} %`];
    return row(cells, share >= WANTED_SHARE);
  };
  const parts = PARTS.filter((part) => ofPart(chosen, part) > 0);
  return {
    title: 'Strength of the tests',
    about: [`${chosen.length} of ${all.length} mistakes, one at a time.`],
    tables: [
      {
        title: 'Mistakes that were noticed',
        columns: ['part', 'planted', 'noticed', 'share'],
        rows: [
          ...parts.map((part) => counted(part, ofPart(chosen, part), ofPart(unnoticed, part))),
          counted('all', chosen.length, unnoticed.length),
        ],
      },
    ],
    lists: [{ title: 'Not noticed', items: unnoticed.map((each) => `\`${describe(each)}\``) }],
  };
}

function everySmallMistake(): Planted[] {
  return PARTS.flatMap((part) =>
    readdirSync(`src/${part}`, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .map((name) => posix.join('src', part, name.replaceAll('\\', '/'))),
  )
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .flatMap((file) => {
      const text = readFileSync(file, 'utf8');
      return mutantsOf(file, text).map((mutant) => ({ ...mutant, file, text }));
    });
}

function known(): Planted[] {
  return KNOWN_MISTAKES.map(({ file, from, to }) => {
    const text = readFileSync(file, 'utf8');
    const start = text.indexOf(from);
    return { file, text, start, end: start + from.length, replacement: to };
  });
}

/** The project without its history; packages are shared. */
function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'pay-checkout-mutation-'));
  for (const name of readdirSync('.').filter((name) => !NOT_COPIED.includes(name)))
    cpSync(name, join(copy, name), { recursive: true });
  symlinkSync(resolve('node_modules'), join(copy, 'node_modules'));
  return copy;
}

async function measure(test: string, copy: string): Promise<void> {
  const startedMs = performance.now();
  if (!(await passes(test, copy))) failing.push(test);
  tookMs.set(test, performance.now() - startedMs);
}

/** Who noticed it: the types or a test file; undefined when nobody did. */
async function notice(planted: Planted, copy: string): Promise<string | undefined> {
  const { file, text, start, end, replacement } = planted;
  const path = join(copy, file);
  writeFileSync(path, text.slice(0, start) + replacement + text.slice(end));
  try {
    const { code } = await run(process.execPath, ['node_modules/typescript-native/bin/tsc', '--noEmit'], {
      cwd: copy,
    });
    if (code !== 0) return 'types';
    for (const test of nearestFirst(planted)) if (!(await passes(test, copy))) return test;
    return undefined;
  } finally {
    writeFileSync(path, text);
  }
}

async function passes(test: string, copy: string): Promise<boolean> {
  const args = [...(forBrowser.includes(test) ? inBrowser : inNode), test];
  const timeout = Math.max(HANGS_AFTER_MS, Math.ceil(HANGS_AFTER_TIMES * (tookMs.get(test) ?? Infinity)));
  const { code } = await run(process.execPath, args, {
    cwd: copy,
    ...(timeout < Infinity && { timeout }),
  });
  return code === 0;
}

/** Those beside the file's own place in `test` first, and of those as near as each other the quick ones. */
function nearestFirst({ file }: Planted): string[] {
  const place = posix.dirname(file).replace('src/', 'test/');
  const part = place.split('/').slice(0, 2).join('/');
  const distance = (test: string) => (test.startsWith(place) ? 0 : test.startsWith(part) ? 1 : 2);
  const timeOf = (test: string) => tookMs.get(test) ?? 0;
  return tests
    .filter(({ reached, file: test }) => reached.has(file) && !(options.near && distance(test) > 1))
    .sort((a, b) => distance(a.file) - distance(b.file) || timeOf(a.file) - timeOf(b.file))
    .map((test) => test.file);
}

function describe({ file, text, start, end, replacement }: Planted): string {
  const short = (code: string) => code.replace(/\s+/g, ' ').slice(0, 60);
  return `${file}:${lineAt(text, start)}  ${short(text.slice(start, end))}  →  ${short(replacement) || '(nothing)'}`;
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

/** The same order for the same seed (a linear congruential generator). */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const mixed = [...items];
  let state = seed >>> 0;
  for (let index = mixed.length - 1; index > 0; index--) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const other = state % (index + 1);
    [mixed[index], mixed[other]] = [mixed[other] as Item, mixed[index] as Item];
  }
  return mixed;
}
