import { type Crowd, largestCrowd, measureCrowd } from '../server/crowd.js';
import type { ServerPlan, StorePlan } from '../server/plan.js';
import type { Section } from '../report.js';
import type { Stores } from '../server/stores.js';
import { row, type Table } from '../table.js';
import { type Line, lineSentence, type Series } from './line.js';
import { type FilledStore, measureOrders } from './orders.js';

export interface GrowthSizes {
  readonly waiters: readonly number[];
  readonly instances: readonly number[];
  /** Payers who wait on the instances, together. */
  readonly instanceWaiters: number;
  readonly orders: readonly number[];
  /** How long payments are settled for each crowd. */
  readonly seconds: number;
}

/** More and more waiting payers, in each store. */
export async function growWaiters(stores: Stores, { waiters, seconds }: GrowthSizes): Promise<Section> {
  const kinds = await kindsOf(stores);
  const found: { readonly name: string; readonly waiting: number; readonly crowd: Crowd }[] = [];
  const largest = largestCrowd();
  const tooLarge = waiters.filter((waiting) => waiting > largest);
  for (const waiting of waiters.filter((each) => each <= largest)) {
    for (const { name, open } of kinds) {
      const crowd = await measureCrowd({ name, waiting, seconds, servers: [await open()] });
      found.push({ name, waiting, crowd });
    }
  }
  const growing = (title: string, line: Line, pick: (crowd: Crowd, waiting: number) => number) =>
    grown(title, line, kinds, (name) =>
      found
        .filter((each) => each.name === name)
        .map(({ waiting, crowd }) => ({ x: waiting, y: pick(crowd, waiting) })),
    );
  const quantities = [
    growing('From the event to the payer, p50, ms', 'level', ({ p50Ms }) => p50Ms),
    growing('From the event to the payer, p99, ms', 'level', ({ p99Ms }) => p99Ms),
    growing(
      'Memory of all waiting payers and their connections, MB',
      'proportional',
      ({ connectionKilobytes, waiterKilobytes }, waiting) =>
        ((connectionKilobytes + waiterKilobytes) * waiting) / 1_024,
    ),
    growing(
      'Requests to the service a second, with 50 settlements a second',
      'level',
      ({ serviceRequestsPerSecond }) => serviceRequestsPerSecond,
    ),
  ];
  const table: Table = {
    title: `One instance with 50 settlements a second for ${seconds} s`,
    columns: ['', 'waiting', ...CROWD_COLUMNS],
    rows: found.map(({ name, waiting, crowd }) => crowdRow(name, String(waiting), crowd)),
  };
  return {
    title: 'Growth: waiting payers',
    about: [
      LINE_RULE,
      ...tooLarge.map(
        (waiting) =>
          `${waiting.toLocaleString('en')} were not measured: this machine lets a process hold connections of ${largest.toLocaleString('en')}.`,
      ),
    ],
    tables: [table],
    lists: [{ title: 'Straight lines', items: quantities.flat() }],
  };
}

/** More and more instances on one PostgreSQL. */
export async function growInstances(
  stores: Stores,
  { instances, instanceWaiters, seconds }: GrowthSizes,
): Promise<Section> {
  const found: { readonly count: number; readonly crowd: Crowd }[] = [];
  for (const count of instances) {
    const store = await stores.postgres();
    const servers = Array.from({ length: count }, () => ({ app: 'kit', store }) as const);
    const name = `PostgreSQL, ${count} instances`;
    found.push({ count, crowd: await measureCrowd({ name, waiting: instanceWaiters, seconds, servers }) });
  }
  const kinds = [{ name: 'PostgreSQL' }];
  const growing = (title: string, pick: (crowd: Crowd) => number) =>
    grown(title, 'level', kinds, () => found.map(({ count, crowd }) => ({ x: count, y: pick(crowd) })));
  const quantities = [
    growing('From the event to the payer, p99, ms', ({ p99Ms }) => p99Ms),
    growing(
      'Requests to the service a second, with 50 settlements a second',
      ({ serviceRequestsPerSecond }) => serviceRequestsPerSecond,
    ),
  ];
  return {
    title: 'Growth: instances on PostgreSQL',
    about: [
      'Payers and events are spread over the instances in turn, so that most events arrive where nobody waits for them. Database, instances and load share the machine’s cores: what more instances cost shows, what they gain on more machines does not. Each may ask the service `serviceReadsPerSecond` times (100), and with so many open payments one instance does: two ask twice as often.',
    ],
    tables: [
      {
        title: `${instanceWaiters} waiting payers in all, 50 settlements a second for ${seconds} s`,
        columns: ['', 'instances', ...CROWD_COLUMNS],
        rows: found.map(({ count, crowd }) => crowdRow('PostgreSQL', String(count), crowd)),
      },
    ],
    lists: [{ title: 'Straight lines', items: quantities.flat() }],
  };
}

