import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { SessionView } from '../../contract/merchant/console.js';
import { equalInConstantTime } from '../../contract/constant-time.js';
import { assetAnswer, pageAnswer, type PageFiles } from '../../look/page-files.js';
import type { Checkout } from '../../server/checkout.js';
import { clientAddressOf, type ClientOptions } from '../../server/http/client.js';
import { migration } from '../../server/stores/migration.js';
import type { Store } from '../../server/stores/store.js';
import type { ServiceClient } from '../../service/client.js';
import { type Clock, systemClock } from '../../service/clock.js';
import { Live } from './live.js';
import { moneyRoutes } from './money-routes.js';
import { ConsoleProblemError, refusalOf } from './problem.js';
import { salesRoutes } from './sales-routes.js';
import { isOwnPage, isOwnReader, type Session, Sessions } from './session.js';
import { signInLimits } from './sign-in-limits.js';

/**
 * The merchant's console: its page, and what the page asks of the checkout, its store and the service. It holds the API
 * key; the page never does. Signed in only, never cached, personal data masked.
 */

export interface ConsoleOptions extends ClientOptions {
  readonly checkout: Checkout;
  /** The checkout's. */
  readonly service: Pick<ServiceClient, 'payins'>;
  /** The checkout's: it also counts who tries to sign in and remembers who signed out, for every instance. */
  readonly store: Store;
  /** Who has it may sign in: 32 characters or more. */
  readonly secret: string;
  /** The merchant's, in the console's header. */
  readonly name: string;
  /** Where it is mounted, for example `/console`: the page is at `/console/`, its API below `/console/api`. */
  readonly basePath: string;
  /** The page's files: `pageFiles('console')` of `pay-checkout/node`. Without them only the API answers. */
  readonly page?: PageFiles;
  /** The cookie goes over https only. */
  readonly secure: boolean;
  /** The shop's address, which payers of a link return to unless the form says otherwise. */
  readonly siteUrl?: string;
  /** Where a browser reaches the sandbox that plays the service: the console leads to its payments and webhooks. */
  readonly sandboxUrl?: string;
  readonly clock?: Clock;
  /** Receives what failed unexpectedly, and sign-ins that were refused. */
  readonly log?: (message: string, event: ConsoleEvent) => void;
}

export type ConsoleEvent = 'console_failed' | 'console_sign_in_refused';

export interface Console {
  /** `env` as the Node adapter passes it: the peer's address tells apart who tries to sign in. */
  fetch(request: Request, env?: unknown): Promise<Response>;
  /** Something changed: open pages look again. They look by themselves too, less often. */
  changed(): void;
  /** How many pages listen now. */
  readonly listeners: number;
  /** Ends the streams of open pages. */
  close(): void;
}

const LARGEST_BODY_BYTES = 16_384;
const SHORTEST_SECRET = 32;

export function createConsole(options: ConsoleOptions): Console {
  const { checkout, store, basePath, name, page, secret, secure, sandboxUrl, siteUrl } = options;
  const { clock = systemClock } = options;
  if (secret.length < SHORTEST_SECRET)
    throw new TypeError(
      `createConsole: secret must have ${SHORTEST_SECRET} characters or more, for example from: openssl rand -base64 32`,
    );
  const now = () => clock.now();
  const apiPath = `${basePath}/api`;
  const sessions = new Sessions({ secret, secure, path: apiPath, store, now });
  const limitSignIns = signInLimits(store, secret, now);
  const ready = migration(store);
  const live = new Live(clock);
  const app = new Hono<{ Variables: { session: Session } }>().basePath(apiPath);
  const welcome = ({ csrf }: Session): SessionView => ({
    csrf,
    name,
    ...(siteUrl !== undefined && { siteUrl }),
    ...(sandboxUrl !== undefined && { sandboxUrl }),
  });

  app.use(async (context, next) => {
    const { raw } = context.req;
    if (raw.method === 'GET' ? !isOwnReader(raw) : !isOwnPage(raw))
      throw new ConsoleProblemError('forbidden');
    await next();
    context.header('x-content-type-options', 'nosniff');
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
    // What one page changes, the others see.
    if (raw.method !== 'GET' && context.res.ok) live.changed();
  });
  app.use(
    bodyLimit({
      maxSize: LARGEST_BODY_BYTES,
      onError: () => new ConsoleProblemError('invalid_input').answer(),
    }),
  );
  app.use(async (_context, next) => {
    await ready();
    await next();
  });
  app.post('/session', async (context) => {
    const refusal = await limitSignIns(clientAddressOf(options, context.req.raw, context.env));
    if (refusal !== undefined) {
      const seconds = Math.ceil(refusal.retryAfterMs / 1_000);
      if (refusal.isFirst)
        options.log?.(
          `Too many tries to sign in: none is looked at for ${seconds} s`,
          'console_sign_in_refused',
        );
      throw new ConsoleProblemError('too_many_sign_ins', [], seconds);
    }
    const body: unknown = await context.req.json().catch(() => null);
    const entered = await sessions.enter((Object(body) as { token?: unknown }).token);
    if (entered === undefined) {
      options.log?.('A sign-in with a wrong secret was refused', 'console_sign_in_refused');
      throw new ConsoleProblemError('wrong_token');
    }
    context.header('set-cookie', entered.cookie);
    return context.json(welcome(entered.session));
  });
  app.use(async (context, next) => {
    const session = await sessions.find(context.req.raw);
    if (session === undefined) throw new ConsoleProblemError('unauthenticated');
    const given = context.req.header('x-console-csrf') ?? '';
    if (context.req.method !== 'GET' && !(await equalInConstantTime(given, session.csrf)))
      throw new ConsoleProblemError('forbidden');
    context.set('session', session);
    await next();
  });
  app.get('/session', (context) => context.json(welcome(context.get('session'))));
  app.delete('/session', async (context) => {
    const session = context.get('session');
    context.header('set-cookie', await sessions.leave(session));
    live.close(session.name);
    return context.body(null, 204);
  });
  app.get('/live', (context) => live.open(context.get('session').name, context.req.raw.signal));

  app.route('/', salesRoutes({ checkout, store, now }));
  app.route('/', moneyRoutes({ checkout, service: options.service }));

  app.notFound(() => new ConsoleProblemError('not_found').answer());
  app.onError((error) => {
    const refusal = refusalOf(error);
    if (refusal !== undefined) return refusal.answer();
    options.log?.(error.message, 'console_failed');
    return new ConsoleProblemError('failed').answer();
  });

  const around = new Hono();
  if (page !== undefined) {
    around.get(basePath, (context) => context.redirect(`${basePath}/`));
    around.get(`${basePath}/`, async (context) => (await pageAnswer(page)) ?? context.notFound());
    around.get(
      `${basePath}/assets/:name`,
      async (context) => (await assetAnswer(page, context.req.param('name'))) ?? context.notFound(),
    );
  }
  around.all(`${apiPath}/*`, (context) => app.fetch(context.req.raw, context.env));
  return {
    fetch: async (request, env) => around.fetch(request, Object(env) as object),
    changed: () => live.changed(),
    get listeners() {
      return live.listeners;
    },
    close: () => live.close(),
  };
}
