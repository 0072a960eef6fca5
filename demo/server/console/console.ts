import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Clock } from '../../../src/sandbox.js';
import type { PayoutNotice } from '../../../src/server.js';
import { PSE_BANKS, type ServiceClient } from '../../../src/service.js';
import { ConsoleError, refusalOf } from './http.js';
import { LINK_TABLES, openLinks } from './links.js';
import { Live } from './live.js';
import { type ControlApi, openLog } from './log.js';
import { openOrders } from './orders.js';
import { openPayins, readPayinQuery } from './payins.js';
import { openPayouts, PAYOUT_TABLES } from './payouts.js';
import {
  openSessions,
  requireCsrf,
  requireOwnPage,
  requireOwnReader,
  type Session,
  SESSION_TABLES,
} from './session.js';
import type { SessionView } from './views.js';
import type { ShopDatabase } from '../database.js';
import type { openShop } from '../shop.js';

/**
 * The backend of the merchant's console: signed in only, never cached. It holds the API key; the page never does. A file
 * of this room is one thing the console shows, with its JSON in `views.ts`; personal data leaves it masked.
 */

export interface ConsoleOptions {
  readonly service: ServiceClient;
  readonly control: ControlApi;
  readonly database: ShopDatabase;
  readonly shop: ReturnType<typeof openShop>;
  /** Who has it may sign in. */
  readonly token: string;
  readonly siteUrl: string;
  readonly sandboxUrl: string;
  readonly clock?: Clock;
  /** Receives failures of background work, without personal data. */
  readonly log?: (message: string) => void;
}

export interface MerchantConsole {
  /** Answers what is under /api/console. */
  fetch(request: Request): Promise<Response>;
  /** Something of the shop changed: open pages look again. */
  changed(): void;
  heardOfPayout(notice: PayoutNotice): Promise<void>;
  /** How many pages listen now. */
  readonly listeners: number;
  /** Resolves when no payout is being sent. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

const LARGEST_BODY_BYTES = 16_384;

export async function createConsole(options: ConsoleOptions): Promise<MerchantConsole> {
  const { service, database, shop, token, siteUrl, sandboxUrl, clock } = options;
  for (const sql of [...SESSION_TABLES, ...PAYOUT_TABLES, ...LINK_TABLES]) await database.run(sql);
  const now = () => clock?.now() ?? Date.now();
  const log = openLog(options.control);
  const live = new Live({ revision: log.revision, ...(clock ? { clock } : {}) });
  const changed = () => live.changed();
  const sessions = openSessions(database, { token, secure: siteUrl.startsWith('https:'), now });
  const payins = openPayins(service);
  const payouts = await openPayouts({ service, database, secret: token, now, changed });
  const links = await openLinks({ service, database, now, changed });
  const orders = openOrders(database, shop);

  const app = new Hono<{ Variables: { session: Session } }>().basePath('/api/console');
  const body = (context: Context) => context.req.json<unknown>().catch(() => null);
  const welcome = ({ csrf }: Session): SessionView => ({ csrf, siteUrl, sandboxUrl });

  app.use(async (context, next) => {
    if (context.req.method === 'GET') requireOwnReader(context.req.raw);
    else requireOwnPage(context.req.raw);
    await next();
    context.header('x-content-type-options', 'nosniff');
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
  });
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY_BYTES,
      onError: (context) => new ConsoleError('invalid_input').answer(context),
    }),
  );
  app.post('/session', async (context) => {
    const { token: given } = Object(await body(context)) as { token?: unknown };
    return context.json(welcome(await sessions.enter(context, given)));
  });
  app.use(async (context, next) => {
    const session = await sessions.require(context);
    if (context.req.method !== 'GET') requireCsrf(context.req.raw, session);
    context.set('session', session);
    await next();
  });

  app.get('/session', (context) => context.json(welcome(context.get('session'))));
  app.delete('/session', async (context) => {
    await sessions.leave(context, context.get('session'));
    live.close(context.get('session').name);
    return context.body(null, 204);
  });
  app.get('/live', (context) => live.open(context.get('session').name, context.req.raw.signal));

  app.get('/payins', async (context) =>
    context.json(await payins.page(readPayinQuery(new URL(context.req.url).searchParams))),
  );
  app.get('/payins/:id', async (context) => context.json(await payins.one(context.req.param('id'))));

  app.get('/payouts', async (context) => context.json(await payouts.list()));
  app.post('/payouts', async (context) => context.json(await payouts.draft(await body(context)), 201));
  app.get('/payouts/:id', async (context) => context.json(await payouts.one(context.req.param('id'))));
  app.post('/payouts/:id/send', async (context) =>
    context.json(await payouts.confirm(context.req.param('id')), 202),
  );
  app.delete('/payouts/:id', async (context) => {
    await payouts.discard(context.req.param('id'));
    return context.body(null, 204);
  });

  app.get('/banks', (context) => context.json(PSE_BANKS.map(({ code, name }) => ({ code, name }))));
  app.get('/links', async (context) => context.json(await links.list()));
  app.post('/links', async (context) => context.json(await links.create(await body(context)), 201));
  app.get('/links/:id', async (context) => context.json(await links.one(context.req.param('id'))));

  app.get('/events', async (context) => context.json(await log.events(context.req.query('about'))));
  app.post('/deliveries/:id/resend', async (context) => {
    await log.resend(context.req.param('id'));
    return context.body(null, 204);
  });
  app.get('/mishaps', async (context) => context.json(await log.mishaps()));
  app.put('/mishaps', async (context) => {
    await log.setMishap(await body(context));
    return context.body(null, 204);
  });

  app.get('/orders', async (context) => context.json(await orders.list()));
  app.get('/orders/:id', async (context) => context.json(await orders.one(context.req.param('id'))));

  app.notFound((context) => new ConsoleError('not_found').answer(context));
  app.onError((error, context) => {
    const refusal = refusalOf(error);
    if (!refusal) options.log?.(error.message);
    const answer = (refusal ?? new ConsoleError('failed')).answer(context);
    answer.headers.set('cache-control', 'no-store');
    return answer;
  });

  return {
    fetch: async (request) => app.fetch(request),
    changed,
    heardOfPayout: (notice) => payouts.heard(notice),
    get listeners() {
      return live.listeners;
    },
    idle: () => payouts.idle(),
    async close() {
      live.close();
      await payouts.idle();
    },
  };
}
