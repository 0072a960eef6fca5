import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'libsql';

/** What the demo keeps there. The certificate is not data: a browser that trusts it may go on. */
const OURS = /^(?:shop\.db|sandbox\.json|secrets\.json|vite)/;

/**
 * Keeps the folder for this process, so that two demos never write the same files. The system lets go when the process
 * ends, however it ends. False when another demo has it.
 */
export function claimData(dataDir: string): boolean {
  mkdirSync(dataDir, { recursive: true });
  try {
    const lock = new Database(join(dataDir, 'lock.db'));
    lock.exec('begin exclusive');
    claimed.push(lock);
    return true;
  } catch (error) {
    if (error instanceof Error && /locked|busy/i.test(error.message)) return false;
    throw error;
  }
}

/** Held so that nothing closes them before the process ends. */
const claimed: Database.Database[] = [];

/** Only what the demo made: a folder given by mistake keeps everything else. */
export function emptyData(dataDir: string): void {
  for (const name of readdirSync(dataDir)) {
    if (OURS.test(name)) rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
