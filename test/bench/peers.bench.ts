import { createHttpTransport } from '../../src/transport/http/http-transport.js';
import { later } from '../../src/transport/page.js';
import { createWatcher } from '../../src/transport/watcher.js';
import { openWorld } from '../server/world.js';
import { Widget } from '../transport/widget.js';
import { percentile } from './server/http-line.js';
import type { Section } from './report.js';
import { openService } from './server/service.js';
import { row, type Row, type Table } from './table.js';
import { ServerUnderTest } from './server/under-test.js';

/**
 * How others watch, as read from their sources, beside ours: all of them against the kit, in one run. A quarter of an
 * hour is played on the kit's own clock; how long an answer takes over HTTP is measured in real time.
 */
interface Peer {
  readonly name: string;
  /** From one poll to the next, by the time since the first. */
  readonly intervalMs: (ageMs: number, before: number) => number;
}

const PEERS: readonly Peer[] = [
  { name: 'Adyen: 2 s, 10 s after a minute', intervalMs: (ageMs) => (ageMs < 60_000 ? 2_000 : 10_000) },
  {
    name: 'Xendit: 5.3 s, growing by 6 %',
    intervalMs: (_, before) => (before === 0 ? 5_300 : before * 1.06),
  },
  { name: 'Hyperswitch: 2 s', intervalMs: () => 2_000 },
  { name: 'BTCPay without WebSocket: 2 s', intervalMs: () => 2_000 },
  { name: 'Reown: 3 s', intervalMs: () => 3_000 },
  { name: 'Primer: 1 s', intervalMs: () => 1_000 },
];

const QUARTER_MS = 15 * 60_000;
const HELD_MS = 25_000;
/** The payment may arrive at any of so many moments, evenly spread over the quarter of an hour. */
const MOMENTS = 1_000;
const HTTP_SAMPLES = 100;
const SETTLEMENTS_PER_SECOND = 5;

const GOALS = {
  waits: { requests: 40, p50Ms: 100, p99Ms: Infinity },
  polls: { requests: 80, p50Ms: Infinity, p99Ms: 15_000 },
} as const;

export async function benchPeers(): Promise<Section> {
  const answer = await overHttp();
  const table: Table = {
    title:
      `Watching for 15 minutes against the kit: requests (preflights counted), and from the webhook to ` +
      `payin-confirmed (${MOMENTS} moments; answers over HTTP: ${HTTP_SAMPLES} samples)`,
    columns: ['', 'requests', 'p50', 'p99', 'hidden: requests', 'p50', 'p99', 'goals'],
    rows: [],
  };
  for (const peer of PEERS) {
    // None of them looks at whether the page can be seen. Browsers slow timers of hidden pages; that is left out.
    const asked = await replay(peer);
    const delays = delaysOf(asked, 0, answer);
    const cells = [String(asked.length), seconds(delays, 0.5), seconds(delays, 0.99)];
    table.rows.push(row([peer.name, ...cells, ...cells, ''], undefined));
  }
  const fewest = Math.min(...table.rows.map(({ cells }) => Number(cells[1])));
  table.rows.push(await ours('ours, the backend waits', true, answer, fewest));
  table.rows.push(await ours('ours, it cannot wait', false, answer, Infinity));
  return { title: 'Watching, beside others', about: [], tables: [table] };
}

async function ours(name: string, canWait: boolean, answer: Answers, fewest: number): Promise<Row> {
  const goal = canWait ? GOALS.waits : GOALS.polls;
  const heldMs = canWait ? HELD_MS : 0;
  const visible = await watch(canWait, false);
  const hidden = await watch(canWait, true);
  const delays = delaysOf(visible.asked, heldMs, answer);
  const hiddenDelays = delaysOf(hidden.asked, heldMs, answer);
  const reached =
    visible.requests <= goal.requests &&
    visible.requests < fewest &&
    percentile(delays, 0.5) < goal.p50Ms &&
    percentile(delays, 0.99) <= goal.p99Ms;
  return row(
    [
      name,
      String(visible.requests),
      seconds(delays, 0.5),
      seconds(delays, 0.99),
      String(hidden.requests),
      seconds(hiddenDelays, 0.5),
      seconds(hiddenDelays, 0.99),
      canWait ? '≤ 40 and fewer than every peer, p50 < 0.1 s' : '≤ 80, p99 ≤ 15 s',
    ],
    reached,
  );
}

/** A quarter of an hour of a peer's polls, each answered by the kit. Gives when they were made. */
async function replay({ intervalMs }: Peer): Promise<number[]> {
  const world = await openWorld();
  try {
    const { attempt } = await world.startBreb();
    const startMs = world.clock.now();
    const asked: number[] = [];
    let intervalNowMs = 0;
    for (;;) {
      const ageMs = world.clock.now() - startMs;
      intervalNowMs = intervalMs(ageMs, intervalNowMs);
      if (ageMs + intervalNowMs > QUARTER_MS) return asked;
      await world.pass(intervalNowMs);
      asked.push(world.clock.now() - startMs);
      const { status } = await world.get(`/payins/${attempt.id}`);
      if (status !== 200) throw new Error(`A poll was answered ${status}`);
    }
  } finally {
    await world.close();
  }
}

