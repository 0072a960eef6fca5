import { Hono } from 'hono';
import type { Console } from '../../console/backend/create-console.js';
import { failureFacts } from '../../server/context.js';
import { portFlag, readFlags } from '../arguments.js';
import { CommandError, type Command } from '../command.js';
import { listen } from '../listen.js';
import { DEFAULT_CONFIG, logToStderr, type OpenCheckout, openCheckout } from './checkout.js';
import { consoleBeside } from './open-console.js';
import { healthBeside } from './health.js';
import { createMetrics, type MetricsEndpoint } from './metrics.js';
import { isBearer } from './secrets.js';
import { stopAsked } from '../stop-signal.js';

const FLAGS = {
  config: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  console: { type: 'boolean' },
} as const;

const HELP = `pay-checkout serve: the merchant backend on its own, for shops that are not written in JavaScript

Usage
  npx pay-checkout serve --config checkout.config.mjs [--port N] [--host ADDRESS] [--console]

  --console    also opens the merchant's console at /console/: sales as a list and as a file for Excel, what needs a
               person, payment links, refunds and payouts, reconciling. Sign in with consoleSecret

The config file exports by default:
  service      { baseUrl, apiKey, accessToken? } of the payment service
  orders       { url, secret }: GET url with {id} replaced, answers the order as JSON or 404:
               { "amountInCents": 12500000, "description": "2 bolsas de café" }
  outcomes     { url, secret, hooks? }: POST { hook, notice } for every outcome, again and again until it answers
               2xx, signed by the Standard Webhooks scheme with the secret (whsec_…). webhook-id stays the same.
               hooks names those that are sent; all unless it is given
  orderSecret  32 characters or more; signs the tokens that pages give to the widget
  merchant     { name, taxId?, supportEmail?, supportPhone?, supportWhatsapp?, payeeName?, privacyUrl?, termsUrl? }
  webhook      { header, secret } as set at the payment service
  publicUrl    where browsers reach this server, for example https://shop.example/checkout
  metricsSecret  for GET /metrics, which answers 401 without it; 'public' opens it
  consoleSecret  for --console: who has it may sign in; 32 characters or more
  sandboxUrl   where the sandbox is, when it plays the service: the console shows the webhooks that it sent
  database     a file for SQLite (checkout.db) or a postgres:// address
  port, host, basePath, methods, allowedOrigins, allowedReturnUrls, ...   as in createCheckout

A secret may be a list, of which the first is used and all are accepted, or { file: '/run/secrets/…' } with one on each
line. Files are read again while it runs: a secret is changed without a restart.

The shop is asked for orders with the header  Authorization: Bearer <secret of "orders">.
It asks for a page's token with  POST <basePath>/tokens  { "order": "A-1042", "offer": true }  and the same header,
and gets { "token": "…", "offerTag": "…" }: the tag goes into <pay-checkout>, which then needs no request to show the
methods. docs/not-javascript.md has all three with requests and answers.
GET /health answers 200 while the process and its background work live, GET /ready while it can take payments, and
GET /metrics in Prometheus' format: with  Authorization: Bearer <metricsSecret>.
`;

export const serveCommand: Command = {
  summary: 'Runs the merchant backend alone, for shops that are not written in JavaScript',
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const measured = createMetrics();
  let desk: Pick<Console, 'changed' | 'close'> | undefined;
  const opened = await openCheckout(flags.config ?? DEFAULT_CONFIG, (measurement) => {
    measured.metrics(measurement);
    // Something happened to an order.
    if (measurement.name.startsWith('order.')) desk?.changed();
  });
  const { config, database } = opened;
  opened.checkout.work();
  const host = flags.host ?? config.own.host;
  const withConsole = flags.console === true;
  const app = new Hono();
  if (withConsole) desk = consoleBeside(app, opened, host);
  const server = await listen({
    fetch: appFor(app, opened, measured),
    host,
    port: portFlag(flags, 'port') ?? config.own.port,
    firstPort: config.own.port,
  });
  const base = config.kit.basePath ?? '';
  process.stdout.write(
    `Checkout on http://${host}:${server.port}${base} (${database.name}). Ctrl-C stops it.\n`,
  );
  if (withConsole)
    process.stdout.write(`Console on http://${host}:${server.port}/console/ (sign in with consoleSecret).\n`);
  const rotate = rotation(opened);
  const rotating = setInterval(() => void rotate(), ROTATE_EVERY_MS);
  await stopAsked();
  clearInterval(rotating);
  desk?.close();
  await opened.checkout.close();
  await server.close();
  await opened.close();
  return 0;
}

const ROTATE_EVERY_MS = 2_000;

/** Goes on with the secrets that the files hold now. What cannot be used is logged once, and the ones before stay. */
function rotation(opened: OpenCheckout): () => Promise<void> {
  let problem: string | undefined;
  return async () => {
    try {
      const previous = await opened.rotate();
      problem = undefined;
      if (previous === undefined) return;
      opened.checkout.work();
      logToStderr({ level: 'info', event: 'secrets_changed' });
      await previous.close();
    } catch (error) {
      const message = error instanceof CommandError ? error.message : 'The secrets could not be read';
      if (message !== problem) logToStderr({ level: 'error', event: 'secrets_unusable', message });
      problem = message;
    }
  };
}

/** The kit, and one call for the shop's own backend: what an order's page needs. */
function appFor(
  app: Hono,
  opened: OpenCheckout,
  measured: MetricsEndpoint,
): (request: Request, env?: unknown) => Promise<Response> {
  app.post(`${opened.config.kit.basePath ?? ''}/tokens`, async (context) => {
    const isShop = await isBearer(context.req.header('authorization'), opened.secrets.orders);
    if (!isShop) return context.body(null, 401);
    const body: unknown = await context.req.json().catch(() => null);
    const { order, offer } = Object(body) as { order?: unknown; offer?: unknown };
    if (typeof order !== 'string' || order === '' || order.length > 256) return context.body(null, 400);
    const token = await opened.checkout.orderToken(order);
    const answer = offer === true ? { token, offerTag: await offerTagOf(opened, order) } : { token };
    return context.json(answer, 200, { 'cache-control': 'no-store' });
  });
  healthBeside(app, opened);
  measured.beside(app, opened);
  app.all('*', (context) => opened.checkout.fetch(context.req.raw, context.env));
  return async (request, env) => app.fetch(request, env);
}

/** A page does without the offer when the shop cannot say what the order costs: the widget asks again. */
async function offerTagOf({ checkout }: OpenCheckout, order: string): Promise<string> {
  try {
    return await checkout.offerTag(order);
  } catch (error) {
    logToStderr({ level: 'warn', event: 'offer_left_out', order, ...failureFacts(error) });
    return '';
  }
}
