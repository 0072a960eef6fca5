import { percentile } from './http-line.js';
import type { ServerPlan, Usage } from './plan.js';
import { type BenchService, openService } from './service.js';
import { row, type Row } from './table.js';
import { ServerUnderTest } from './under-test.js';
import { Payer, WAIT_SECONDS } from './waiting-payer.js';
import { keptWaitingMicros } from './weather.js';

const settlementsPerSecond = 50;
/** `BENCH_SECONDS=5` for a quick look; a p99 needs more. */
export const settlingSeconds = Number(process.env['BENCH_SECONDS'] ?? 30);
const settlements = settlingSeconds * settlementsPerSecond;
/** Settled first and not counted: a server that serves payers has been compiled. */
const warmUps = 5 * settlementsPerSecond;
const mostKilobytes = 12;
/** Connections that are opened at once. */
const batchSize = 200;
const progressEveryMs = 5_000;
const calmMs = 5_000;
/** An answer that has not come by then does not come. */
const patienceMs = 60_000;

export interface WaitingPlan {
  readonly name: string;
  readonly waiting: number;
  /** Undefined for what is measured only to compare with. */
  readonly goalP99Ms: number | undefined;
  /** One server for each; they share a store. */
  readonly servers: readonly Omit<ServerPlan, 'serviceUrl' | 'orders'>[];
}

/**
 * Memory that became resident: for an idle connection, and on top of it for a payer who waits on it; beside it what of
 * the heap is in use for the latter, because a process may have had room before. What the servers
 * used of a core, and for how much of the time a server and the load were kept from theirs by other programs.
 */
export const WAITING_COLUMNS = [
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
];

/** Payers who wait while others are settled: what each costs, and how soon the settled one knows. */
export async function benchWaiting({ name, waiting, goalP99Ms, servers }: WaitingPlan): Promise<Row> {
  const say = (text: string) => console.error(`  ${name}, ${waiting} waiting: ${text}`);
  const service = await openService();
  const running: ServerUnderTest[] = [];
  const payers: Payer[] = [];
  const stopSaying = every(progressEveryMs, () => say(`${service.engine.payins.length} payments made`));
  try {
    for (const [index, server] of servers.entries()) {
      // The first makes all orders; the others find them in the store. Whoever was told takes the next one.
      const orders = index === 0 ? waiting + warmUps + settlements : 0;
      running.push(await ServerUnderTest.start({ ...server, serviceUrl: service.url, orders }, index));
    }
    stopSaying();
    const orders = running.flatMap((server) => server.seeded);
    const before = await memoryOf(running);
    for (let start = 0; start < waiting; start += batchSize) {
      const opened = orders.splice(0, Math.min(batchSize, waiting - start)).map((order, index) => {
        const port = running[index % running.length]?.port;
        if (port === undefined) throw new Error('No server is running');
        return Payer.open(port, order);
      });
      payers.push(...(await Promise.all(opened)));
    }
    const connected = await memoryOf(running);
    say('connected');
    for (const [index, payer] of payers.entries()) payer.wait(1 + (index % WAIT_SECONDS));
    await untilHeld(running, waiting);
    const held = await memoryOf(running);
    say('all are held');
    // real time: collecting all garbage stops a server for longer than anything else it does
    await pause(calmMs);
    const begun = { service, running, payers, orders, say };
    await settle(begun, warmUps);
    const { latencies, perSecond, core, keptWaiting } = await settle(begun, settlements);
    const each = (bytes: number) => bytes / 1024 / waiting;
    const connectionKilobytes = each(connected.resident - before.resident);
    const waiterKilobytes = each(held.resident - connected.resident);
    const heapKilobytes = each(held.heap - connected.heap);
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
    const countsMemory = waiting >= 1_000;
    const reached = (goal: number) =>
      p99 < goal && latencies.length === settlements && (!countsMemory || waiterKilobytes <= mostKilobytes);
    return row(
      [
        name,
        String(waiting),
        countsMemory ? connectionKilobytes.toFixed(1) : '',
        countsMemory ? waiterKilobytes.toFixed(1) : '',
        countsMemory ? heapKilobytes.toFixed(1) : '',
        `${latencies.length} of ${settlements}`,
        perSecond.toFixed(0),
        p50.toFixed(1),
        p99.toFixed(1),
        core,
        keptWaiting,
        goalP99Ms === undefined
          ? ''
          : `p99 < ${goalP99Ms} ms${countsMemory ? `, ≤ ${mostKilobytes} kB` : ''}`,
      ],
      goalP99Ms === undefined ? undefined : reached(goalP99Ms),
    );
  } finally {
    stopSaying();
    for (const payer of payers) payer.leave();
    for (const server of running) await server.stop();
    await service.close();
  }
}

