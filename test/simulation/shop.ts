import { type AttemptStatus, isPaid } from '../../src/contract/status.js';
import { type Engine, manualClock } from '../../src/sandbox.js';
import { createEngine } from '../../src/sandbox/service/engine.js';
import { type Checkout, memoryStore, type Store } from '../../src/server.js';
import { attemptStatus, type OrderRecord } from '../../src/server/orders/record.js';
import { recordIn } from '../../src/server/order-repository.js';
import { BACKEND, CUSTOMER, type Told } from '../server/world.js';
import { serviceOf, type ServiceWeather } from './service.js';
import { createKit, eventsTo } from '../support/kit.js';

const ORDER = 'order-1';
export const AMOUNT_IN_CENTS = 5_000_000;

/** What becomes of the service's events on their way to the kit. */
export type WebhookWeather = 'clear' | 'lost' | 'late' | 'twice' | 'refused';

export interface ShopOptions {
  readonly chance: () => number;
  /** False for a backend that answers at once, whatever it is asked to wait. */
  readonly canWait: boolean;
  readonly lifetimeMs: number;
  /** What stands between the kit and its store. */
  readonly wrapStore?: (store: Store) => Store;
}

const LATE_MS = 20_000;
const LATENCIES_MS = [5, 30, 120];

/** A merchant's backend that can die, and the service it asks: everything that is not in a browser. */
export class Shop {
  readonly clock = manualClock();
  readonly engine: Engine;
  readonly told: Told[] = [];
  /** `id status` of whatever a payer could have read at some time. */
  readonly said = new Set<string>();
  readonly faults: string[] = [];
  serviceWeather: ServiceWeather = 'clear';
  webhookWeather: WebhookWeather = 'clear';
  /** So many of the merchant's own handlers fail next. */
  failingHooks = 0;
  amountInCents = AMOUNT_IN_CENTS;
  restarts = 0;
  /** When the kit was last out of reach. */
  downMs = -Infinity;
  record: OrderRecord | undefined;
  readonly #options: ShopOptions;
  readonly #store = memoryStore();
  #kit: Instance | undefined;

  constructor(options: ShopOptions) {
    this.#options = options;
    this.engine = createEngine({
      seed: 7,
      clock: this.clock,
      autoOutcome: 'never',
      publicUrl: 'https://service.test',
      webhooks: eventsTo(BACKEND),
      send: (request) => this.#deliver(request),
    });
    this.start();
  }

  get version(): number {
    return this.record?.version ?? 0;
  }

  get isUp(): boolean {
    return this.#kit !== undefined;
  }

  orderToken(): Promise<string> {
    if (this.#kit === undefined) throw new Error('The kit is down');
    return this.#kit.checkout.orderToken(ORDER);
  }

  /** A new process on the same store. One that still runs finishes what it does, as in a rolling deployment. */
  start(): void {
    const old = this.#kit;
    if (old) {
      this.restarts += 1;
      void old.checkout.close();
    }
    this.#kit = this.#boot();
  }

  /** The process dies with all that it was doing. */
  crash(): void {
    this.restarts += 1;
    this.downMs = this.clock.now();
    this.#kit?.die();
    this.#kit = undefined;
  }

  /** From a browser to the kit. */
  async fetch(request: Request): Promise<Response> {
    if (this.#kit === undefined) {
      this.downMs = this.clock.now();
      throw new TypeError('connection refused');
    }
    return this.#kit.fetch(request);
  }

  /** Background work without a process: what is left after everybody has gone. */
  async tick(): Promise<void> {
    await this.#kit?.checkout.tick();
  }

  async stopWork(): Promise<void> {
    await this.#kit?.stopWork();
  }

  pause(durationMs: number): Promise<void> {
    return new Promise((resolve) => void this.clock.setTimer(durationMs, resolve));
  }

  latency(): Promise<void> {
    const { chance } = this.#options;
    return this.pause(LATENCIES_MS[Math.floor(chance() * LATENCIES_MS.length)] ?? 0);
  }

  close(): void {
    this.#kit?.die();
    this.engine.close();
  }

  #boot(): Instance {
    const { canWait, lifetimeMs, wrapStore = (store: Store) => store } = this.#options;
    const instance = new Instance(this.clock);
    const tell = (hook: string) => async (notice: object) => {
      if (this.failingHooks > 0) {
        this.failingHooks -= 1;
        throw new Error('The merchant has troubles of its own');
      }
      this.told.push({ hook, ...notice } as Told);
    };
    const checkout = createKit({
      service: serviceOf(this.engine, {
        weather: () => this.serviceWeather,
        latency: () => instance.whileAlive(this.latency()),
        pause: (durationMs) => instance.whileAlive(this.pause(durationMs)),
      }),
      store: instance.storeWhileAlive(wrapStore(this.#watched(this.#store))),
      clock: instance.clock,
      methods: [
        { rail: 'BRE_B', keyType: 'SINGLE_USE' },
        { rail: 'PSE', banks: [{ code: 'CO_BANCOLOMBIA', name: 'Bancolombia' }] },
        { kind: 'PAYMENT_LINK' },
      ],
      findOrder: () => ({ amountInCents: this.amountInCents, customer: CUSTOMER }),
      publicUrl: BACKEND,
      payinLifetimeMs: { BRE_B: lifetimeMs },
      rateLimits: { createsPerOrder: 100_000, createsPerClient: 100_000, createsOverall: 100_000 },
      ...(canWait ? {} : { maxWaiters: 0 }),
      onConfirmed: tell('onConfirmed'),
      onDeclined: tell('onDeclined'),
      onCanceled: tell('onCanceled'),
      onDuplicatePayment: tell('onDuplicatePayment'),
      onAmountMismatch: tell('onAmountMismatch'),
      onReport: tell('onReport'),
    });
    instance.run(checkout);
    return instance;
  }

  /** Looks at every write: what it says may be read from then on, and must be the service's word. */
  #watched(store: Store): Store {
    const update: Store['update'] = async (orderId, decide) => {
      let written: OrderRecord | undefined;
      const result = await store.update(orderId, (row) => {
        const decision = decide(row);
        written = decision.write && recordIn(decision.write.body as object);
        return decision;
      });
      if (written !== undefined) this.#wrote(written);
      return result;
    };
    return overriding(store, (name, method) => (name === 'update' ? update : method));
  }

  #wrote(record: OrderRecord): void {
    this.record = record;
    for (const attempt of record.attempts) {
      const status = attemptStatus(attempt);
      const name = `${attempt.id} ${status}`;
      if (this.said.has(name)) continue;
      this.said.add(name);
      for (const submission of attempt.submissions) {
        const truth = this.statusOf(submission.reference);
        const claims = submission.status === 'CONFIRMED' || submission.status === 'COMPLETED';
        if (claims && truth !== submission.status)
          this.faults.push(`the kit calls ${truth ?? 'nothing'} paid`);
      }
    }
  }

