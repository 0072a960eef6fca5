import { ORDERS_NEEDED } from '../../../src/cli/verify/plays.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import type { Level } from '../../../src/cli/verify/visit.js';
import type { CheckoutOptions } from '../../../src/server.js';
import { BACKEND, openWorld, SHOP } from '../../server/world.js';
import { WEBHOOK } from '../../support/kit.js';

/** The kit and a sandbox in this process, with what makes the backend wrong around the kit, on a clock of their own. */

export type Next = (request: Request) => Promise<Response>;
export type Around = (request: Request, next: Next) => Promise<Response>;

/** What is wrong with a backend: anything that can be put around the kit. */
export interface Wrong {
  /** Between pages or events and the kit. */
  readonly edge?: Around;
  /** Between the kit and the payment service. */
  readonly service?: Around;
  readonly options?: Partial<CheckoutOptions>;
}

/** What a fault may use. */
export interface Bench {
  readonly shop: Shop;
  token(order: string): Promise<string>;
  /** Of the time that the kit lives in. */
  pause(durationMs: number): Promise<void>;
}

export type Plant = (bench: Bench) => Wrong;

/** Where pages are that have another origin than the backend. */
export const PAGE_ORIGIN = 'https://pages.example';
const PRICE_IN_CENTS = 4_290_000;
const RAISED_IN_CENTS = 4_990_000;
const SHOP_SYSTEM = 'https://shop-system.test';
const SERVICE = 'https://service.test';
const NO_LIMITS = {
  createsPerOrder: Infinity,
  createsPerClient: Infinity,
  createsOverall: Infinity,
  offersPerClient: Infinity,
  refusedPerClient: Infinity,
  readsPerAttempt: Infinity,
};

export interface Setting {
  readonly level: Level;
  /** Pages have another origin. */
  readonly isElsewhere?: boolean;
  /** Payments are played out, each with an order of its own. */
  readonly isPlayed?: boolean;
}

/** The checks that fail for the kit with something wrong around it. */
export async function failuresOf(plants: readonly Plant[], { level, isElsewhere, isPlayed }: Setting) {
  const shop = createShop();
  const bench: Bench = {
    shop,
    token: (order) => world.token(order),
    pause: (durationMs) => new Promise((resolve) => void world.clock.setTimer(durationMs, resolve)),
  };
  const wrongs = plants.map((plant) => plant(bench));
  const edge = inTurn(wrongs.map((wrong) => wrong.edge));
  const orders = Array.from({ length: ORDERS_NEEDED }, (_, index) => `A-${index + 1}`);
  const world = await openWorld({
    orders: Object.fromEntries(orders.map((order) => [order, { amountInCents: PRICE_IN_CENTS }])),
    sandbox: { timings: { pseUrlDelayMs: 0, webhookGapMs: 50 } },
    webhooks: edge,
    network: inTurn(wrongs.map((wrong) => wrong.service)),
    options: {
      rateLimits: NO_LIMITS,
      allowedOrigins: isElsewhere === true ? [PAGE_ORIGIN] : [],
      onConfirmed: ({ order, key }) => shop.ship(order, key),
      onAmountMismatch: ({ order }) => shop.review(order),
      onDuplicatePayment: ({ order }) => shop.review(order),
      ...wrongs.reduce<Partial<CheckoutOptions>>((all, { options }) => ({ ...all, ...options }), {}),
    },
  });
  const ids = new Map<string, string>();
  for (const order of orders) ids.set(await world.token(order), order);
  const [kit] = world.checkouts;
  if (kit === undefined) throw new Error('A world has a checkout');

  const answer = async (request: Request): Promise<Response> => {
    const { origin, pathname } = new URL(request.url);
    if (origin === SERVICE) return world.sandbox.fetch(request);
    if (origin === SHOP) return edge(request, (passed) => kit.fetch(passed));
    const order = ids.get(decodeURIComponent(pathname.slice(1))) ?? '';
    if (request.method === 'POST' && shop.canRaise)
      world.orders.set(order, { amountInCents: RAISED_IN_CENTS });
    return Response.json(shop.record(order));
  };

  const [order = '', ...spareOrders] = ids.keys();
  const page = isElsewhere === true ? PAGE_ORIGIN : SHOP;
  const verified = verifyBackend({
    backend: BACKEND,
    order,
    spareOrders: isPlayed === true ? spareOrders : [],
    level,
    origin: page,
    callbackUrl: `${page}/gracias?x=1#pago`,
    webhook: WEBHOOK,
    sandbox: SERVICE,
    shop: `${SHOP_SYSTEM}/{order}`,
    ...(isPlayed === true ? { raise: `${SHOP_SYSTEM}/{order}` } : {}),
    fetch: (input, init) => answer(new Request(input, init)),
    pause: bench.pause,
    now: () => world.clock.now(),
  });
  let isOver = false;
  const over = verified.then(
    () => (isOver = true),
    () => (isOver = true),
  );
  // Time goes on when all that can happen without it has happened.
  for (await world.settle(); !isOver; await world.settle()) {
    const dueAtMs = world.clock.nextDueAtMs();
    if (dueAtMs !== undefined) await world.clock.advance(dueAtMs - world.clock.now());
  }
  await over;
  await world.close();
  return (await verified).filter(({ outcome }) => outcome === 'fail');
}

/** Each around the next; the last around the kit. */
function inTurn(arounds: readonly (Around | undefined)[]): Around {
  const [first, ...rest] = arounds;
  if (arounds.length === 0) return (request, next) => next(request);
  const inner = inTurn(rest);
  return first === undefined ? inner : (request, next) => first(request, (passed) => inner(passed, next));
}

/** A shop that remembers what it did about each order. */
function createShop() {
  const shipped = new Map<string, Set<string>>();
  const reviews = new Map<string, number>();
  return {
    /** Whether its price rises when it is told to. */
    canRaise: true,
    ship: (order: string, key: string) => void shipped.set(order, (shipped.get(order) ?? new Set()).add(key)),
    review: (order: string) => void reviews.set(order, (reviews.get(order) ?? 0) + 1),
    record: (order: string) => ({ shipped: shipped.get(order)?.size ?? 0, review: reviews.get(order) ?? 0 }),
  };
}

type Shop = ReturnType<typeof createShop>;
