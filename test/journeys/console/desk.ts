import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildPage } from '../../../scripts/build/pages.js';
import { type Console, createConsole } from '../../../src/console.js';
import { listen, pageFiles } from '../../../src/node.js';
import { createSandbox, realClock, type Sandbox } from '../../../src/sandbox.js';
import { memoryStore, type MerchantOrder } from '../../../src/server.js';
import { skippingClock, type SkippingClock } from '../../../src/simulator/skipping-clock.js';
import { createKit, eventsTo, sandboxClient } from '../../support/kit.js';
import { Service } from './service.js';

/** A shop's console in this process, with its kit and the sandbox behind it, on a clock that can be moved ahead. */
export interface Desk {
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  readonly service: Service;
  readonly clock: SkippingClock;
  /** The address that signs in with the secret of now. */
  entry(): string;
  /** Opens the console with another secret, as a restart with another configuration does. */
  rotate(secret: string): void;
  /** The shop has an order of this price now. */
  place(amountInCents?: number): string;
  /** A payer asks for a way to pay an order; more than once they change it. Returns the payin's reference. */
  start(order: string, rail?: 'BRE_B' | 'PSE'): Promise<string>;
  /** The money of a payin arrives, and the kit knows it. */
  confirm(order: string, reference: string): Promise<void>;
  stop(): Promise<void>;
}

/** Noon in Colombia, a Wednesday: what happens within hours stays on its day. */
const START = Date.parse('2026-11-11T12:00:00-05:00');
const PERSON = {
  name: 'Persona de Prueba',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'persona@correo.example',
};

export async function openDesk(): Promise<Desk> {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-desk-'));
  await buildPage('console', folder);
  const real = realClock();
  const clock = skippingClock(real, START - real.now());
  const orders = new Map<string, MerchantOrder>();
  const current = new Map<string, string>();
  const store = memoryStore();
  const played = await listen({ fetch: (request) => sandbox.fetch(request) });
  const site = await listen({ fetch: (request, env) => answer(request, env) });
  const sandbox: Sandbox = createSandbox({
    clock,
    seed: 7,
    merchant: 'Café Andino',
    publicUrl: played.url,
    autoOutcome: 'never',
    timings: { pseUrlDelayMs: 10 },
    webhooks: eventsTo(`${site.url}/checkout`),
  });
  const service = sandboxClient({ baseUrl: played.url, clock });
  const checkout = createKit({
    service,
    store,
    clock,
    merchant: { name: 'Café Andino', supportEmail: 'pagos@cafeandino.example' },
    methods: [{ rail: 'BRE_B' }, { rail: 'PSE' }],
    findOrder: (id) => orders.get(id) ?? null,
    publicUrl: `${site.url}/checkout`,
    allowedReturnUrls: [site.url],
    metrics: ({ name }) => {
      if (name.startsWith('order.')) merchant.changed();
    },
  });
  const stopWork = checkout.work();
  let secret = 'the-first-secret-of-this-console-of-the-tests';
  const openConsole = (): Console =>
    createConsole({
      checkout,
      service,
      store,
      secret,
      clock,
      name: 'Café Andino',
      basePath: '/console',
      page: pageFiles('console', folder),
      secure: false,
      siteUrl: site.url,
      sandboxUrl: played.url,
    });
  let merchant = openConsole();
  const program = new Service(played.url);

  async function answer(request: Request, env: unknown): Promise<Response> {
    const { pathname } = new URL(request.url);
    return pathname.startsWith('/checkout/') ? checkout.fetch(request, env) : merchant.fetch(request, env);
  }

  return {
    siteUrl: site.url,
    sandboxUrl: played.url,
    service: program,
    clock,
    entry: () => `${site.url}/console/#entrada=${secret}`,
    rotate(next) {
      secret = next;
      merchant.close();
      merchant = openConsole();
    },
    place(amountInCents = 4_290_000) {
      const id = `A-${1042 + orders.size}`;
      orders.set(id, { amountInCents, description: 'Café molido, 500 g' });
      return id;
    },
    async start(order, rail = 'BRE_B') {
      const replaces = current.get(order);
      const response = await fetch(`${site.url}/checkout/payins`, {
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          origin: site.url,
          'idempotency-key': `start-of-${order}-${replaces ?? 'first'}`.slice(0, 64),
        },
        body: JSON.stringify({
          order: await checkout.orderToken(order),
          rail,
          ...(rail === 'PSE'
            ? { pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' }, inlineCustomer: PERSON }
            : { breb: { keyType: 'QR_CODE' } }),
          callbackUrl: site.url,
          ...(replaces !== undefined && { replaces }),
        }),
      });
      const attempt = (await response.json()) as { id: string; reference: string };
      if (!response.ok) throw new Error(`No payin for ${order}: ${JSON.stringify(attempt)}`);
      current.set(order, attempt.id);
      return attempt.reference;
    },
    async confirm(order, reference) {
      const paid = async () =>
        (await checkout.orders.show(order))?.attempts
          .flatMap(({ payments }) => payments)
          .filter((payment) => payment.confirmedAmountInCents !== null).length;
      const before = await paid();
      await program.settle('payins', reference, 'CONFIRMED');
      // real time: the webhook goes over HTTP
      while ((await paid()) === before) await new Promise((resolve) => setTimeout(resolve, 20));
    },
    async stop() {
      merchant.close();
      await stopWork();
      await checkout.close();
      sandbox.close();
      await Promise.all([played.close(), site.close()]);
      await store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
