import type { Log } from '../../src/server.js';

/** Enough to see what led to a failure. */
const MOST_LINES = 200;
const lines: string[] = [];

/** A kit's log that leaves the test's output alone: the newest lines are kept, and shown when the process fails. */
export const keptLog: Log = (entry) => {
  if (lines.length === 0) process.once('exit', show);
  lines.push(JSON.stringify(entry));
  if (lines.length > MOST_LINES) lines.shift();
};

function show(code: number): void {
  if (code !== 0) console.error(`The kit's log:\n${lines.join('\n')}`);
}
