import { type Crowd, measureCrowd, SETTLEMENTS_PER_SECOND } from './crowd.js';
import type { ServerPlan } from './plan.js';
import type { Section } from '../report.js';
import type { Stores } from './stores.js';
import { row, type Row, type Table } from '../table.js';

const MOST_KILOBYTES = 12;
/** Below that, what one payer costs is lost in what the process does anyway. */
const COUNTS_MEMORY_FROM = 1_000;
/** A small crowd knows at once; a large one within a quarter of a second. */
const goalP99Ms = (waiting: number) => (waiting <= 100 ? 50 : 250);

export interface CrowdSizes {
  readonly crowds: readonly number[];
  readonly seconds: number;
  readonly isWanted: (store: string) => boolean;
}

type Servers = readonly Omit<ServerPlan, 'serviceUrl' | 'orders'>[];

/** Each store under each crowd, beside a bare route that holds its answers. */
export async function benchCrowds(
  stores: Stores,
  { crowds, seconds, isWanted }: CrowdSizes,
): Promise<Section> {
  const table: Table = {
    title: `Waiting payers with ${SETTLEMENTS_PER_SECOND} settlements a second for ${seconds} s: from the event leaving the service to the payer knowing`,
    columns: [
      '',
      'waiting',
      'connection kB',
      'waiter kB',
      'in use',
      'answered',
      'events/s',
      'p50 ms',
      'p99 ms',
      'core',
      'kept waiting',
      'goals',
    ],
    rows: [],
  };
  for (const waiting of crowds) {
    const measure = async (name: string, servers: Servers, hasGoal = true) => {
      const crowd = await measureCrowd({ name, waiting, seconds, servers });
      table.rows.push(rowOf(name, waiting, crowd, hasGoal));
    };
    // Whatever is wanted: without it the other figures say little.
    await measure('bare Hono route', [{ app: 'bare waiting', store: stores.memory() }], false);
    if (isWanted('memory')) await measure('memory', [{ app: 'kit', store: stores.memory() }]);
    if (isWanted('SQLite')) await measure('SQLite', [{ app: 'kit', store: stores.sqlite() }]);
    if (stores.noPostgres !== undefined) continue;
    const store = await stores.postgres();
    await measure('PostgreSQL, two instances', [
      { app: 'kit', store },
      { app: 'kit', store },
    ]);
  }
  return {
    title: 'Waiting payers',
    about: [
      'Memory that became resident for an idle connection, and on top of it for a payer who waits on it. “Core”: what the servers used of one. “Kept waiting”: for how much of the time a server and the load were kept from theirs by other programs; where it is not near zero the latencies hold that wait as well.',
      ...(stores.noPostgres === undefined ? [] : [`PostgreSQL was not measured: ${stores.noPostgres}.`]),
    ],
    tables: [table],
  };
}

function rowOf(name: string, waiting: number, crowd: Crowd, hasGoal: boolean): Row {
  const countsMemory = waiting >= COUNTS_MEMORY_FROM;
  const kilobytes = (value: number) => (countsMemory ? value.toFixed(1) : '');
  const goal = goalP99Ms(waiting);
  const isReached =
    crowd.p99Ms < goal &&
    crowd.answered === crowd.settlements &&
    (!countsMemory || crowd.waiterKilobytes <= MOST_KILOBYTES);
  return row(
    [
      name,
      String(waiting),
      kilobytes(crowd.connectionKilobytes),
      kilobytes(crowd.waiterKilobytes),
      kilobytes(crowd.waiterHeapKilobytes),
      `${crowd.answered} of ${crowd.settlements}`,
      crowd.settledPerSecond.toFixed(0),
      crowd.p50Ms.toFixed(1),
      crowd.p99Ms.toFixed(1),
      crowd.core,
      crowd.keptWaiting,
      hasGoal ? `p99 < ${goal} ms${countsMemory ? `, ≤ ${MOST_KILOBYTES} kB` : ''}` : '',
    ],
    hasGoal ? isReached : undefined,
  );
}
