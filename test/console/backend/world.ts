import type { TestContext } from 'vitest';
import { type Console, createConsole } from '../../../src/console.js';
import type { Listed } from '../../../src/contract/merchant/console.js';
import { createSandbox, manualClock } from '../../../src/sandbox.js';
import { memoryStore, type MerchantOrder } from '../../../src/server.js';
import { settle } from '../../server/turns.js';
import { cleanup } from '../../support/cleanup.js';
import { createKit, eventsTo, sandboxClient } from '../../support/kit.js';
import './shared-keys.js';

/** The console's backend with a kit and a sandbox behind it, in one process and on a clock that the test holds. */

export const SITE = 'http://shop.test';
export const TOKEN = 'the token that the terminal shows';
const SERVICE = 'http://127.0.0.1:4010';
export const CUSTOMER = {
  name: 'Persona de Prueba',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'persona@correo.test',
} as const;
/** To the customer's own key: a document is one. */
export const PAYOUT = {
  amountInCents: 15_000_000,
  keyString: CUSTOMER.idNumber,
  inlineCustomer: CUSTOMER,
};

type Network = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

export async function openConsoleWorld(t: TestContext) {
  const clock = manualClock();
  const orders = new Map<string, MerchantOrder>();
  const store = memoryStore();
  let network: Network = (request, next) => next(request);
  const sent: string[] = [];
  const told: string[] = [];

  const sandbox = createSandbox({
    seed: 7,
    clock,
    autoOutcome: 'never',
    publicUrl: SERVICE,
    webhooks: eventsTo(`${SITE}/checkout`),
    send: (request) => checkout.fetch(request),
  });
  const service = sandboxClient({
    baseUrl: SERVICE,
    clock,
    fetch(request) {
      sent.push(`${request.method} ${new URL(request.url).pathname}`);
      return network(request, (each) => sandbox.fetch(each));
    },
  });
  const checkout = createKit({
    service,
    store,
    clock,
    merchant: { name: 'Café Andino', taxId: '900373913-4', supportEmail: 'pagos@cafeandino.test' },
    methods: [{ rail: 'BRE_B' }],
    findOrder: (id) => orders.get(id) ?? null,
    publicUrl: `${SITE}/checkout`,
    onConfirmed: ({ order }) => void told.push(order),
  });
  const stopWork = checkout.work();
  const open = (): Console =>
    createConsole({
      checkout,
      service,
      store,
      secret: TOKEN,
      name: 'Café Andino',
      basePath: '/console',
      secure: false,
      siteUrl: SITE,
      sandboxUrl: SERVICE,
      clock,
    });
  let merchant = open();
  cleanup(t, async () => {
    merchant.close();
    await stopWork();
    await checkout.close();
    sandbox.close();
  });

  const world = {
    clock,
    sandbox,
    engine: sandbox.engine,
    store,
    /** The orders that onConfirmed was called for. */
    told,
    /** The shop has an order of this price now. */
    place(more: Partial<MerchantOrder> = {}): string {
      const id = `A-${orders.size + 1}`;
      orders.set(id, { amountInCents: 2_360_000, ...more });
      return id;
    },
    checkout,
    service,
    /** What was asked of the payment service. */
    sent,
    get merchant() {
      return merchant;
    },
    /** Stands between the merchant and the service from now on. */
    cutIn(next: Network) {
      network = next;
    },
    /** A new console on the same data: nothing of the old one is awaited. */
    restart() {
      merchant = open();
    },
    /** Lets happen what can, webhooks and what they cause included. */
    async settled(): Promise<void> {
      for (let turn = 0; turn < 5; turn++) {
        await clock.advance(1, () => settle());
        await sandbox.engine.idle();
        await checkout.idle();
      }
    },
    signIn: (): Promise<Visitor> => Visitor.signIn(world),
  };
  return world;
}

export type ConsoleWorld = Awaited<ReturnType<typeof openConsoleWorld>>;

interface Reachable {
  readonly merchant: Console;
}

/** Somebody's browser: keeps the cookie, sends what a page of the site sends. */
export class Visitor {
  readonly #world: Reachable;
  readonly cookie: string;
  readonly csrf: string;

  private constructor(world: Reachable, cookie: string, csrf: string) {
    this.#world = world;
    this.cookie = cookie;
    this.csrf = csrf;
  }

  static async signIn(world: Reachable): Promise<Visitor> {
    const stranger = new Visitor(world, '', '');
    const answer = await stranger.ask('POST', '/session', { token: TOKEN });
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? '';
    const { csrf } = (await answer.json()) as { csrf: string };
    return new Visitor(world, cookie, csrf);
  }

  static stranger(world: Reachable): Visitor {
    return new Visitor(world, '', '');
  }

  ask(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | null> = {},
    signal?: AbortSignal,
  ): Promise<Response> {
    const all = {
      host: 'shop.test',
      cookie: this.cookie,
      ...(method === 'GET'
        ? {}
        : { origin: SITE, 'content-type': 'application/json', 'x-console-csrf': this.csrf }),
      ...headers,
    };
    const given = Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]);
    return this.#world.merchant.fetch(
      new Request(`${SITE}/console/api${path}`, {
        method,
        headers: given,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        ...(signal ? { signal } : {}),
      }),
    );
  }

  /** The answer's body, whatever its status. */
  async get<Answer>(path: string): Promise<Answer> {
    return (await (await this.ask('GET', path)).json()) as Answer;
  }

  /** The rows of a list. */
  async list<Row>(path: string): Promise<readonly Row[]> {
    return (await this.get<Listed<Row>>(path)).rows;
  }

  async post<Answer>(path: string, body: unknown = {}): Promise<Answer> {
    return (await (await this.ask('POST', path, body)).json()) as Answer;
  }
}

/** A payer asks for a Bre-B QR to pay an order with, or for a link. */
export async function startPayment(
  { checkout }: ConsoleWorld,
  order: string,
  more: object = {},
  what: 'payins' | 'payment-links' = 'payins',
): Promise<void> {
  await checkout.fetch(
    new Request(`${SITE}/checkout/${what}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        origin: SITE,
        'idempotency-key': 'a-key-of-this-test-01',
      },
      body: JSON.stringify({
        order: await checkout.orderToken(order),
        ...(what === 'payins' && { rail: 'BRE_B', breb: { keyType: 'QR_CODE' } }),
        callbackUrl: SITE,
        ...more,
      }),
    }),
  );
}
