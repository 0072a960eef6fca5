import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Listening, listen } from '../../../src/node.js';
import { createSandbox } from '../../../src/sandbox.js';
import { type Checkout, memoryStore } from '../../../src/server.js';
import { createKit, eventsTo, sandboxClient } from '../../support/kit.js';
import type { Built } from './builds.js';
import type { RunningBrowser, Tab } from './engines.js';
import { page } from './page.js';
import { Payer } from './payer.js';

export interface Visit {
  /** The order of somebody who is here already; a new one when absent. */
  readonly order?: string | null;
  /** A backend that answers at once whatever it is asked to wait. */
  readonly impatient?: boolean;
  /** The page's clock runs so many times faster. Only with an impatient backend: others have clocks of their own. */
  readonly speed?: number;
  /** After the page's path: a query or a hash of its own. */
  readonly tail?: string;
}

/** Where a payment is played: a page, its backend and the payment service, and what may happen to them. */
export interface Stage {
  newOrder(): Promise<string>;
  /** Opens the checkout's page in a new tab. */
  arrives(visit?: Visit): Promise<Payer>;
  /** Opens another address in a new tab. */
  opens(url: string): Promise<Payer>;
  /** The payment service learns how it ended. */
  decides(reference: string, outcome: 'CONFIRMED' | 'DECLINED' | 'CANCELED'): void;
  /** It was paid with another amount. */
  receives(reference: string, amountInCents: number): void;
  /** How many payments were created at the service, for all orders. */
  payins(): number;
  /** Between browser and backend. */
  cuts(): void;
  mends(): void;
  /** Holds the answers to creates until the answer is called. */
  holdsCreates(): () => void;
  stopsBackend(): Promise<void>;
  startsBackend(): void;
  /** The clocks of backend and service jump ahead. */
  passes(ms: number): void;
  /** Requests of browsers so far, as `METHOD /path`. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** A stage whose files may be lost. */
export interface Site extends Stage {
  /** Files of the widget with such a name are lost on their way, until it delivers again. */
  loses(name: RegExp, how: Loss): void;
  delivers(): void;
  /** Files of the widget that browsers asked for so far. */
  readonly files: readonly string[];
}

/** What becomes of a file: a server that is too busy, a connection that ends in the middle, one that ends at once. */
export type Loss = '503' | 'cut' | 'refused';

/** Kit and sandbox behind real HTTP servers, in this process, with a browser in front of them. */
export async function openStage(browser: RunningBrowser, built: Built): Promise<Site> {
  const store = memoryStore();
  const requests: string[] = [];
  const tabs: Tab[] = [];
  const sockets = new Set<{ destroy(): void }>();
  const files: string[] = [];
  let lost: { readonly name: RegExp; readonly how: Loss } | null = null;
  let skewMs = 0;
  let cut = false;
  let createsMayGo: Promise<void> | undefined;
  let orders = 0;
  let stopWork: (() => Promise<void>) | undefined;
  let checkout: Checkout | undefined;

  const clock = {
    now: () => Date.now() + skewMs,
    setTimer: (delayMs: number, fn: () => void) => {
      const timer = setTimeout(fn, delayMs);
      return () => clearTimeout(timer);
    },
  };

  const site: Listening = await listen({ fetch: answer });
  const service: Listening = await listen({ fetch: (request): Promise<Response> => sandbox.fetch(request) });
  const sandbox = createSandbox({
    publicUrl: service.url,
    clock,
    autoOutcome: 'never',
    timings: { pseUrlDelayMs: 200, retryDelaysMs: [500, 1_000, 2_000, 4_000] },
    webhooks: eventsTo(`${site.url}/checkout`),
  });

  function startsBackend(): void {
    checkout = createKit({
      service: sandboxClient({ baseUrl: service.url }),
      store,
      clock,
      merchant: { name: 'Tienda de prueba', supportEmail: 'ayuda@tienda.example' },
      methods: [
        { rail: 'BRE_B', keyType: 'QR_CODE' },
        { rail: 'BRE_B', keyType: 'SINGLE_USE' },
        { rail: 'PSE' },
      ],
      findOrder: () => ({ amountInCents: 5_000_000, description: 'Un pedido' }),
      publicUrl: `${site.url}/checkout`,
      allowedReturnUrls: [site.url],
    });
    stopWork = checkout.work();
  }

  async function stopsBackend(): Promise<void> {
    const stopping = checkout;
    checkout = undefined;
    hangUp();
    await stopWork?.();
    await stopping?.close();
  }

  function hangUp(): void {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  }

  async function answer(request: Request, env: unknown): Promise<Response> {
    const url = new URL(request.url);
    const name = url.pathname.slice(1);
    const file = built.files.get(name);
    if (file !== undefined) {
      files.push(name);
      return lost?.name.test(name) ? lose(file, lost.how, env) : deliver(file);
    }
    const [, part] = url.pathname.split('/');
    if (part !== 'checkout' && part !== 'impatient') {
      return new Response(page(url, built.entry), {
        headers: { 'content-type': 'text/html; charset=utf-8' },
      });
    }
    const { socket } = (env as { incoming: { socket: { destroy(): void } } }).incoming;
    const isBrowser = !url.pathname.endsWith('/webhooks');
    if (isBrowser) requests.push(`${request.method} ${url.pathname}`);
    if (!checkout || (cut && isBrowser)) {
      socket.destroy();
      return new Response(null, { status: 503 });
    }
    if (isBrowser) sockets.add(socket);
    if (request.method === 'POST' && isBrowser) await createsMayGo;
    if (part === 'checkout') return checkout.fetch(request, env);
    const plain = new Request(site.url + url.pathname.replace(part, 'checkout'), request);
    const response = await checkout.fetch(plain, env);
    const text = (await response.text()).replace(/"waited":true,?/, '');
    return new Response(text, response);
  }

  const pageUrl = ({ order, impatient = false, speed = 1, tail = '' }: Visit): string => {
    const query = new URLSearchParams({ backend: impatient ? '/impatient' : '/checkout', speed: `${speed}` });
    if (order) query.set('order', order);
    return `${site.url}/pagar/${query.toString().replaceAll('&', '/')}${tail}`;
  };

  const opens = async (url: string) => {
    const tab = await browser.open();
    tabs.push(tab);
    await tab.goto(url);
    return new Payer(tab, built.agent);
  };
  const newOrder = () => checkout!.orderToken(`order-${++orders}-${site.port}`);
  const payinOf = (reference: string) => {
    const payin = sandbox.engine.payins.find((each) => each.reference === reference);
    if (!payin) throw new Error('The service has no such payin');
    return payin;
  };

  startsBackend();
  return {
    requests,
    files,
    loses: (name, how) => void (lost = { name, how }),
    delivers: () => void (lost = null),
    newOrder,
    opens,
    arrives: async (visit = {}) =>
      opens(pageUrl({ ...visit, order: visit.order === undefined ? await newOrder() : visit.order })),
    decides: (reference, outcome) => void sandbox.engine.decide(payinOf(reference).id, outcome),
    receives: (reference, confirmedAmountInCents) =>
      void sandbox.engine.settle(payinOf(reference).id, 'CONFIRMED', { confirmedAmountInCents }),
    payins: () => sandbox.engine.payins.length,
    cuts() {
      cut = true;
      hangUp();
    },
    mends: () => void (cut = false),
    holdsCreates() {
      let go = () => {};
      createsMayGo = new Promise((resolve) => (go = resolve));
      return () => {
        createsMayGo = undefined;
        go();
      };
    },
    stopsBackend,
    startsBackend,
    passes: (ms) => void (skewMs += ms),
    async close() {
      // One may have been closed by its payer.
      for (const tab of tabs) await tab.close().catch(() => undefined);
      await stopsBackend();
      sandbox.close();
      await Promise.all([site.close(), service.close()]);
      await store.close();
    },
  };
}

function deliver(file: string): Response {
  return new Response(file, { headers: { 'content-type': 'text/javascript' } });
}

function lose(file: string, how: Loss, env: unknown): Promise<Response> | Response {
  if (how === '503') return new Response('', { status: 503 });
  const { incoming, outgoing } = env as { incoming: IncomingMessage; outgoing: ServerResponse };
  if (how === 'refused') incoming.socket.destroy();
  else {
    outgoing.writeHead(200, { 'content-type': 'text/javascript', 'content-length': Buffer.byteLength(file) });
    outgoing.write(file.slice(0, file.length / 2), () => incoming.socket.destroy());
  }
  // Nobody is left to answer.
  return new Promise(() => undefined);
}
