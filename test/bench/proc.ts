import { readFileSync } from 'node:fs';

/** What Linux says of itself or of a process; undefined on another system, and for a process that has ended. */
export function procFile(path: string): string | undefined {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch {
    return undefined;
  }
}
