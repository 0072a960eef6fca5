import { readFileSync } from 'node:fs';
import { percentile } from './http-line.js';
import type { ServerPlan, Usage } from './plan.js';
import { type BenchService, openService } from './service.js';
import { ServerUnderTest } from './under-test.js';
import { Payer, WAIT_SECONDS } from './waiting-payer.js';
import { keptWaitingMicros } from '../weather.js';

export const SETTLEMENTS_PER_SECOND = 50;
/** Settled first and not counted: a server that serves payers has been compiled. */
const WARM_UPS = 5 * SETTLEMENTS_PER_SECOND;
/** Connections that are opened at once. */
const BATCH_SIZE = 200;
const PROGRESS_EVERY_MS = 5_000;
const CALM_MS = 5_000;
/** An answer that has not come by then does not come. */
const PATIENCE_MS = 60_000;

export interface CrowdPlan {
  readonly name: string;
  readonly waiting: number;
  /** How long payments are settled; a p99 needs half a minute. */
  readonly seconds: number;
  /** One server for each; they share a store. */
  readonly servers: readonly Omit<ServerPlan, 'serviceUrl' | 'orders'>[];
}

/** What a crowd cost. */
export interface Crowd {
  readonly settlements: number;
  readonly answered: number;
  /** From the event leaving the service to the payer's answer. */
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly settledPerSecond: number;
  /** Memory that became resident: for an idle connection, and on top of it for a payer who waits on it. */
  readonly connectionKilobytes: number;
  readonly waiterKilobytes: number;
  /** Of the latter what is in use on the heap, because a process may have had room before. */
  readonly waiterHeapKilobytes: number;
  /** What the service was asked while payments were settled, each second. */
  readonly serviceRequestsPerSecond: number;
  /** What each server used of a core. */
  readonly core: string;
  /** For how much of the time servers and load were kept from their cores by other programs. */
  readonly keptWaiting: string;
}

/** Payers who wait while others are settled: what each costs, and how soon the settled one knows. */
export async function measureCrowd({ name, waiting, seconds, servers }: CrowdPlan): Promise<Crowd> {
  const say = (text: string) => console.error(`  ${name}, ${waiting} waiting: ${text}`);
  const settlements = seconds * SETTLEMENTS_PER_SECOND;
  const service = await openService();
  const running: ServerUnderTest[] = [];
  const payers: Payer[] = [];
  const stopSaying = every(PROGRESS_EVERY_MS, () => say(`${service.engine.payins.length} payments made`));
  try {
    for (const [index, server] of servers.entries()) {
      // The first makes all orders; the others find them in the store. A payer who was answered takes the next one.
      const orders = index === 0 ? waiting + WARM_UPS + settlements : 0;
      running.push(await ServerUnderTest.start({ ...server, serviceUrl: service.url, orders }, index));
    }
    stopSaying();
    const orders = running.flatMap((server) => server.seeded);
    const before = await memoryOf(running);
    for (let start = 0; start < waiting; start += BATCH_SIZE) {
      const opened = orders.splice(0, Math.min(BATCH_SIZE, waiting - start)).map((order, index) => {
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
    await pause(CALM_MS);
    const begun = { service, running, payers, orders, say };
    await settle(begun, WARM_UPS);
    const settled = await settle(begun, settlements);
    const each = (bytes: number) => bytes / 1024 / waiting;
    return {
      settlements,
      answered: settled.latencies.length,
      p50Ms: percentile(settled.latencies, 0.5),
      p99Ms: percentile(settled.latencies, 0.99),
      settledPerSecond: settled.perSecond,
      connectionKilobytes: each(connected.resident - before.resident),
      waiterKilobytes: each(held.resident - connected.resident),
      waiterHeapKilobytes: each(held.heap - connected.heap),
      serviceRequestsPerSecond: settled.serviceRequestsPerSecond,
      core: settled.core,
      keptWaiting: settled.keptWaiting,
    };
  } finally {
    stopSaying();
    for (const payer of payers) payer.leave();
    for (const server of running) await server.stop();
    await service.close();
  }
}

/** Beside those of payers: the store's, the service's, the process's own. */
const OTHER_FILES = 500;

/** The largest crowd that one process may hold connections for; Linux alone tells. */
export function largestCrowd(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return limit === undefined ? Infinity : Number(limit) - OTHER_FILES;
  } catch {
    return Infinity;
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
  readonly serviceRequestsPerSecond: number;
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
  const askedBefore = service.requests;
  const start = performance.now();
  const stopSaying = every(PROGRESS_EVERY_MS, () => say(`${latencies.length} of ${count} answered`));
  for (let index = 0; index < count; index++) {
    const due = start + (index * 1_000) / SETTLEMENTS_PER_SECOND;
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
  const asked = service.requests - askedBefore;
  const giveUpAt = performance.now() + PATIENCE_MS;
  while (latencies.length < count && performance.now() < giveUpAt) {
    // real time: the last answers are on their way
    await pause(50);
  }
  stopSaying();
  return {
    latencies: [...latencies],
    perSecond: count / seconds,
    serviceRequestsPerSecond: asked / seconds,
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
