import { memoryStore } from '../../src/server/memory-store.js';
import { storeContract } from './store-contract.js';

storeContract({
  name: 'memory',
  async open(t) {
    const store = memoryStore();
    t.after(() => store.close());
    return { one: store, two: store };
  },
});
