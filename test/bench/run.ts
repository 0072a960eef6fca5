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
import { benchWaiting, WAITING_COLUMNS } from './waiting.bench.js';

const wanted = process.argv.slice(2);
const isWanted = (part: string) => wanted.length === 0 || wanted.some((each) => part.includes(each));
/** `BENCH_WAITING=1000` for a machine that cannot hold ten thousand connections. */
const crowd = Number(process.env['BENCH_WAITING'] ?? 10_000);
const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-bench-'));
let files = 0;
const sqlite = (): StorePlan => ({ kind: 'sqlite', path: join(folder, `${files++}.db`) });

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
    title:
      'Waiting payers with 50 settlements a second: from the event leaving the service to the payer knowing',
    columns: WAITING_COLUMNS,
    rows: [],
  };
  for (const [name, plan] of [
    ['memory', () => ({ kind: 'memory' })],
    ['SQLite', sqlite],
  ] as const satisfies [string, () => StorePlan][]) {
    if (!isWanted(`waiting ${name}`)) continue;
    for (const [count, goalP99Ms] of [
      [100, 50],
      [crowd, 250],
    ] as const) {
      waiting.rows.push(
        await benchWaiting({ name, waiting: count, goalP99Ms, servers: [{ store: plan() }] }),
      );
    }
  }
  if (isWanted('waiting postgres')) {
    const reason = whyNoPostgres();
    if (reason === undefined) {
      const cluster = await Cluster.start({ fsync: true });
      for (const [count, goalP99Ms] of [
        [100, 50],
        [crowd, 250],
      ] as const) {
        const store: StorePlan = { kind: 'postgres', connection: await cluster.createSchema() };
        waiting.rows.push(
          await benchWaiting({
            name: 'PostgreSQL, two instances',
            waiting: count,
            goalP99Ms,
            servers: [{ store }, { store }],
          }),
        );
      }
    } else {
      console.log(`\nNothing is measured on PostgreSQL: ${reason}`);
    }
  }
  if (waiting.rows.length > 0) print(waiting);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exit(0);
