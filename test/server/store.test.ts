import { memoryStore } from '../../src/server/memory-store.js';
import { sqliteStore } from '../../src/server/sqlite-store.js';
import { sqliteFile } from '../support/sqlite.js';
import { storeContract } from './store-contract.js';

storeContract({
  name: 'memory',
  async open(t) {
    const store = memoryStore();
    t.after(() => store.close());
    return { one: store, two: store };
  },
});

storeContract({
  name: 'SQLite',
  async open(t) {
    const file = sqliteFile(t);
    const [one, two] = [sqliteStore(file.open()), sqliteStore(file.open())];
    t.after(() => Promise.all([one.close(), two.close()]));
    await Promise.all([one.migrate(), two.migrate()]);
    return { one, two };
  },
});