interface Begun {
  readonly service: BenchService;
  readonly running: readonly ServerUnderTest[];
  readonly payers: readonly Payer[];
  /** Those that nobody waits for yet. */
  readonly orders: { id: string; reference: string; version: string }[];
  readonly say: (text: string) => void;
}

interface Settled {
  /** From the event leaving the service to the payer's answer, for each that was answered. */
  readonly latencies: readonly number[];
  readonly perSecond: number;
  readonly core: string;
  readonly keptWaiting: string;
}

/**
 * Settles one payment after the other and measures from its event to the waiting payer's answer. The payer then waits
 * for another order, so that as many wait at the end as at the start.
 */
async function settle({ service, running, payers, orders, say }: Begun, count: number): Promise<Settled> {
  const ids = new Map(service.engine.payins.map((payin) => [payin.reference, payin.id]));
  const sentAt = new Map<string, number>();
  const latencies: number[] = [];
  const queue = [...payers];
  service.onDelivery((reference) => {
    // An event that is not answered in time comes again; the first one counts.
    if (!sentAt.has(reference)) sentAt.set(reference, performance.now());
  });
  for (const payer of payers) {
    payer.onNews = (reference, at) => {
      latencies.push(at - (sentAt.get(reference) ?? NaN));
      const next = orders.pop();
      if (next === undefined) return;
      payer.waitFor(next);
      queue.push(payer);
    };
  }
  service.deliverTo(running.map((server) => server.port));
  const weatherBefore = await weather(running);
  const start = performance.now();
  const stopSaying = every(progressEveryMs, () => say(`${latencies.length} of ${count} answered`));
  for (let index = 0; index < count; index++) {
    const due = start + (index * 1_000) / settlementsPerSecond;
    // real time: settlements come at a steady rate
    await pause(Math.max(0, due - performance.now()));
    while (queue.length === 0) {
      // real time: everybody's event is under way, so the rate cannot be kept, which shows in how many a second it was
      await pause(1);
    }
    const { reference = '' } = queue.shift() ?? {};
    const id = ids.get(reference);
    if (id !== undefined) service.engine.settle(id, 'CONFIRMED');
    else void service.send(reference, JSON.stringify({ event: 'payin.confirmed', data: { reference } }));
  }
  const weatherAfter = await weather(running);
  const seconds = (performance.now() - start) / 1_000;
  const giveUpAt = performance.now() + patienceMs;
  while (latencies.length < count && performance.now() < giveUpAt) {
    // real time: the last answers are on their way
    await pause(50);
  }
  stopSaying();
  return {
    latencies: [...latencies],
    perSecond: count / seconds,
    ...compare(weatherBefore, weatherAfter, seconds),
  };
}

interface Weather {
  readonly servers: readonly Usage[];
  readonly loadMicros: number | undefined;
}

async function weather(running: readonly ServerUnderTest[]): Promise<Weather> {
  const servers = await Promise.all(running.map((server) => server.usage()));
  return { servers, loadMicros: keptWaitingMicros() };
}

function compare(
  before: Weather,
  after: Weather,
  seconds: number,
): { readonly core: string; readonly keptWaiting: string } {
  const share = (from: number | undefined, to: number | undefined) =>
    from === undefined || to === undefined ? '?' : `${Math.round((to - from) / seconds / 10_000)} %`;
  const pairs = after.servers.map((usage, index) => ({ usage, earlier: before.servers[index] }));
  return {
    core: pairs.map(({ usage, earlier }) => share(earlier?.cpuMicros, usage.cpuMicros)).join(' + '),
    keptWaiting: [
      ...pairs.map(({ usage, earlier }) => share(earlier?.keptWaitingMicros, usage.keptWaitingMicros)),
      `load ${share(before.loadMicros, after.loadMicros)}`,
    ].join(', '),
  };
}

interface Memory {
  readonly resident: number;
  readonly heap: number;
}

async function memoryOf(running: readonly ServerUnderTest[]): Promise<Memory> {
  const usages = await Promise.all(running.map((server) => server.usage({ collected: true })));
  return {
    resident: usages.reduce((sum, usage) => sum + usage.residentBytes, 0),
    heap: usages.reduce((sum, usage) => sum + usage.heapBytes, 0),
  };
}

/** Until nearly all are held at once; a few are always between two waits. */
async function untilHeld(running: readonly ServerUnderTest[], waiting: number): Promise<void> {
  for (;;) {
    const usages = await Promise.all(running.map((server) => server.usage()));
    if (usages.reduce((sum, usage) => sum + usage.held, 0) >= waiting * 0.95) return;
    // real time: requests take their time to arrive
    await pause(250);
  }
}

function every(intervalMs: number, run: () => void): () => void {
  const timer = setInterval(run, intervalMs);
  return () => clearInterval(timer);
}

function pause(delayMs: number): Promise<void> {
  // real time: what is measured happens in it
  return new Promise((resolve) => setTimeout(resolve, delayMs));
}
