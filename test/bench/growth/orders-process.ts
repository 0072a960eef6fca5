/** Measures one store as it fills, in a process of its own. Argument: the plan. Answers through its parent's channel. */
import { existsSync, statSync } from 'node:fs';
import { attemptsOf } from '../../../src/console.js';
import { percentile } from '../server/http-line.js';
import { openPool, openStore } from '../server/open-store.js';
import type { StorePlan } from '../server/plan.js';
import { copiedAttempt, copyOrders, makeTemplate, openShop } from './history.js';
import type { FilledStore, OrdersPlan } from './orders.js';

const PAYMENTS = 200;
const READS = 1_000;
const TICKS = 20;
const OVERVIEWS = 3;

const plan = JSON.parse(process.argv[2] ?? '') as OrdersPlan;
const template = await makeTemplate();
const store = openStore(plan.store);
const shop = openShop(store);
const attempts = attemptsOf(store);
/** The tables exist once the kit has been used, and code that runs is compiled. */
await pay('warm-up');
const empty = { heap: heapBytes(), stored: await storedBytes(plan.store) };

let filled = 0;
for (const orders of plan.sizes) {
  await copyOrders(store, template, filled, orders);
  filled = orders;
  const reads = await timed(READS, () =>
    shop.read(copiedAttempt(template, Math.floor(Math.random() * orders))),
  );
  const before = shop.serviceRequests;
  const ticks = await timed(TICKS, () => shop.checkout.tick());
  const tickRequests = (shop.serviceRequests - before) / TICKS;
  const cards = await timed(OVERVIEWS, () => attempts.collected());
  const charts = await timed(OVERVIEWS, () => attempts.overview(30));
  const { creations, settlingMs, requests } = await pay(`of-${orders}`);
  const stored = await storedBytes(plan.store);
  const answer: FilledStore = {
    orders,
    readP50Ms: percentile(reads, 0.5),
    readP99Ms: percentile(reads, 0.99),
    createP50Ms: percentile(creations, 0.5),
    createP99Ms: percentile(creations, 0.99),
    settleMs: settlingMs / PAYMENTS,
    tickMs: percentile(ticks, 0.5),
    cardsMs: percentile(cards, 0.5),
    chartsMs: percentile(charts, 0.5),
    serviceRequestsPerPayment: requests / PAYMENTS,
    serviceRequestsPerTick: tickRequests,
    heapBytes: heapBytes() - empty.heap,
    residentBytes: process.memoryUsage.rss(),
    storedBytes: stored === undefined ? undefined : stored - (empty.stored ?? 0),
  };
  process.send?.(answer);
}
process.disconnect();
process.exit(0);

/** Whole payments, one after the other. */
async function pay(name: string) {
  const before = shop.serviceRequests;
  let index = 0;
  const creations = await timed(PAYMENTS, () => shop.create(`payment-${name}-${index++}`));
  const [settlingMs = NaN] = await timed(1, () => shop.settleAll());
  return { creations, settlingMs, requests: shop.serviceRequests - before };
}

async function timed(times: number, run: () => Promise<unknown>): Promise<number[]> {
  const took: number[] = [];
  for (let time = 0; time < times; time++) {
    const start = performance.now();
    await run();
    took.push(performance.now() - start);
  }
  return took;
}

function heapBytes(): number {
  for (let times = 0; times < 3; times++) globalThis.gc?.();
  return process.memoryUsage().heapUsed;
}

async function storedBytes(of: StorePlan): Promise<number | undefined> {
  if (of.kind === 'memory') return undefined;
  if (of.kind === 'sqlite') {
    const files = [of.path, `${of.path}-wal`].filter((path) => existsSync(path));
    return files.reduce((sum, path) => sum + statSync(path).size, 0);
  }
  const pool = openPool(of);
  const { rows } = await pool.query<{ bytes: string }>(
    `select sum(pg_total_relation_size(format('%I.%I', schemaname, tablename)::regclass)) as bytes
       from pg_tables where schemaname = $1`,
    [of.connection.schema],
  );
  await pool.end();
  return Number(rows[0]?.bytes);
}
