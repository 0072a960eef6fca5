import type { PayinAttempt } from '../../../src/contract/backend.js';
import { type Clock, memoryStore, type Store } from '../../../src/server.js';
import { cheapenCrypto, seedCrypto } from '../../simulation/cheap-crypto.js';
import { overriding } from '../../simulation/shop.js';
import { chanceFrom } from '../../support/torture.js';
import { openWorld, type World } from '../world.js';

/**
 * The life of an order on a machine whose clock jumps, judged by the time that truly passes. The payment service has a
 * clock of its own, which is right.
 */

/** What is put in the place of a sound part, to see whether anybody notices. */
export interface Planted {
  readonly clock?: (clock: Clock) => Clock;
  readonly store?: (store: Store, wall: () => number) => Store;
}

export interface Life {
  readonly faults: readonly string[];
  /** What it consisted of. */
  readonly seen: ReadonlyMap<string, number>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const FURTHEST_MS = 10 * DAY_MS;
const STEPS = 14;
const LIFETIME_MS = 5 * MINUTE_MS;
const CREATES_A_MINUTE = 3;
const HELD_MS = 25 * SECOND_MS;
const PAUSES_MS = [0, 300, 2_000, 2_000, 8_000, 20_000, 45_000, 70_000, 6 * MINUTE_MS];

/** A held answer may come this much later, a failed hook and a payment be dealt with within so long. */
const HELD_LONGER_MS = 2 * SECOND_MS;
const RETRIED_WITHIN_MS = 5 * SECOND_MS;
/** Of true time: by an event, because a payer looks, or because the kit asks by itself at least every hour. */
const TOLD_WITHIN_MS = { event: 5 * SECOND_MS, watched: 40 * SECOND_MS, alone: HOUR_MS + MINUTE_MS };
/** A clock that was set back runs a little slower until the machine's has caught up. */
const SLOWEST_PACE = 0.98;

cheapenCrypto();

/** Streams and promises need no more, because nothing here leaves the thread. */
async function turn(): Promise<void> {
  for (let left = 3; left > 0; left--) await new Promise<void>((resolve) => void setImmediate(resolve));
}

export async function live(seed: number, planted: Planted = {}): Promise<Life> {
  const life = new ClockLife(seed, planted);
  try {
    await life.play();
  } finally {
    await life.close();
  }
  return life;
}

class ClockLife implements Life {
  readonly faults: string[] = [];
  readonly seen = new Map<string, number>();
  readonly #chance: () => number;
  readonly #planted: Planted;
  readonly #eventsArrive: boolean;
  readonly #isWatched: boolean;
  /** By how much the machine's clock is wrong, and how often it was set forward. */
  #offsetMs = 0;
  #forwards = 0;
  #world: World | undefined;
  #current: PayinAttempt | undefined;
  #createdMs = -Infinity;
  #over = false;
  #hookFails = false;
  /** Each notice fails at most once: after a second failure the kit rightly waits for longer. */
  readonly #failed = new Set<string>();
  readonly #told = new Map<string, boolean>();
  readonly #looks = new Map<string, Look>();