  /** The service's word on a payment. */
  statusOf(reference: string): AttemptStatus | undefined {
    const { payins, links } = this.engine;
    const payin = payins.find((each) => each.reference === reference && each.paymentLinkId === null);
    return (payin ?? links.find((each) => each.reference === reference))?.status;
  }

  isPaid(reference: string): boolean {
    const status = this.statusOf(reference);
    return status !== undefined && isPaid(status);
  }

  async #deliver(request: Request): Promise<Response> {
    const weather = this.webhookWeather;
    if (weather === 'lost') return new Response(null, { status: 200 });
    if (weather === 'refused') return new Response(null, { status: 500 });
    const again = weather === 'twice' ? request.clone() : undefined;
    await (weather === 'late' ? this.pause(LATE_MS) : this.latency());
    if (again) void this.latency().then(() => this.fetch(again).catch(() => undefined));
    return this.fetch(request);
  }
}

/** One process of the kit. Once dead it does nothing more, whatever it was in the middle of. */
class Instance {
  readonly clock;
  #checkout: Checkout | undefined;
  #stopWork: (() => Promise<void>) | undefined;
  #dead = false;
  readonly #connections = new Set<(error: Error) => void>();

  constructor(clock: Shop['clock']) {
    this.clock = {
      now: () => clock.now(),
      setTimer: (delayMs: number, run: () => void) => clock.setTimer(delayMs, () => this.#dead || run()),
    };
  }

  run(checkout: Checkout): void {
    this.#checkout = checkout;
    this.#stopWork = checkout.work();
  }

  get checkout(): Checkout {
    if (this.#checkout === undefined) throw new Error('Not started');
    return this.#checkout;
  }

  async stopWork(): Promise<void> {
    await this.#stopWork?.();
  }

  die(): void {
    this.#dead = true;
    for (const hangUp of this.#connections) hangUp(new TypeError('connection reset'));
  }

  fetch(request: Request): Promise<Response> {
    return new Promise((resolve, reject) => {
      const settle = (work: () => void) => {
        this.#connections.delete(reject);
        if (!this.#dead) work();
      };
      this.#connections.add(reject);
      this.checkout.fetch(request).then(
        (response) => settle(() => resolve(response)),
        (error: Error) => settle(() => reject(error)),
      );
    });
  }

  /** What comes back to a dead process never arrives. */
  whileAlive<Value>(value: Promise<Value>): Promise<Value> {
    const never = () => new Promise<never>(() => undefined);
    return value.then(
      (each) => (this.#dead ? never() : each),
      (error: unknown) => (this.#dead ? never() : Promise.reject(error as Error)),
    );
  }

  storeWhileAlive(store: Store): Store {
    return overriding(store, (name, method) => {
      if (name === 'subscribe') {
        return (orderId: string, changed: () => void) =>
          store.subscribe(orderId, () => this.#dead || changed());
      }
      return (...given: unknown[]) =>
        this.#dead ? new Promise(() => undefined) : this.whileAlive(method(...given) as Promise<unknown>);
    });
  }
}

type Method = (...given: never[]) => unknown;

/** Every method, held to be complete by the type: a store that lacks one is another store. */
const METHODS: Record<keyof Store, true> = {
  migrate: true,
  read: true,
  find: true,
  update: true,
  updateByKey: true,
  claim: true,
  claimOne: true,
  release: true,
  saveOrphan: true,
  takeOrphans: true,
  hit: true,
  count: true,
  subscribe: true,
  list: true,
  lines: true,
  sums: true,
  stats: true,
  purge: true,
  close: true,
};

/** The store with some of its methods replaced. */
export function overriding(
  store: Store,
  replace: (name: keyof Store, method: (...given: unknown[]) => unknown) => Method,
): Store {
  const methods = (Object.keys(METHODS) as (keyof Store)[]).map((name) => {
    const method = (...given: unknown[]): unknown =>
      Reflect.apply(store[name] as Method, store, given as never[]);
    return [name, replace(name, method)];
  });
  return Object.fromEntries(methods) as Store;
}
