import type { Attempt, LinkAttempt, Offer, PayinAttempt, Problem } from '../../src/contract/backend.js';
import { createSandbox, manualClock, type SandboxOptions } from '../../src/sandbox.js';
import {
  type Checkout,
  type CheckoutOptions,
  type Clock,
  type LogEntry,
  memoryStore,
  type MerchantOrder,
  type Store,
} from '../../src/server.js';
import { createKit, eventsTo, sandboxClient, WEBHOOK } from '../support/kit.js';
import { settle } from './turns.js';

export const SHOP = 'https://shop.test';
export const BACKEND = `${SHOP}/checkout`;
export const CUSTOMER = {
  name: 'Ana María Pérez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@correo.test',
} as const;

/** A payin without a code, which the sandbox draws for ten milliseconds: for the orders of a crowd. */
export const KEY_ONLY = { breb: { keyType: 'SINGLE_USE' } } as const;

/** So many orders, `order-0` and on, that are paid by a key alone. */
export const crowdOf = (count: number): Record<string, MerchantOrder> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [
      `order-${index}`,
      { amountInCents: 500_000, methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }] },
    ]),
  );

/** An answer whose body is looked at as whatever the test expects it to be. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly attempt: PayinAttempt;
  readonly link: LinkAttempt;
  readonly offer: Offer;
  readonly problem: Problem;
}

/** What a hook was told. */
export interface Told {
  readonly hook: string;
  readonly key: string;
  readonly order: string;
  readonly attempt: string;
  readonly reference: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly confirmedAmountInCents: number | null;
  readonly orderAmountInCents: number;
  readonly paidInCents: number;
  readonly excessInCents?: number;
  readonly errorCode: string | null;
  readonly late: boolean;
  readonly report?: string;
  readonly detail?: string;
  readonly settledBy?: string;
  readonly verified?: boolean;
}