  constructor(seed: number, planted: Planted) {
    this.#chance = chanceFrom(seed);
    seedCrypto(this.#chance);
    this.#planted = planted;
    this.#eventsArrive = this.#chance() < 0.3;
    this.#isWatched = this.#chance() < 0.5;
    // Wrong from the start, or right until it jumps.
    if (this.#chance() < 0.5) this.#jump();
  }

  async play(): Promise<void> {
    const world = await this.#open();
    this.#world = world;
    await this.#create(world);
    if (this.#isWatched) void this.#watch(world);
    for (let step = 0; step < STEPS && this.faults.length === 0; step++) {
      await this.#step(world);
      await world.clock.advance(this.#oneOf(PAUSES_MS), turn);
    }
    this.#over = true;
    const lastMs = this.#eventsArrive ? TOLD_WITHIN_MS.event : TOLD_WITHIN_MS.alone;
    if (this.faults.length === 0) await world.clock.advance(lastMs + MINUTE_MS, turn);
    if (this.faults.length === 0) this.#compareBooks(world);
  }

  async close(): Promise<void> {
    this.#over = true;
    await this.#world?.close();
  }

  async #open(): Promise<World> {
    const wall = (clock: Clock) => () => clock.now() + this.#offsetMs;
    const store = memoryStore();
    let wallNow = () => 0;
    return openWorld({
      store: this.#planted.store?.(store, () => wallNow()) ?? store,
      clocks: (clock) => {
        wallNow = wall(clock);
        const jumping: Clock = {
          now: wallNow,
          monotonic: () => clock.now(),
          setTimer: (delayMs, run) => clock.setTimer(delayMs, run),
        };
        return this.#planted.clock?.(jumping) ?? jumping;
      },
      ...(this.#eventsArrive ? {} : { webhooks: async () => new Response(null, { status: 200 }) }),
      options: {
        maxAttempts: 50,
        payinLifetimeMs: { BRE_B: LIFETIME_MS },
        rateLimits: {
          createsPerOrder: CREATES_A_MINUTE,
          createsPerClient: Infinity,
          createsOverall: Infinity,
        },
        methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }],
        onConfirmed: (notice) => this.#hear(notice),
        onDuplicatePayment: (notice) => this.#hear(notice),
      },
    });
  }

  #step(world: World): Promise<void> | void {
    const drawn = this.#chance();
    if (drawn < 0.4) return this.#jump();
    if (drawn < 0.6) return this.#create(world);
    if (drawn < 0.9) return this.#pay(world);
    this.#hookFails = true;
  }

  /** By seconds or hours, seldom by days; forwards and backwards alike. */
  #jump(): void {
    const furthestMs = this.#oneOf([10 * SECOND_MS, 10 * MINUTE_MS, 6 * HOUR_MS, 6 * HOUR_MS, 5 * DAY_MS]);
    const byMs = Math.round((this.#chance() * 2 - 1) * furthestMs);
    if (Math.abs(this.#offsetMs + byMs) > FURTHEST_MS) return;
    this.#offsetMs += byMs;
    if (byMs > 0) this.#forwards += 1;
    this.#count(byMs > 0 ? 'set forward' : 'set back');
  }

  async #create(world: World): Promise<void> {
    const sinceMs = world.clock.now() - this.#createdMs;
    const replaces = this.#current === undefined ? {} : { replaces: this.#current.id, override: true };
    const { status, attempt } = await world.startBreb({ ...replaces, breb: { keyType: 'SINGLE_USE' } });
    this.#createdMs = world.clock.now();
    this.#count(status === 429 ? 'refused' : 'created');
    if (status === 429 && sinceMs > MINUTE_MS / SLOWEST_PACE)
      this.#fault(`the first create for ${sinceMs} ms was refused`);
    if (status < 300) {
      this.#current = attempt;
      this.#look(world, attempt);
    }
  }

  #pay(world: World): void {
    const open = world.engine.payins.filter(({ status }) => status === 'PENDING' || status === 'PROCESSING');
    const payin = open[Math.floor(this.#chance() * open.length)];
    if (payin === undefined) return;
    const { reference } = payin;
    const isShown = this.#current?.reference === reference;
    world.engine.settle(payin.id, 'CONFIRMED');
    this.#count('paid');
    const withinMs = this.#eventsArrive
      ? TOLD_WITHIN_MS.event
      : this.#isWatched && isShown
        ? TOLD_WITHIN_MS.watched
        : TOLD_WITHIN_MS.alone;
    // A payer who watches sees it, unless they turn to another attempt meanwhile.
    world.clock.setTimer(withinMs + RETRIED_WITHIN_MS, () => {
      if (this.#told.has(reference) || (withinMs === TOLD_WITHIN_MS.watched && !this.#watches(reference)))
        return;
      this.#fault(`a payment was not told ${withinMs} ms after it was made`);
    });
  }

  #watches(reference: string): boolean {
    return !this.#over && this.#current?.reference === reference;
  }

  #hear({ reference, late }: { readonly reference: string; readonly late: boolean }): void {
    if (this.#told.has(reference)) this.#fault('a payment was told twice');
    if (this.#hookFails && !this.#failed.has(reference)) {
      this.#hookFails = false;
      this.#failed.add(reference);
      this.#count('failed hooks');
      this.#world?.clock.setTimer(RETRIED_WITHIN_MS, () => {
        if (!this.#told.has(reference)) this.#fault('a hook that failed was not tried again in time');
      });
      throw new Error('not now');
    }
    this.#told.set(reference, late);
  }

  /** A payer who looks on and on. */
  async #watch(world: World): Promise<void> {
    while (!this.#over) {
      const asked = this.#current;
      if (asked === undefined) return;
      const sinceMs = world.clock.now();
      const version = this.#looks.get(asked.id)?.version ?? asked.version;
      const query = `after=${version}&wait=${HELD_MS / SECOND_MS}`;
      const { status, attempt } = await world.get(`/payins/${asked.id}?${query}`);
      const heldMs = world.clock.now() - sinceMs;
      this.#count('looks');
      if (heldMs > HELD_MS + HELD_LONGER_MS) this.#fault(`an answer was held for ${heldMs} ms`);
      if (status === 200) this.#look(world, attempt);
      else if (status !== 429) this.#fault(`a look was answered with ${status}`);
      // As the widget does.
      await new Promise<void>((resolve) => void world.clock.setTimer(SECOND_MS, resolve));
    }
  }

  /** What an answer says is left of the time to pay goes down with the time that passes, and with nothing else. */
  #look({ clock }: World, { id, version, expiresAt, now }: PayinAttempt): void {
    const look: Look = {
      atMs: clock.now(),
      leftMs: Date.parse(expiresAt ?? '') - Date.parse(now),
      forwards: this.#forwards,
      version,
    };
    const before = this.#looks.get(id);
    this.#looks.set(id, look);
    if (before === undefined) {
      if (Math.abs(look.leftMs - LIFETIME_MS) > HELD_LONGER_MS)
        this.#fault(`a new key is valid for ${look.leftMs} ms`);
      return;
    }
    const passedMs = look.atMs - before.atMs;
    const wentMs = before.leftMs - look.leftMs;
    if (wentMs < passedMs * SLOWEST_PACE - SECOND_MS)
      this.#fault(`of the time to pay only ${wentMs} ms went in ${passedMs} ms`);
    if (look.forwards === before.forwards && wentMs > passedMs + SECOND_MS)
      this.#fault(`of the time to pay ${wentMs} ms went in ${passedMs} ms`);
  }

  #compareBooks({ engine }: World): void {
    for (const { reference, status, createdAtMs, resultAtMs } of engine.payins) {
      const late = this.#told.get(reference);
      const isPaid = status === 'CONFIRMED';
      if (isPaid !== (late !== undefined))
        this.#fault(isPaid ? 'a payment was lost' : 'a payment was invented');
      if (!isPaid || resultAtMs === null) continue;
      const tookMs = resultAtMs - createdAtMs;
      if (Math.abs(tookMs - LIFETIME_MS) > HELD_LONGER_MS && late !== tookMs > LIFETIME_MS)
        this.#fault(`a payment made ${tookMs} ms after its key was ${late ? '' : 'not '}called late`);
    }
  }