/** More and more orders in each store. */
export async function growOrders(stores: Stores, { orders }: GrowthSizes): Promise<Section> {
  const kinds = await kindsOf(stores);
  const found = new Map<string, FilledStore[]>();
  for (const { name, open } of kinds) {
    const { store } = await open();
    const say = ({ orders: size }: FilledStore) => console.error(`  ${name}: ${size} orders`);
    found.set(name, await measureOrders({ store, sizes: orders }, say));
  }
  const growing = (title: string, line: Line, pick: (filled: FilledStore) => number) =>
    grown(title, line, kinds, (name) =>
      (found.get(name) ?? []).map((filled) => ({ x: filled.orders, y: pick(filled) })),
    );
  const megabytes = (bytes: number | undefined) => (bytes === undefined ? NaN : bytes / 2 ** 20);
  const quantities = [
    growing('Status read, p50, ms', 'level', ({ readP50Ms }) => readP50Ms),
    growing('Creating a payment, p50, ms', 'level', ({ createP50Ms }) => createP50Ms),
    growing('A look for due work, p50, ms', 'level', ({ tickMs }) => tickMs),
    growing('The console’s charts of 30 days, ms', 'proportional', ({ chartsMs }) => chartsMs),
    growing('Memory beyond an empty store’s, MB', 'proportional', ({ heapBytes }) => megabytes(heapBytes)),
    growing('Files or tables beyond an empty store’s, MB', 'proportional', ({ storedBytes }) =>
      megabytes(storedBytes),
    ),
  ];
  const table: Table = {
    title: 'Stores that fill with settled orders; one process, no network',
    columns: [
      '',
      'orders',
      'read p50 ms',
      'p99',
      'create p50 ms',
      'p99',
      'settle ms',
      'look for work ms',
      'cards ms',
      'charts ms',
      'service requests a payment',
      'a look for work',
      'resident MB',
      'heap grew by MB',
      'stored grew by MB',
    ],
    rows: [...found].flatMap(([name, sizes]) => sizes.map((filled) => filledRow(name, filled))),
  };
  return {
    title: 'Growth: orders in a store',
    about: [
      'Settled orders are copies of one that the kit paid, with ids of their own. At each size: 1,000 status reads of any of them, 200 whole payments, 20 looks for due work, and what the console’s first page asks for: its cards, and its charts of 30 days.',
      LINE_RULE,
    ],
    tables: [table],
    lists: [{ title: 'Straight lines', items: quantities.flat() }],
  };
}

const LINE_RULE =
  'A quantity that should not grow has left its line where it is more than twice what it was at the smallest size; one that should grow in proportion, where it is more than twice what the smallest size says.';

interface Kind {
  readonly name: string;
  readonly open: () => Promise<Omit<ServerPlan, 'serviceUrl' | 'orders'>>;
}

async function kindsOf(stores: Stores): Promise<Kind[]> {
  const kit = (store: StorePlan) => ({ app: 'kit', store }) as const;
  const kinds: Kind[] = [
    { name: 'memory', open: () => Promise.resolve(kit(stores.memory())) },
    { name: 'SQLite', open: () => Promise.resolve(kit(stores.sqlite())) },
  ];
  if (stores.noPostgres !== undefined) return kinds;
  return [...kinds, { name: 'PostgreSQL', open: async () => kit(await stores.postgres()) }];
}

/** A sentence for each kind: whether the quantity keeps to its line. */
function grown(
  title: string,
  line: Line,
  kinds: readonly { readonly name: string }[],
  pointsOf: (name: string) => Series['points'],
): string[] {
  return kinds
    .map(({ name }) => ({ name, points: pointsOf(name).filter(({ y }) => !Number.isNaN(y)) }))
    .filter(({ points }) => points.length > 0)
    .map((series) => lineSentence(title, series, line));
}

const CROWD_COLUMNS = [
  'answered',
  'p50 ms',
  'p99 ms',
  'connection kB',
  'waiter kB',
  'service requests/s',
  'core',
  'kept waiting',
] as const;

function crowdRow(name: string, size: string, crowd: Crowd) {
  return row(
    [
      name,
      size,
      `${crowd.answered} of ${crowd.settlements}`,
      crowd.p50Ms.toFixed(1),
      crowd.p99Ms.toFixed(1),
      crowd.connectionKilobytes.toFixed(1),
      crowd.waiterKilobytes.toFixed(1),
      crowd.serviceRequestsPerSecond.toFixed(1),
      crowd.core,
      crowd.keptWaiting,
    ],
    crowd.answered === crowd.settlements ? undefined : false,
  );
}

function filledRow(name: string, filled: FilledStore) {
  const megabytes = (bytes: number | undefined) => (bytes === undefined ? '' : (bytes / 2 ** 20).toFixed(1));
  return row(
    [
      name,
      filled.orders.toLocaleString('en'),
      filled.readP50Ms.toFixed(2),
      filled.readP99Ms.toFixed(2),
      filled.createP50Ms.toFixed(2),
      filled.createP99Ms.toFixed(2),
      filled.settleMs.toFixed(2),
      filled.tickMs.toFixed(2),
      filled.cardsMs.toFixed(1),
      filled.chartsMs.toFixed(1),
      filled.serviceRequestsPerPayment.toFixed(2),
      String(filled.serviceRequestsPerTick),
      megabytes(filled.residentBytes),
      megabytes(filled.heapBytes),
      megabytes(filled.storedBytes),
    ],
    undefined,
  );
}
