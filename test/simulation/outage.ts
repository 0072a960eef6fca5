import type { Attempt } from '../../src/contract/backend.js';
import { TransportError } from '../../src/transport/port.js';
import { createWatcher } from '../../src/transport/watcher.js';
import { breb } from '../machine/fixtures.js';
import { chanceFrom } from '../support/torture.js';

/** A crowd of widgets whose backend goes away and comes back, on a clock of its own. */
export interface OutagePlan {
  readonly widgets: number;
  readonly canWait: boolean;
  readonly outageMs: number;
  readonly seed: number;
}

export interface OutageFigures {
  /** Requests a second before anything happened. */
  readonly steady: number;
  /** Requests in the busiest second, from the start of the outage on. */
  readonly peak: number;
  /** Requests a second after the first half minute of the outage, until its end. */
  readonly laterInOutage: number;
  /** From the end of the outage until a widget knows what happened meanwhile. */
  readonly upToDateP50Ms: number;
  readonly upToDateMaxMs: number;
}

const STEADY_MS = 40_000;
const FIRST_PART_MS = 30_000;
const AFTER_MS = 65_000;
const WAIT_MS = 25_000;
/** How long ago the oldest of them began to wait. */
const OLDEST_MS = 15 * 60_000;
const LATENCY_MS = 20;
/** What the backend can answer, as a multiple of the steady rate; more has to queue. */
const CAPACITY = 2.5;

export async function simulateOutage({
  widgets,
  canWait,
  outageMs,
  seed,
}: OutagePlan): Promise<OutageFigures> {
  const chance = chanceFrom(seed);
  const timers = new Timers();
  const startsMs = STEADY_MS;
  const endsMs = startsMs + outageMs;
  const requests: number[] = [];
  const upToDate = new Map<number, number>();
  const held = new Set<() => void>();
  const isDown = () => timers.nowMs >= startsMs && timers.nowMs < endsMs;
  // Something happened to every payment while nobody could be told.
  const before = breb({ version: 'before', waited: canWait });
  const after = breb({ version: 'after', waited: canWait });
  const truth = () => (timers.nowMs < startsMs ? before : after);
  const expectedPerSecond = widgets / (canWait ? 25 : 15);
  let freeMs = 0;

  /** One after the other: a backend that is asked more than it can answer answers late. */
  const queued = (work: () => void): void => {
    freeMs = Math.max(freeMs, timers.nowMs) + 1_000 / (expectedPerSecond * CAPACITY);
    timers.after(freeMs - timers.nowMs + LATENCY_MS, work);
  };

  const read = (widget: number, known: string | undefined, signal: AbortSignal): Promise<Attempt> => {
    requests.push(timers.nowMs);
    return new Promise((resolve, reject) => {
      const refuse = () => reject(new TransportError('NETWORK'));
      const answer = () => {
        held.delete(refuse);
        if (isDown()) return refuse();
        if (timers.nowMs >= endsMs && !upToDate.has(widget)) upToDate.set(widget, timers.nowMs - endsMs);
        resolve(truth());
      };
      signal.addEventListener('abort', () => held.delete(refuse));
      if (isDown()) return void timers.after(LATENCY_MS, refuse);
      held.add(refuse);
      queued(() => {
        if (isDown()) refuse();
        else if (canWait && known === truth().version) timers.after(WAIT_MS, answer);
        else answer();
      });
    });
  };

  for (let widget = 0; widget < widgets; widget++) {
    // It began long ago, at some time, and its next read falls anywhere within a turn.
    const beganMs = -chance() * OLDEST_MS;
    const firstMs = chance() * (canWait ? WAIT_MS : 15_000);
    let isNew = true;
    const watcher = createWatcher(
      (_, { after: known, signal }) => read(widget, known, signal),
      { arrived: () => undefined, missing: () => undefined, failed: () => undefined },
      {
        nowMs: () => (isNew ? beganMs : timers.nowMs),
        after: (delayMs, run) => timers.after(isNew ? firstMs : delayMs, run),
        random: chance,
        hidden: () => false,
        onWake: () => () => undefined,
      },
    );
    watcher.watch([{ kind: 'PAYIN', id: 'breb-1', version: 'before' }]);
    isNew = false;
  }
  // The moment the backend dies, every connection to it does.
  timers.after(startsMs, () => {
    for (const refuse of held) refuse();
    held.clear();
  });
  await timers.run(endsMs + AFTER_MS);

  const perSecond = (fromMs: number, toMs: number) =>
    (requests.filter((atMs) => atMs >= fromMs && atMs < toMs).length * 1_000) / (toMs - fromMs);
  const seconds = new Map<number, number>();
  for (const atMs of requests) {
    const second = Math.floor(atMs / 1_000);
    if (atMs >= startsMs) seconds.set(second, (seconds.get(second) ?? 0) + 1);
  }
  const delays = Array.from({ length: widgets }, (_, widget) => upToDate.get(widget) ?? Infinity);
  delays.sort((one, other) => one - other);
  return {
    steady: perSecond(STEADY_MS / 2, startsMs),
    peak: Math.max(...seconds.values()),
    laterInOutage: perSecond(startsMs + FIRST_PART_MS, endsMs),
    upToDateP50Ms: delays[Math.floor(widgets / 2)] ?? Infinity,
    upToDateMaxMs: delays.at(-1) ?? Infinity,
  };
}

/** Timers in buckets of a millisecond: with ten thousand of them, looking for the next one must cost nothing. */
class Timers {
  nowMs = 0;
  readonly #buckets = new Map<number, Set<() => void>>();

  readonly after = (delayMs: number, run: () => void): (() => void) => {
    const atMs = Math.ceil(this.nowMs + Math.max(0, delayMs));
    const bucket = this.#buckets.get(atMs) ?? new Set();
    this.#buckets.set(atMs, bucket);
    const once = () => run();
    bucket.add(once);
    return () => void bucket.delete(once);
  };

  async run(untilMs: number): Promise<void> {
    for (; this.nowMs <= untilMs; this.nowMs++) {
      for (let bucket = this.#buckets.get(this.nowMs); bucket; bucket = this.#buckets.get(this.nowMs)) {
        this.#buckets.delete(this.nowMs);
        for (const run of bucket) run();
        await new Promise<void>((resolve) => void setImmediate(resolve));
      }
    }
  }
}