  #oneOf(numbers: readonly number[]): number {
    return numbers[Math.floor(this.#chance() * numbers.length)] ?? 0;
  }

  #count(what: string): void {
    this.seen.set(what, (this.seen.get(what) ?? 0) + 1);
  }

  #fault(fault: string): void {
    this.faults.push(fault);
  }
}

interface Look {
  readonly atMs: number;
  readonly leftMs: number;
  readonly forwards: number;
  readonly version: string;
}

/** Mistakes that somebody could make with a clock, and the complaint that must come of each. */
export const DEFECTS: readonly (Planted & { readonly name: string; readonly complaint: RegExp })[] = [
  {
    name: 'a clock that stands still after it was set back',
    complaint: /only \d+ ms went|was held|not told|not tried again|was refused/,
    clock: (clock) => ({ ...clock, monotonic: () => 0 }),
  },
  {
    name: 'a monotonic clock in another unit',
    complaint: /ms went in/,
    clock: (clock) => ({ ...clock, monotonic: () => (clock.monotonic?.() ?? 0) * 1_000 }),
  },
  {
    name: 'waits that end by the wall clock',
    complaint: /was held|not told|not tried again/,
    clock: (clock) => ({
      ...clock,
      setTimer(delayMs, run) {
        const endsAt = clock.now() + delayMs;
        let cancel: () => void;
        const check = () => {
          if (clock.now() >= endsAt) run();
          else cancel = clock.setTimer(500, check);
        };
        cancel = clock.setTimer(Math.min(delayMs, 500), check);
        return () => cancel();
      },
    }),
  },
  {
    name: 'a store that looks for work by the wall clock',
    complaint: /not told|not tried again/,
    store: (store, wall) =>
      overriding(store, (name, method) =>
        name === 'claim'
          ? (_now: number, leaseMs: number, limit: number) => store.claim(wall(), leaseMs, limit)
          : method,
      ),
  },
];
