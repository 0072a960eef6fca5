/**
 * Measures, and prints tables: `npm run bench -- [PART…] [options]`, all parts when none is named. A part is wanted when
 * its name contains one of those given. docs/benchmarks.md says what the last runs found.
 */
import { parseArgs } from 'node:util';
import { benchBrowser } from './browser/browser.bench.js';
import { benchCodes } from './codes.bench.js';
import { benchDrawing } from './drawing.bench.js';
import { growInstances, growOrders, growWaiters, type GrowthSizes } from './growth/growth.bench.js';
import { benchPeers } from './peers.bench.js';
import { benchReads } from './server/reads.bench.js';
import { loadNow, printSection, type Section } from './report.js';
import { openStores } from './server/stores.js';
import { pinLoad } from './server/under-test.js';
import { benchCrowds } from './server/waiting.bench.js';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    // browser, drawing
    rounds: { type: 'string', default: '10' },
    checkouts: { type: 'string', default: '1,10,50' },
    'wait-seconds': { type: 'string', default: '60' },
    // waiting
    waiting: { type: 'string', default: '100,10000' },
    seconds: { type: 'string', default: '30' },
    // growth
    waiters: { type: 'string', default: '100,1000,10000,30000' },
    instances: { type: 'string', default: '1,2,4' },
    'instance-waiters': { type: 'string', default: '10000' },
    orders: { type: 'string', default: '1000,10000,100000,1000000' },
  },
});

const isWanted = (part: string) =>
  positionals.length === 0 || positionals.some((each) => part.includes(each));
const numbers = (list: string) => list.split(',').filter(Boolean).map(Number);
const loadBefore = loadNow();
const POSTGRES_PARTS = ['waiting PostgreSQL', 'growth waiters', 'growth instances', 'growth orders'];

const report = (section: Section): void => printSection(section, loadBefore);

// Before this process is bound to a core: the browser and the database may use them all.
if (isWanted('browser')) {
  report(
    await benchBrowser({
      rounds: Number(values.rounds),
      waitSeconds: Number(values['wait-seconds']),
      checkouts: numbers(values.checkouts),
    }),
  );
}
if (isWanted('codes')) report(await benchCodes());
if (isWanted('drawing')) report(await benchDrawing(Number(values.rounds)));
const stores = await openStores({ postgres: POSTGRES_PARTS.some(isWanted) });
try {
  console.log(`\nNode ${process.version}, ${pinLoad()}, load before ${loadBefore.toFixed(1)}`);
  if (isWanted('reads')) report(await benchReads(stores));
  if (isWanted('peers')) report(await benchPeers());
  if (['bare', 'memory', 'SQLite', 'PostgreSQL'].some((name) => isWanted(`waiting ${name}`))) {
    report(
      await benchCrowds(stores, {
        crowds: numbers(values.waiting),
        seconds: Number(values.seconds),
        isWanted: (name) => isWanted(`waiting ${name}`),
      }),
    );
  }
  const sizes: GrowthSizes = {
    waiters: numbers(values.waiters),
    instances: numbers(values.instances),
    instanceWaiters: Number(values['instance-waiters']),
    orders: numbers(values.orders),
    seconds: Number(values.seconds),
  };
  if (isWanted('growth orders')) report(await growOrders(stores, sizes));
  if (isWanted('growth waiters')) report(await growWaiters(stores, sizes));
  if (isWanted('growth instances') && stores.noPostgres === undefined) {
    report(await growInstances(stores, sizes));
  }
  if (stores.noPostgres !== undefined) console.log(`\nPostgreSQL was not measured: ${stores.noPostgres}`);
} finally {
  stores.close();
}
process.exit(0);
