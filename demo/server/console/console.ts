import { type Context, Hono } from 'hono';
import type { Clock } from '../../../src/sandbox.js';
import { ConsoleProblemError, createConsole } from '../../../src/console.js';
import type { Checkout } from '../../../src/server.js';
import { PSE_BANKS, type ServiceClient, type WebhookSecret } from '../../../src/service.js';
import { LINK_TABLES, openLinks } from './links.js';
import { Live } from './live.js';
import { type ControlApi, openLog } from './log.js';
import { openOrders } from './orders.js';
import { openPayins, readPayinQuery } from './payins.js';
import { openPayouts } from './payouts.js';
import { refusalOf } from './refusal.js';
import { openSubjects } from './subjects.js';
import { receiveWebhooks } from './webhooks.js';
import type { ShopDatabase } from '../database.js';
import type { openShop } from '../shop.js';

/**
 * What the demonstration adds to the merchant's console, behind its sign-in: the service's payins, payouts, links, the
 * sandbox's webhooks and the shop's orders. It holds the API key; the page never does. A file of this room is one thing
 * the console shows; personal data leaves it masked.
 */

export interface DemoConsoleOptions {
  readonly checkout: Checkout;
  readonly service: ServiceClient;
  readonly control: ControlApi;
  readonly database: ShopDatabase;
  readonly shop: ReturnType<typeof openShop>;
  /** Who has it may sign in. */
  readonly token: string;
  /** What the service sends with its events. */
  readonly webhook: WebhookSecret;
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  readonly clock?: Clock;
  /** Receives failures of background work, without personal data. */
  readonly log?: (message: string) => void;
}

export interface MerchantConsole {
  /** Answers what is under /console/api. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  /** Takes the service's events, for the console and for the checkout. */
  receive(request: Request): Promise<Response>;
  /** Something of the shop changed: open pages look again. */
  changed(): void;
  /** How many pages listen now. */
  readonly listeners: number;
  close(): Promise<void>;
}

const BASE_PATH = '/console';

export async function createDemoConsole(options: DemoConsoleOptions): Promise<MerchantConsole> {
  const { checkout, service, database, shop, token, siteUrl, sandboxUrl, clock } = options;
  for (const sql of LINK_TABLES) await database.run(sql);
  const now = () => clock?.now() ?? Date.now();
  const subjects = openSubjects({ checkout, database });
  const log = openLog({ control: options.control, subjectOf: subjects.ofEvent });
  const live = new Live({ revision: log.revision, ...(clock ? { clock } : {}) });
  const changed = () => live.changed();
  const payins = openPayins(service);
  const payouts = openPayouts(checkout, changed);
  const links = await openLinks({ service, checkout, database, now, changed });
  const orders = openOrders({ checkout, database, shop });

  const app = new Hono<{ Bindings: { readonly session: string } }>().basePath(`${BASE_PATH}/api`);
  const body = (context: Context) => context.req.json<unknown>().catch(() => null);

  app.get('/live', (context) => live.open(context.env.session, context.req.raw.signal));

  app.get('/payins', async (context) =>
    context.json(await payins.page(readPayinQuery(new URL(context.req.url).searchParams))),
  );
  app.get('/payins/:id', async (context) => {
    const payin = await payins.one(context.req.param('id'));
    const { paymentLinkId } = payin;
    const hasLinkPage = paymentLinkId !== null && (await subjects.hasLink(paymentLinkId));
    const order =
      (await checkout.orders.find(payin.id)) ?? (await checkout.orders.find(payin.reference)) ?? null;
    const refunds = order === null ? [] : await checkout.refunds.list(order);
    const returns = refunds.filter(
      ({ state, payment }) => state !== 'DRAFT' && (payment ?? payin.id) === payin.id,
    );
    const returnableInCents = await checkout.refunds.returnable({ payment: payin.id }).catch(() => 0);
    return context.json({ ...payin, order, returns, returnableInCents, hasLinkPage });
  });

  app.get('/payouts', async (context) => context.json(await payouts.list(context.req.query('from'))));
  // A key may be somebody's phone or document, so it is in no address.
  app.post('/keys', async (context) => context.json(await payouts.lookUp(await body(context))));
  app.post('/payouts', async (context) => context.json(await payouts.draft(await body(context)), 201));
  app.get('/payouts/:id', async (context) => context.json(await payouts.one(context.req.param('id'))));
  app.post('/payouts/:id/send', async (context) =>
    context.json(await payouts.send(context.req.param('id'), await body(context)), 202),
  );
  app.post('/payouts/:id/note', async (context) => {
    await payouts.setNote(context.req.param('id'), await body(context));
    return context.body(null, 204);
  });
  app.delete('/payouts/:id', async (context) => {
    await payouts.discard(context.req.param('id'));
    return context.body(null, 204);
  });

  app.get('/banks', (context) => context.json(PSE_BANKS.map(({ code, name }) => ({ code, name }))));
  app.get('/links', async (context) => context.json(await links.list(context.req.query('from'))));
  app.post('/links', async (context) => context.json(await links.create(await body(context)), 201));
  app.post('/links/:id/note', async (context) => {
    await links.setNote(context.req.param('id'), await body(context));
    return context.body(null, 204);
  });
  app.get('/links/:id', async (context) => context.json(await links.one(context.req.param('id'))));

  app.get('/events', async (context) => context.json(await log.events(context.req.queries('about'))));
  app.post('/deliveries/:id/resend', async (context) => {
    await log.resend(context.req.param('id'));
    return context.body(null, 204);
  });

  app.get('/orders', async (context) => context.json(await orders.list(context.req.query('from'))));
  app.get('/orders/:id', async (context) => context.json(await orders.one(context.req.param('id'))));

  app.notFound(() => new ConsoleProblemError('not_found').answer());
  // What is no refusal goes on to the console around it, which logs it and answers.
  app.onError((error) => {
    const refusal = refusalOf(error);
    if (!refusal) throw error;
    return refusal.answer();
  });
  const merchantConsole = createConsole({
    checkout,
    store: database.store,
    secret: token,
    name: 'Café Andino',
    basePath: BASE_PATH,
    secure: siteUrl.startsWith('https:'),
    now,
    ...(options.log && { log: options.log }),
    also: {
      sections: ['payins', 'payouts', 'links', 'webhooks', 'orders'],
      about: { live: true, siteUrl, sandboxUrl },
      fetch: async (request, { name }) => app.fetch(request, { session: name }),
      left: ({ name }) => live.close(name),
    },
  });

  return {
    fetch: (request, env) => merchantConsole.fetch(request, env),
    receive: receiveWebhooks({ checkout, links, webhook: options.webhook }),
    changed,
    get listeners() {
      return live.listeners;
    },
    async close() {
      live.close();
    },
  };
}
