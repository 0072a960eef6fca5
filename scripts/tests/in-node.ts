import { fileURLToPath } from 'node:url';
import { exited, start, stop } from './processes.js';
import { addTally, newTally, type Tally } from './tally.js';

const vitest = 'node_modules/vitest/vitest.mjs';
const tallyReporter = fileURLToPath(new URL('tally-reporter.ts', import.meta.url));

export interface NodeOptions {
  /** Ends the run; what did not end before counts for nothing. */
  readonly signal?: AbortSignal;
  /** Says each test as it ends, for files that take minutes. */
  readonly showTests?: boolean;
  /** Keeps what tests print to itself, unless one fails. */
  readonly quiet?: boolean;
}

/** Runs files under vitest, which tells every failure in full, and returns what it counted. */
export async function testInNode(files: readonly string[], options: NodeOptions = {}): Promise<Tally> {
  const { signal, showTests = false, quiet = false } = options;
  const tally = newTally('node');
  const args = [
    'run',
    ...files,
    `--reporter=${showTests ? 'verbose' : 'default'}`,
    `--reporter=${tallyReporter}`,
    ...(quiet ? ['--silent=passed-only'] : []),
  ];
  const child = start(process.execPath, [vitest, ...args], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  child.on('message', (message) => addTally(tally, message as Tally));
  signal?.addEventListener('abort', () => void stop(child));
  await exited(child);
  const isCutShort = signal?.aborted === true;
  if (!isCutShort && child.exitCode !== 0 && tally.failures.length === 0)
    tally.failures.push({ name: 'the run broke off', reason: `vitest ended with ${child.exitCode}` });
  return tally;
}

/** Runs the files again whenever something they import changes, until it is ended. */
export async function watchInNode(files: readonly string[]): Promise<void> {
  await exited(start(process.execPath, [vitest, 'watch', ...files], { stdio: 'inherit', detached: false }));
}
