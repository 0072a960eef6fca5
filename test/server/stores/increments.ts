/** A process of its own that counts up one order of a shared SQLite file. Arguments: file, order, how often. */
import Database from 'libsql';
import { sqliteStore } from '../../../src/server/stores/sqlite/sqlite-store.js';

const [path = '', order = '', times = '0'] = process.argv.slice(2);
const store = sqliteStore(new Database(path));
await store.migrate();
for (let count = 0; count < Number(times); count++) {
  await store.update(order, (row) => ({
    result: undefined,
    write: {
      body: { count: ((row?.body as { count: number } | undefined)?.count ?? 0) + 1 },
      dueAt: null,
      addKeys: [],
      at: Date.now(),
      wake: true,
    },
  }));
}
await store.close();