export interface WorldOptions {
  readonly store?: Store;
  /** One for each instance, all on the same database; `store` is the first of them then. */
  readonly stores?: readonly [Store, ...Store[]];
  readonly sandbox?: SandboxOptions;
  readonly options?: Partial<CheckoutOptions>;
  readonly orders?: Readonly<Record<string, MerchantOrder>>;
  /** Several instances share the store and the sandbox. */
  readonly instances?: number;
  /** The clock of each instance and of its client of the service, made from the world's; that one itself when absent. */
  readonly clocks?: (clock: Clock, instance: number) => Clock;
  /** False leaves background work to the test. */
  readonly work?: boolean;
  /** Stands between kit and sandbox. */
  readonly network?: (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;
  /** Stands between sandbox and kit. */
  readonly webhooks?: (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;
}

/** A shop, its checkout and a sandbox in one process, with a clock that the test holds in its hands. */
/** One of the world's instances, the first unless said. */
export function checkoutOf({ checkouts }: World, instance = 0): Checkout {
  const checkout = checkouts[instance];
  if (checkout === undefined) throw new Error('A world has a checkout');
  return checkout;
}

export async function openWorld(given: WorldOptions = {}) {
  const clock = manualClock();
  const store = given.stores?.[0] ?? given.store ?? memoryStore();
  const stores = given.stores ?? Array.from({ length: given.instances ?? 1 }, () => store);
  const orders = new Map(Object.entries(given.orders ?? { 'order-1': { amountInCents: 5_000_000 } }));
  const told: Told[] = [];
  const logged: LogEntry[] = [];
  const checkouts: Checkout[] = [];
  let turn = 0;

  const deliver = (request: Request) => pick().fetch(request);
  const sandbox = createSandbox({
    seed: 7,
    clock,
    autoOutcome: 'never',
    publicUrl: 'https://service.test',
    webhooks: eventsTo(BACKEND),
    send: (request) => (given.webhooks === undefined ? deliver(request) : given.webhooks(request, deliver)),
    ...given.sandbox,
  });
  const reach = (request: Request) => sandbox.fetch(request);
  const requests: string[] = [];
  const clientOn = (ownClock: Clock) =>
    sandboxClient({
      clock: ownClock,
      random: () => 0,
      fetch(request) {
        requests.push(`${request.method} ${new URL(request.url).pathname}`);
        return given.network === undefined ? reach(request) : given.network(request, reach);
      },
    });
  const sharedClient = clientOn(clock);
  const tell = (hook: string) => (notice: object) => {
    told.push({ hook, ...notice } as Told);
  };
  for (const [instance, each] of stores.entries()) {
    const ownClock = given.clocks?.(clock, instance) ?? clock;
    checkouts.push(
      createKit({
        service: ownClock === clock ? sharedClient : clientOn(ownClock),
        store: each,
        clock: ownClock,
        merchant: { name: 'Tienda', taxId: '900123456-8', supportEmail: 'ayuda@tienda.test' },
        methods: [{ rail: 'BRE_B' }, { rail: 'PSE' }, { kind: 'PAYMENT_LINK' }],
        findOrder: (id) => orders.get(id) ?? null,
        publicUrl: BACKEND,
        rateLimits: { createsPerOrder: 100_000, createsPerClient: 100_000, createsOverall: 100_000 },
        log: (entry) => logged.push(entry),
        onConfirmed: tell('onConfirmed'),
        onDeclined: tell('onDeclined'),
        onCanceled: tell('onCanceled'),
        onDuplicatePayment: tell('onDuplicatePayment'),
        onAmountMismatch: tell('onAmountMismatch'),
        onChargeback: tell('onChargeback'),
        onPayout: tell('onPayout'),
        onRefunded: tell('onRefunded'),
        onPayoutFailed: tell('onPayoutFailed'),
        onReport: tell('onReport'),
        ...given.options,
      }),
    );
  }
  function pick(): Checkout {
    turn += 1;
    const checkout = checkouts[turn % checkouts.length];
    if (checkout === undefined) throw new Error('A world has at least one checkout');
    return checkout;
  }
  if (given.work !== false) for (const checkout of checkouts) checkout.work();

  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await pick().fetch(new Request(BACKEND + path, init));
    const text = await response.text();
    const body = (text === '' ? {} : JSON.parse(text)) as Attempt & Offer & Problem;
    const { status, headers } = response;
    const [attempt, link] = [body as PayinAttempt, body as LinkAttempt];
    return { status, headers, text, attempt, link, offer: body, problem: body };
  };
  let keys = 0;
  const post = (path: string, body: object, headers: Record<string, string> = {}) =>
    send(path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: SHOP,
        'idempotency-key': `key-of-the-test-${String(++keys).padStart(6, '0')}`,
        ...headers,
      },
      body: JSON.stringify(body),
    });
  const token = (order = 'order-1') => checkouts[0]?.orderToken(order) ?? Promise.reject(new Error('none'));
  const base = async (order?: string) => ({ order: await token(order), callbackUrl: `${SHOP}/gracias` });

  return {
    clock,
    store,
    sandbox,
    engine: sandbox.engine,
    service: sharedClient,
    checkouts,
    orders,
    told,
    logged,
    requests,
    send,
    post,
    token,
    get: (path: string) => send(path),
    offer: async (order?: string) => send(`/orders/${await token(order)}`),
    startBreb: async (more: object = {}, order?: string, headers?: Record<string, string>) =>
      post(
        '/payins',
        { ...(await base(order)), rail: 'BRE_B', breb: { keyType: 'QR_CODE' }, ...more },
        headers,
      ),
    startPse: async (more: object = {}, order?: string, headers?: Record<string, string>) =>
      post(
        '/payins',
        {
          ...(await base(order)),
          rail: 'PSE',
          pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
          inlineCustomer: CUSTOMER,
          ...more,
        },
        headers,
      ),
    startLink: async (more: object = {}, order?: string, headers?: Record<string, string>) =>
      post('/payment-links', { ...(await base(order)), ...more }, headers),
    webhook: (body: unknown, headers: Record<string, string> = { [WEBHOOK.header]: WEBHOOK.secret }) =>
      send('/webhooks', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    /** The sandbox's payin behind an attempt. */
    payinOf: (reference: string) => {
      const payin = sandbox.engine.payins.find((each) => each.reference === reference);
      if (payin === undefined) throw new Error('The sandbox has no such payin');
      return payin;
    },
    settle,
    /** Lets time pass; everything that falls due happens at its own instant. */
    pass: (durationMs: number) => clock.advance(durationMs, settle),
    /** The same for long times and worlds without background work: a schedule ticks at every step. */
    passByTicks: async (durationMs: number, stepMs: number) => {
      for (let passedMs = 0; passedMs < durationMs; passedMs += stepMs) {
        await clock.advance(stepMs, settle);
        await pick().tick();
      }
    },
    /** Waits for what is under way: a database answers over a socket, and no time must pass for it meanwhile. */
    idle: async () => {
      await sandbox.engine.idle();
      for (const checkout of checkouts) await checkout.idle();
    },
    close: async () => {
      sandbox.close();
      let closed = false;
      void Promise.all(checkouts.map((checkout) => checkout.close())).then(() => {
        closed = true;
      });
      // What waits for a time-out of the clock is let go by letting time pass.
      for (await settle(); !closed;) await clock.advance(5_000, settle);
      for (const each of new Set(stores)) await each.close();
    },
  };
}

export type World = Awaited<ReturnType<typeof openWorld>>;

/** Whether the kit asks the service for a page of its list of payins. */
export const asksForPayins = ({ method, url }: Request): boolean =>
  method === 'GET' && new URL(url).pathname === '/payins';

/** A page of that list with nothing on it; the last one where no cursor leads on. */
export function emptyPage(nextCursor: string | null): Response {
  const pageInfo = { hasNext: nextCursor !== null, nextCursor, hasPrevious: false, previousCursor: null };
  return Response.json({ data: [], pageInfo });
}
