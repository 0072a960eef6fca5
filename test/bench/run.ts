/** Measures the kit under load and prints tables. With arguments, only those parts whose name contains one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Cluster, whyNoPostgres } from '../support/postgres.js';
import type { StorePlan } from './plan.js';
import { benchPeers } from './peers.bench.js';
import { benchReads } from './reads.bench.js';
import { print, type Table } from './table.js';
import { pinLoad } from './under-test.js';
import { benchWaiting, WAITING_COLUMNS, type WaitingPlan, settlingSeconds } from './waiting.bench.js';

const wanted = process.argv.slice(2);
const isWanted = (part: string) => wanted.length === 0 || wanted.some((each) => part.includes(each));
/** `BENCH_WAITING=1000` for a machine that cannot hold ten thousand connections. */
const crowd = Number(process.env['BENCH_WAITING'] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-bench-'));
let files = 0;
const sqlite = (): StorePlan => ({ kind: 'sqlite', path: join(folder, `${files++}.db`) });

// Before this process is bound to a core: the database may use them all.
const noPostgres = isWanted('waiting PostgreSQL') ? whyNoPostgres() : 'not asked for';
const cluster = noPostgres === undefined ? await Cluster.start({ fsync: true }) : undefined;

console.log(
  `Node ${process.version}, ${availableParallelism()} × ${cpus()[0]?.model ?? 'core'}, ${pinLoad()}, ` +
    `load before ${loadavg()[0]?.toFixed(1) ?? '?'}`,
);
try {
  if (isWanted('reads')) {
    print(
      await benchReads([
        { name: 'memory', plan: { kind: 'memory' }, goal: 0.6 },
        { name: 'SQLite', plan: sqlite(), goal: 0.4 },
      ]),
    );
  }
  if (isWanted('peers')) print(await benchPeers());
  const waiting: Table = {
    title: `Waiting payers with 50 settlements a second for ${settlingSeconds} s: from the event leaving the service to the payer knowing`,
    columns: WAITING_COLUMNS,
    rows: [],
  };
  const sizes = [
    { count: 100, goalP99Ms: 50 },
    { count: crowd, goalP99Ms: 250 },
  ];
  const measure = async (plan: WaitingPlan) => {
    waiting.rows.push(await benchWaiting(plan));
  };
  const isWaitingWanted = (name: string) => isWanted(`waiting ${name}`);
  for (const { count, goalP99Ms } of sizes) {
    // Whatever is wanted: without it the other figures say little.
    if (['bare', 'memory', 'SQLite', 'PostgreSQL'].some(isWaitingWanted)) {
      const servers = [{ app: 'bare waiting', store: { kind: 'memory' } }] as const;
      await measure({ name: 'bare Hono route', waiting: count, goalP99Ms: undefined, servers });
    }
    for (const [name, store] of [
      ['memory', () => ({ kind: 'memory' })],
      ['SQLite', sqlite],
    ] as const satisfies [string, () => StorePlan][]) {
      if (!isWaitingWanted(name)) continue;
      await measure({ name, waiting: count, goalP99Ms, servers: [{ app: 'kit', store: store() }] });
    }
    if (cluster === undefined) continue;
    const store: StorePlan = { kind: 'postgres', connection: await cluster.createSchema() };
    const servers = [{ app: 'kit', store } as const, { app: 'kit', store } as const];
    await measure({ name: 'PostgreSQL, two instances', waiting: count, goalP99Ms, servers });
  }
  if (waiting.rows.length > 0 && noPostgres !== undefined)
    console.log(`\nPostgreSQL was not measured: ${noPostgres}`);
  if (waiting.rows.length > 0) print(waiting);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
