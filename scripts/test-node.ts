import { availableParallelism } from 'node:os';
import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { type Tally, newTally } from './tally.js';

const fileTimeoutMs = 900_000;
const totals = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

interface TestData {
  readonly name: string;
  readonly nesting: number;
  readonly file?: string;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details: { readonly type?: string; readonly error?: Error & { failureType?: string } };
}

/** Runs the files under node's test runner, each in a process of its own, and tells every failure in full. */
export function testInNode(files: readonly string[]): Promise<Tally> {
  const tally = newTally('node');
  const paths = files.map((file) => resolve(file));
  const open: string[] = [];
  let current = '';
  let passedBefore = 0;
  let failedBefore = 0;

  const closeFile = () => {
    if (current !== '') {
      const passed = tally.passed - passedBefore;
      console.log(`${tally.failures.length > failedBefore ? '✗' : '✓'} node ${current} (${passed})`);
    }
    passedBefore = tally.passed;
    failedBefore = tally.failures.length;
  };
  const enter = (file: string | undefined) => {
    if (file === undefined || relative('.', file) === current) return;
    closeFile();
    current = relative('.', file);
  };
  const nameOf = (data: TestData) => [current, ...open.slice(0, data.nesting), data.name].join(' › ');
  // node reports a file as a test of its own when nothing inside it was reported.
  const isFile = (data: TestData) => data.nesting === 0 && paths.includes(resolve(data.name));
  const fail = (name: string, error: unknown) => {
    const reason = inspect(error);
    tally.failures.push({ name, reason });
    console.error(`\n✗ ${name}\n${reason.replace(/^/gm, '    ')}\n`);
  };

  return new Promise((finish) => {
    const stream = run({
      files: paths,
      concurrency: Math.min(Math.max(availableParallelism(), 2), 4),
      timeout: fileTimeoutMs,
    });
    stream.on('test:start', (data) => {
      enter(data.file);
      open.length = data.nesting;
      open.push(data.name);
    });
    stream.on('test:pass', (data: TestData) => {
      if (isFile(data)) return fail(relative('.', data.name), 'holds no test');
      enter(data.file);
      if (typeof data.skip === 'string' || data.skip === true) {
        tally.skipped.push(`${nameOf(data)} (${data.skip === true ? 'no reason given' : data.skip})`);
      } else if (data.todo !== undefined && data.todo !== false) {
        tally.skipped.push(`${nameOf(data)} (to do)`);
      } else if (data.details.type !== 'suite') {
        tally.passed += 1;
      }
    });
    stream.on('test:fail', (data: TestData) => {
      const error = data.details.error;
      // The failed part has been told; what contains it failed only because of it.
      if (error?.failureType === 'subtestsFailed') return;
      if (isFile(data)) return fail(relative('.', data.name), error?.cause ?? error);
      enter(data.file);
      fail(nameOf(data), error?.cause ?? error);
    });
    stream.on('test:diagnostic', (data) => {
      if (!totals.test(data.message)) console.log(`  ${data.message}`);
    });
    stream.on('test:stdout', (data) => process.stdout.write(data.message));
    stream.on('test:stderr', (data) => process.stderr.write(data.message));
    stream.on('error', (error) => fail('node', error));
    stream.on('end', () => {
      closeFile();
      finish(tally);
    });
    stream.resume();
  });
}