interface Watched {
  /** All of it, from the offer on, with the preflight that the create costs across origins. */
  readonly requests: number;
  /** When the payment was read, from its creation on. */
  readonly asked: readonly number[];
}

/** The widget's own quarter of an hour. */
async function watch(canWait: boolean, hidden: boolean): Promise<Watched> {
  const world = await openWorld(canWait ? {} : { options: { maxWaiters: 0 } });
  try {
    const widget = new Widget(world, { order: await world.token() });
    await world.pass(100);
    const startMs = world.clock.now();
    const asked: number[] = [];
    widget.network = (request, next) => {
      if (request.method === 'GET') asked.push(world.clock.now() - startMs);
      return next(request);
    };
    widget.choose('BRE_B');
    await world.pass(50);
    widget.hidden = hidden;
    await world.pass(QUARTER_MS - 3_000);
    if (widget.phase !== 'paying') throw new Error(`The widget shows ${widget.phase}`);
    const requests =
      widget.requests.length + widget.requests.filter((each) => each.startsWith('POST')).length;
    widget.close();
    return { requests, asked };
  } finally {
    await world.close();
  }
}

/** What was measured over HTTP, in milliseconds. */
interface Answers {
  /** From the event leaving the service to the answer of a request that is held. */
  readonly news: readonly number[];
  /** A plain read. */
  readonly reads: readonly number[];
}

/** How long the payer waits for the news, for a payment at each of the moments. */
function delaysOf(asked: readonly number[], heldMs: number, { news, reads }: Answers): number[] {
  return Array.from({ length: MOMENTS }, (_, index) => {
    const atMs = ((index + 0.5) / MOMENTS) * (QUARTER_MS - 60_000);
    const newsMs = news[index % news.length] ?? NaN;
    if (asked.some((startMs) => startMs <= atMs && atMs < startMs + heldMs)) return newsMs;
    // The backend has to have heard before it is asked.
    const nextMs = asked.find((startMs) => startMs >= atMs + newsMs) ?? QUARTER_MS;
    return nextMs - atMs + (reads[index % reads.length] ?? NaN);
  });
}

const seconds = (delays: readonly number[], share: number) =>
  `${(percentile(delays, share) / 1_000).toFixed(2)} s`;

/** The widget's transport and watcher on real HTTP: from the event leaving the service to the answer being read. */
async function overHttp(): Promise<Answers> {
  const service = await openService();
  const server = await ServerUnderTest.start({
    app: 'kit',
    store: { kind: 'memory' },
    serviceUrl: service.url,
    orders: HTTP_SAMPLES,
  });
  const transport = createHttpTransport({
    backend: `http://127.0.0.1:${server.port}`,
  });
  const known = new Map<string, number>();
  const sent = new Map<string, number>();
  const watchers = server.seeded.map(({ id, reference, version }) => {
    const watcher = createWatcher(
      (target, options) => transport.read(target, options),
      {
        arrived(_, { status }) {
          if (status !== 'CONFIRMED') return;
          known.set(reference, performance.now());
          watcher.stop();
        },
        missing: () => {},
        failed: () => {},
      },
      {
        nowMs: () => Date.now(),
        after: later,
        random: Math.random,
        hidden: () => false,
        onWake: () => () => {},
      },
    );
    watcher.watch([{ kind: 'PAYIN', id, version }]);
    return watcher;
  });
  try {
    service.onDelivery((reference) => sent.has(reference) || sent.set(reference, performance.now()));
    service.deliverTo([server.port]);
    // real time: the watchers have to be waiting
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    for (const payin of service.engine.payins) {
      service.engine.settle(payin.id, 'CONFIRMED');
      // real time: settlements come at a steady rate
      await new Promise((resolve) => setTimeout(resolve, 1_000 / SETTLEMENTS_PER_SECOND));
    }
    for (let tries = 0; known.size < HTTP_SAMPLES && tries < 100; tries++) {
      // real time: the last answers are on their way
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    const news = [...known].map(([reference, atMs]) => atMs - (sent.get(reference) ?? NaN));
    const reads: number[] = [];
    const { signal } = new AbortController();
    for (const { id } of server.seeded) {
      const startMs = performance.now();
      await transport.read({ kind: 'PAYIN', id }, { signal });
      reads.push(performance.now() - startMs);
    }
    return { news, reads };
  } finally {
    for (const watcher of watchers) watcher.stop();
    await server.stop();
    await service.close();
  }
}
