import { Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { ConsoleSection, HealthView, SessionView } from '../../contract/console.js';
import { equalInConstantTime } from '../../contract/constant-time.js';
import { assetAnswer, pageAnswer, type PageFiles } from '../../look/page-files.js';
import type { Checkout } from '../../server/checkout.js';
import { clientAddressOf, type ClientOptions } from '../../server/http/client.js';
import { migration } from '../../server/stores/migration.js';
import type { Store } from '../../server/stores/store.js';
import { attemptsOf } from './attempts.js';
import { csvFile } from './csv.js';
import { ConsoleProblemError } from './problem.js';
import {
  endOf,
  HandledSchema,
  readAttemptsQuery,
  readBody,
  ReconcileSchema,
  RepeatSchema,
  startOf,
} from './queries.js';
import { isOwnPage, isOwnReader, type Session, Sessions } from './session.js';
import { signInLimits } from './sign-in-limits.js';

/**
 * The backend of the merchant's console: figures, what needs a person, payments as a list and as a file, and comparing
 * with the service. It looks and puts right; it moves no money. Signed in only, never cached.
 */

export interface ConsoleOptions extends ClientOptions {
  readonly checkout: Checkout;
  /** The checkout's: it counts who tries to sign in and remembers who signed out, for every instance. */
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
  readonly now?: () => number;
  /** Receives what failed unexpectedly, and sign-ins that were refused. */
  readonly log?: (message: string, event: ConsoleEvent) => void;
  /** Sections of your own, behind the same sign-in. */
  readonly also?: ConsoleExtension;
}

export type ConsoleEvent = 'console_failed' | 'console_sign_in_refused';

export interface ConsoleExtension {
  readonly sections: readonly ConsoleSection[];
  /** Goes to the page with the session. */
  readonly about?: Partial<SessionView>;
  /**
   * Answers what the console itself does not know. The session is signed in, and a change is from its own page.
   * Throws a `ConsoleProblemError` to refuse.
   */
  fetch(request: Request, session: { readonly name: string }): Promise<Response>;
  /** A session was left. */
  left?(session: { readonly name: string }): void;
}

export interface Console {
  /** `env` as the Node adapter passes it: the peer's address tells apart who tries to sign in. */
  fetch(request: Request, env?: unknown): Promise<Response>;
}

const OWN_SECTIONS = [
  'overview',
  'review',
  'attempts',
  'reconcile',
] as const satisfies readonly ConsoleSection[];
const LARGEST_BODY_BYTES = 16_384;
const SHORTEST_SECRET = 32;
/** Figures are added up at most this often, however many pages are open. */
const FIGURES_FOR_MS = 3_000;

export function createConsole(options: ConsoleOptions): Console {
  const { checkout, store, basePath, name, page, secret, secure, also, now = Date.now } = options;
  const apiPath = `${basePath}/api`;
  if (secret.length < SHORTEST_SECRET)
    throw new TypeError(
      `createConsole: secret must have ${SHORTEST_SECRET} characters or more, for example from: openssl rand -base64 32`,
    );
  const sessions = new Sessions({ secret, secure, path: apiPath, store, now });
  const attempts = attemptsOf(store, now);
  const limitSignIns = signInLimits(store, secret, now);
  const ready = migration(store);
  const fresh = remembering(now);
  const app = new Hono<{ Variables: { session: Session } }>().basePath(apiPath);
  const welcome = ({ csrf }: Session): SessionView => ({
    csrf,
    name,
    sections: [...OWN_SECTIONS, ...(also?.sections ?? [])],
    ...also?.about,
  });

  app.use(async (context, next) => {
    const { raw } = context.req;
    if (raw.method === 'GET' ? !isOwnReader(raw) : !isOwnPage(raw))
      throw new ConsoleProblemError('forbidden');
    await next();
    context.header('x-content-type-options', 'nosniff');
    if (!context.res.headers.has('cache-control')) context.header('cache-control', 'no-store');
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
      options.log?.('Somebody tried to sign in with a wrong secret', 'console_sign_in_refused');
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
    also?.left?.(session);
    return context.body(null, 204);
  });

  app.get('/overview', async (context) =>
    context.json({
      collected: await fresh('collected', () => attempts.collected()),
      health: await healthOf(checkout),
    }),
  );
  app.get('/overview/:days{1|7|30}', async (context) => {
    const days = Number(context.req.param('days'));
    return context.json(await fresh(`overview ${days}`, () => attempts.overview(days)));
  });

  app.get('/review', async (context) => {
    const after = context.req.query('after');
    const page = await checkout.orders.review(after === undefined ? {} : { after });
    const { store } = await checkout.status();
    return context.json({
      ...page,
      unmatchedEvents: store?.unmatchedEvents ?? 0,
      oldestUnmatchedEventAt: store?.oldestUnmatchedEventAt ?? null,
    });
  });
  app.get('/review/:order', async (context) => {
    const view = await checkout.orders.show(context.req.param('order'));
    if (view === undefined) throw new ConsoleProblemError('not_found');
    return context.json(view);
  });
  app.post('/review/:order/handled', async (context) => {
    const { item, note } = readBody(HandledSchema, await context.req.json().catch(() => null));
    const done = await checkout.orders.markHandled(context.req.param('order'), item, note ? { note } : {});
    if (!done) throw new ConsoleProblemError('not_found');
    return context.body(null, 204);
  });
  app.post('/review/:order/repeat', async (context) => {
    const { notice } = readBody(RepeatSchema, await context.req.json().catch(() => null));
    if (!(await checkout.orders.repeatNotice(context.req.param('order'), notice)))
      throw new ConsoleProblemError('not_found');
    return context.body(null, 204);
  });

  app.get('/attempts', async (context) => {
    const { query, after } = readAttemptsQuery(new URL(context.req.url).searchParams);
    const [page, totals] = [
      await attempts.list({ ...query, ...(after !== undefined && { after }) }),
      await attempts.totals(query),
    ];
    return context.json({ ...page, totals });
  });
  app.get('/attempts.csv', (context) => {
    const { query } = readAttemptsQuery(new URL(context.req.url).searchParams);
    return context.body(csvFile(attempts, query), 200, {
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': `attachment; filename="intentos-de-pago-${colombianDate(now())}.csv"`,
    });
  });

  app.post('/reconcile', async (context) => {
    const { from, to } = readBody(ReconcileSchema, await context.req.json().catch(() => null));
    if (from > to) throw new ConsoleProblemError('invalid_input', [{ field: 'to', code: 'too_small' }]);
    const { payments, ...result } = await checkout.reconcile({
      from: startOf(from),
      to: endOf(to),
      signal: context.req.raw.signal,
    });
    const differing = payments.filter(({ result: each }) => each !== 'same');
    return context.json({ ...result, compared: payments.length, payments: differing });
  });

  app.notFound((context) => {
    const session = context.get('session') as Session | undefined;
    if (also !== undefined && session !== undefined) return also.fetch(context.req.raw, session);
    return new ConsoleProblemError('not_found').answer();
  });
  app.onError((error) => {
    if (error instanceof ConsoleProblemError) return error.answer();
    if (error instanceof RangeError) return new ConsoleProblemError('invalid_input').answer();
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
  return { fetch: async (request, env) => around.fetch(request, Object(env) as object) };
}

async function healthOf(checkout: Checkout): Promise<HealthView> {
  const { ready, store, work, service } = await checkout.status();
  return { ready, store, workRunning: work.running, lastRoundAt: work.lastRoundAt, service };
}

/** An answer that is a few seconds old is good enough for everybody who looks; one that failed is not kept. */
function remembering(now: () => number) {
  const answers = new Map<string, { readonly at: number; readonly answer: Promise<unknown> }>();
  return <Value>(key: string, ask: () => Promise<Value>): Promise<Value> => {
    const known = answers.get(key);
    if (known !== undefined && now() - known.at < FIGURES_FOR_MS) return known.answer as Promise<Value>;
    const answer = ask();
    answers.set(key, { at: now(), answer });
    answer.catch(() => answers.delete(key));
    return answer;
  };
}

function colombianDate(at: number): string {
  return new Date(at - 5 * 3_600_000).toISOString().slice(0, 10);
}
