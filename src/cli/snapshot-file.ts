import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { CommandError } from './command.js';

/** What the file holds, or undefined when there is none yet. */
export function readSnapshot(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw new CommandError(`Could not read the snapshot ${file} (${codeOf(error)}).`);
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new CommandError(`${file} is not a snapshot: it does not hold JSON. Nothing was changed.`);
  }
}

/** Written beside and moved, so that an interruption leaves the old snapshot whole. */
export function writeSnapshot(file: string, snapshot: unknown): void {
  const next = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(next, `${JSON.stringify(snapshot)}\n`, { mode: 0o600 });
    renameSync(next, file);
  } catch (error) {
    throw new CommandError(`Could not write the snapshot ${file} (${codeOf(error)}).`);
  }
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
}
