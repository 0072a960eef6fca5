import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'vitest';
import Database from 'libsql';
import { cleanup } from './cleanup.js';

export type Sqlite = Database.Database;

/** A database file that is gone after the test, with as many handles on it as asked for. */
export function sqliteFile(t: TestContext): { readonly path: string; open(): Sqlite } {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-sqlite-'));
  const path = join(folder, 'checkout.db');
  const handles: Sqlite[] = [];
  cleanup(t, () => {
    for (const handle of handles) handle.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return {
    path,
    open() {
      const handle = new Database(path);
      handles.push(handle);
      return handle;
    },
  };
}
