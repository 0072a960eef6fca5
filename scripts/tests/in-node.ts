import { relative, resolve } from 'node:path';
import { run } from 'node:test';
import { inspect } from 'node:util';
import { FILE_PATIENCE_MS } from '../../test/support/patience.js';
import { fileLine, newTally, type Tally } from './tally.js';

const totals = /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) [\d.]+$/;

interface TestData {
  readonly name: string;
  readonly nesting: number;
  readonly skip?: string | boolean;
  readonly todo?: string | boolean;
  readonly details: {
    readonly type?: string;
    readonly duration_ms: number;
    readonly error?: Error & { failureType?: string };
  };
}

export interface NodeOptions {
  /** Ends the file's process; what it had not told by then counts for nothing. */
  readonly signal?: AbortSignal;
  /** Says each test as it ends, for files that take minutes. */
  readonly showTests?: boolean;
  /** Keeps what a file printed to itself, but for its seeds, unless one of its tests fails. */
  readonly quiet?: boolean;
}

/** Runs a file under node's test runner, in a process of its own, and tells every failure in full. */
export function testInNode(file: string, options: NodeOptions = {}): Promise<Tally> {
  const { signal, showTests = false, quiet = false } = options;
  const tally = newTally('node');
  const startedMs = performance.now();
  const open: string[] = [];
  // Files run side by side: what one says is shown together.
  let said = '';
  const say = (text: string) => {
    if (showTests) process.stdout.write(text);
    else said += text;
  };
  const nameOf = (data: TestData) => [file, ...open.slice(0, data.nesting), data.name].join(' › ');
  // node reports a file as a test of its own when nothing inside it was reported.
  const isFile = (data: TestData) => data.nesting === 0 && resolve(data.name) === resolve(file);
  const fail = (name: string, error: unknown) => {
    const reason = inspect(error);
    tally.failures.push({ name, reason });
    say(`\n✗ ${name}\n${reason.replace(/^/gm, '    ')}\n\n`);
  };

  return new Promise((finish) => {
    const stream = run({
      files: [resolve(file)],
      concurrency: 1,
      timeout: FILE_PATIENCE_MS,
      ...(signal && { signal }),
    });
    stream.on('test:start', (data) => {
      open.length = data.nesting;
      open.push(data.name);
    });
    stream.on('test:pass', (data: TestData) => {
      if (isFile(data)) return fail(file, 'holds no test');
      if (typeof data.skip === 'string' || data.skip === true) {
        tally.skipped.push(`${nameOf(data)} (${data.skip === true ? 'no reason given' : data.skip})`);
      } else if (data.todo !== undefined && data.todo !== false) {
        tally.skipped.push(`${nameOf(data)} (to do)`);
      } else if (data.details.type !== 'suite') {
        tally.passed += 1;
        tally.tests.push({ name: nameOf(data), seconds: data.details.duration_ms / 1_000 });
        if (showTests) say(`  ✓ ${nameOf(data)}\n`);
      }
    });
    stream.on('test:fail', (data: TestData) => {
      const error = data.details.error;
      // The failed part has been told; what contains it failed only because of it.
      if (error?.failureType === 'subtestsFailed' || signal?.aborted === true) return;
      fail(isFile(data) ? file : nameOf(data), error?.cause ?? error);
    });
    stream.on('test:diagnostic', (data) => {
      if (!totals.test(data.message)) say(`  ${data.message}\n`);
    });
    stream.on('test:stdout', (data) => say(data.message));
    stream.on('test:stderr', (data) => say(data.message));
    stream.on('error', (error) => {
      if (signal?.aborted !== true) fail(file, error);
    });
    stream.on('end', () => {
      const seconds = (performance.now() - startedMs) / 1_000;
      tally.files.push({ name: relative('.', file), seconds });
      if (quiet && tally.failures.length === 0) said = seedsIn(said);
      if (signal?.aborted === true) said += '  stopped, for lack of time:\n';
      process.stdout.write(`${said}${fileLine('node', relative('.', file), tally, seconds)}\n`);
      finish(tally);
    });
    stream.resume();
  });
}

/** What must not be lost of a file that passed: which cases were drawn, to draw them again. */
function seedsIn(said: string): string {
  return said.replace(/^(?!.*\bseeds? \d).*\n?/gm, '');
}
