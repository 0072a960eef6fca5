import { getRequest, HttpLine, percentile } from './http-line.js';
import type { ServerPlan, StorePlan } from './plan.js';
import type { Section } from '../report.js';
import { openService } from './service.js';
import type { Stores } from './stores.js';
import { row, type Table } from '../table.js';
import { ServerUnderTest } from './under-test.js';

/** As many payers as payins, each asking again as soon as it is answered. */
const payers = 32;
const warmUpReads = 6_000;
const roundReads = 8_000;
const rounds = 3;

interface Reading {
  readonly perSecond: number;
  /** Requests for each second that the server's core was really given: what other programs take does not count. */
  readonly perCoreSecond: number;
  readonly p99Ms: number;
}

/** Status reads a second and their p99, beside a bare route that returns the same bytes. */
export async function benchReads(stores: Stores): Promise<Section> {
  const kits = [
    { name: 'memory', plan: stores.memory(), goal: 0.6 },
    { name: 'SQLite', plan: stores.sqlite(), goal: 0.4 },
  ];
  const service = await openService();
  const table: Table = {
    title: `Status reads: one process, ${payers} payers with an open payin each, as fast as they are answered`,
    columns: ['', 'reads/s', 'p99 ms', 'reads per core second', 'of bare', 'goal'],
    rows: [],
  };
  try {
    const bare = await ServerUnderTest.start(planOf('bare', { kind: 'memory' }, service.url, 1));
    for (const { name, plan, goal } of kits) {
      const kit = await ServerUnderTest.start(planOf('kit', plan, service.url, payers));
      // In turns, so that both meet the same weather.
      const readings: { bare: Reading[]; kit: Reading[] } = { bare: [], kit: [] };
      await read(bare, warmUpReads);
      await read(kit, warmUpReads);
      for (let round = 0; round < rounds; round++) {
        readings.bare.push(await read(bare, roundReads));
        readings.kit.push(await read(kit, roundReads));
      }
      await kit.stop();
      const [reference, measured] = [best(readings.bare), best(readings.kit)];
      const share = measured.perCoreSecond / reference.perCoreSecond;
      if (table.rows.length === 0) table.rows.push(rowOf('bare Hono route', reference, undefined, undefined));
      table.rows.push(rowOf(`kit, ${name}`, measured, share, goal));
    }
    await bare.stop();
  } finally {
    await service.close();
  }
  return { title: 'Status reads', about: [], tables: [table] };
}

function planOf(app: ServerPlan['app'], store: StorePlan, serviceUrl: string, orders: number): ServerPlan {
  return { app, store, serviceUrl, orders };
}

async function read(server: ServerUnderTest, reads: number): Promise<Reading> {
  const requests = server.seeded.map(({ id }) => getRequest(`/payins/${id}`));
  const open = await Promise.all(Array.from({ length: payers }, () => HttpLine.open(server.port)));
  const before = await server.usage();
  const start = performance.now();
  const latencies: number[] = [];
  let asked = 0;
  const ask = async (line: HttpLine, offset: number): Promise<void> => {
    for (let turn = offset; asked < reads; turn++) {
      const request = requests[turn % requests.length];
      if (request === undefined) throw new Error('There is nothing to read');
      asked += 1;
      const askedAt = performance.now();
      const { status } = await line.ask(request);
      if (status !== 200) throw new Error(`A read was answered ${status}`);
      latencies.push(performance.now() - askedAt);
    }
  };
  await Promise.all(open.map((line, index) => ask(line, index)));
  const seconds = (performance.now() - start) / 1_000;
  const after = await server.usage();
  for (const line of open) line.close();
  return {
    perSecond: latencies.length / seconds,
    perCoreSecond: latencies.length / ((after.cpuMicros - before.cpuMicros) / 1_000_000),
    p99Ms: percentile(latencies, 0.99),
  };
}

/** The least disturbed round. */
function best(readings: readonly Reading[]): Reading {
  return readings.reduce((left, right) => (right.perCoreSecond > left.perCoreSecond ? right : left));
}

function rowOf(name: string, reading: Reading, share: number | undefined, goal: number | undefined) {
  return row(
    [
      name,
      reading.perSecond.toFixed(0),
      reading.p99Ms.toFixed(1),
      reading.perCoreSecond.toFixed(0),
      share === undefined ? '' : `${(share * 100).toFixed(0)} %`,
      goal === undefined ? '' : `at least ${goal * 100} %`,
    ],
    share === undefined || goal === undefined ? undefined : share >= goal,
  );
}
