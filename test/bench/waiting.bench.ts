import { getRequest, HttpLine, percentile } from './http-line.js';
import type { Seeded, ServerPlan } from './plan.js';
import { type BenchService, openService } from './service.js';
import { row, type Row } from './table.js';
import { ServerUnderTest } from './under-test.js';

const settlementsPerSecond = 50;
const settlingMs = 20_000;
const waitSeconds = 25;
const mostKilobytes = 12;

export interface WaitingPlan {
  readonly name: string;
  readonly waiting: number;
  readonly goalP99Ms: number;
  /** One server for each; they share a store. */
  readonly servers: readonly Omit<ServerPlan, 'serviceUrl' | 'orders' | 'app'>[];
}

/** Memory that became resident: for an idle connection, and on top of it for a payer who waits on it. */
export const WAITING_COLUMNS = [
  '',
  'waiting',
  'connection kB',
  'waiter kB',
  'answered',
  'p50 ms',
  'p99 ms',
  'goals',
];

/** Payers who wait while others are settled: what each costs, and how soon the settled one knows. */
export async function benchWaiting({ name, waiting, goalP99Ms, servers }: WaitingPlan): Promise<Row> {
  const service = await openService();
  const running: ServerUnderTest[] = [];
  const payers: Payer[] = [];
  try {
    for (const [index, server] of servers.entries()) {
      // The first makes all orders; the others find them in the store.
      const orders = index === 0 ? waiting : 0;
      const plan = { ...server, app: 'kit', serviceUrl: service.url, orders } as const;
      running.push(await ServerUnderTest.start(plan, index));
    }
    const seeded = running.flatMap((server) => server.seeded);
    const before = await resident(running);
    for (const batch of batches(seeded, 200)) {
      const opened = batch.map(async (each, index) => {
        const server = running[index % running.length];
        if (server === undefined) throw new Error('No server is running');
        const payer = new Payer(await HttpLine.open(server.port), server.port, each);
        await payer.look();
        return payer;
      });
      payers.push(...(await Promise.all(opened)));
    }
    const connected = await resident(running);
    for (const payer of payers) payer.wait();
    await untilHeld(running, waiting);
    const held = await resident(running);
    const latencies = await settle(service, running, payers);
    const connectionKilobytes = (connected - before) / 1024 / waiting;
    const waiterKilobytes = (held - connected) / 1024 / waiting;
    const [p50, p99] = [percentile(latencies, 0.5), percentile(latencies, 0.99)];
    const countsMemory = waiting >= 1_000;
    const expected = (settlementsPerSecond * settlingMs) / 1_000;
    const settled = Math.min(expected, waiting);
    return row(
      [
        name,
        String(waiting),
        countsMemory ? connectionKilobytes.toFixed(1) : '',
        countsMemory ? waiterKilobytes.toFixed(1) : '',
        `${latencies.length}/${settled}`,
        p50.toFixed(1),
        p99.toFixed(1),
        `p99 < ${goalP99Ms} ms${countsMemory ? `, ≤ ${mostKilobytes} kB` : ''}`,
      ],
      p99 < goalP99Ms && latencies.length === settled && (!countsMemory || waiterKilobytes <= mostKilobytes),
    );
  } finally {
    for (const payer of payers) payer.leave();
    for (const server of running) await server.stop();
    await service.close();
  }
}

/** Settles one payment after the other at the sandbox and measures from its event to the waiting payer's answer. */
async function settle(
  service: BenchService,
  running: readonly ServerUnderTest[],
  payers: readonly Payer[],
): Promise<number[]> {
  const byReference = new Map(payers.map((payer) => [payer.reference, payer]));
  const ids = new Map(service.engine.payins.map((payin) => [payin.reference, payin.id]));
  const answered: Promise<number>[] = [];
  service.onDelivery((reference) => {
    const payer = byReference.get(reference);
    // An event that is not answered in time comes again; the first one counts.
    if (payer === undefined || !byReference.delete(reference)) return;
    const sentAt = performance.now();
    answered.push(payer.news.then((at) => at - sentAt));
  });
  service.deliverTo(running.map((server) => server.port));
  const start = performance.now();
  const chosen = payers.slice(0, (settlementsPerSecond * settlingMs) / 1_000);
  for (const [index, payer] of chosen.entries()) {
    const due = start + (index * 1_000) / settlementsPerSecond;
    // real time: settlements come at a steady rate
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, due - performance.now())));
    service.engine.settle(ids.get(payer.reference) ?? '', 'CONFIRMED');
  }
  await service.engine.idle();
  return Promise.all(answered);
}

/** Asks again whenever the wait is over, as the widget does. */
class Payer {
  readonly reference: string;
  /** When the answer that tells of the outcome came. */
  readonly news: Promise<number>;
  readonly #port: number;
  readonly #seeded: Seeded;
  #line: HttpLine;
  #told: (at: number) => void = () => {};
  #left = false;

  constructor(line: HttpLine, port: number, seeded: Seeded) {
    this.#line = line;
    this.#port = port;
    this.#seeded = seeded;
    this.reference = seeded.reference;
    this.news = new Promise((resolve) => {
      this.#told = resolve;
    });
  }

  /** Reads once, which leaves an idle connection. */
  async look(): Promise<void> {
    await this.#line.ask(getRequest(`/payins/${this.#seeded.id}`));
  }

  wait(): void {
    this.#waitOn().catch((error: unknown) => {
      if (!this.#left) console.error('A payer was let down:', error);
    });
  }

  async #waitOn(): Promise<void> {
    let { version } = this.#seeded;
    while (!this.#left) {
      // A server closes connections that were idle for long.
      if (this.#line.closed) this.#line = await HttpLine.open(this.#port);
      const path = `/payins/${this.#seeded.id}?after=${version}&wait=${waitSeconds}`;
      const { status, body } = await this.#line.ask(getRequest(path));
      const at = performance.now();
      if (status !== 200) throw new Error(`Waiting was answered ${status}`);
      const answer = JSON.parse(body.toString()) as { status: string; version: string };
      if (answer.status === 'CONFIRMED') return this.#told(at);
      version = answer.version;
    }
  }

  leave(): void {
    this.#left = true;
    this.#line.close();
  }
}

async function resident(running: readonly ServerUnderTest[]): Promise<number> {
  const usages = await Promise.all(running.map((server) => server.usage({ collected: true })));
  return usages.reduce((sum, usage) => sum + usage.residentBytes, 0);
}

/** Until nearly all are held at once; a few are always between two waits. */
async function untilHeld(running: readonly ServerUnderTest[], waiting: number): Promise<void> {
  for (;;) {
    const usages = await Promise.all(running.map((server) => server.usage()));
    if (usages.reduce((sum, usage) => sum + usage.held, 0) >= waiting * 0.98) return;
    // real time: memory settles by itself
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

function* batches<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
