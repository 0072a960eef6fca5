import { Hono } from 'hono';
import { equalInConstantTime } from '../../contract/constant-time.js';
import type { Checkout } from '../../server/checkout.js';
import { portFlag, readFlags, textFlag } from '../arguments.js';
import type { Command } from '../command.js';
import { listen } from '../listen.js';
import { DEFAULT_CONFIG, openCheckout } from './checkout.js';
import type { ReadServeConfig } from './config.js';
import { healthBeside } from './health.js';
import { createMetrics, type MetricsEndpoint } from './metrics.js';
import { stopAsked } from '../stop-signal.js';

const FLAGS = {
  config: { type: 'string' },
  port: { type: 'string' },
  host: { type: 'string' },
  help: { type: 'boolean' },
} as const;

const HELP = `pay-checkout serve: the merchant backend on its own, for shops that are not written in JavaScript

Usage
  npx pay-checkout serve --config checkout.config.mjs [--port N] [--host ADDRESS]

The config file exports by default:
  service      { baseUrl, apiKey, accessToken? } of the payment service
  orders       { url, secret }: GET url with {id} replaced, answers the order as JSON or 404:
               { "amountInCents": 12500000, "description": "2 bolsas de café" }
  outcomes     { url, secret, hooks? }: POST { hook, notice } for every outcome, again and again until it answers
               2xx, signed by the Standard Webhooks scheme with the secret (whsec_…). webhook-id stays the same.
               hooks names those that are sent; all unless it is given
  orderSecret  32 characters or more; signs the tokens that pages give to the widget
  merchant     { name, taxId?, supportEmail?, supportPhone?, payeeName? }
  webhook      { header, secret } as set at the payment service
  publicUrl    where browsers reach this server, for example https://shop.example/checkout
  metricsSecret  for GET /metrics from other machines
  database     a file for SQLite (checkout.db) or a postgres:// address
  port, host, basePath, methods, allowedOrigins, allowedReturnUrls, ...   as in createCheckout

The shop is asked for orders with the header  Authorization: Bearer <secret of "orders">.
It asks for a page's token with  POST <basePath>/tokens  { "order": "A-1042" }  and the same header, and gets
{ "token": "…" }. docs/not-javascript.md has all three with requests and answers.
GET /health answers 200 while the process and its background work live, GET /ready while it can take payments, and
GET /metrics in Prometheus' format: with  Authorization: Bearer <metricsSecret>, or without one from this machine.
`;

export const serveCommand: Command = {
  summary: 'Runs the merchant backend alone, for shops that are not written in JavaScript',
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const measured = createMetrics();
  const opened = await openCheckout(textFlag(flags, 'config') ?? DEFAULT_CONFIG, measured.metrics);
  const { config, checkout, database } = opened;
  const stopWork = checkout.work();
  const server = await listen({
    fetch: tokensBeside(checkout, config, measured),
    host: textFlag(flags, 'host') ?? config.own.host,
    port: portFlag(flags, 'port') ?? config.own.port,
    firstPort: config.own.port,
  });
  const base = config.kit.basePath ?? '';
  process.stdout.write(
    `Checkout on http://${config.own.host}:${server.port}${base} (${database.name}). Ctrl-C stops it.\n`,
  );
  await stopAsked();
  await stopWork();
  await checkout.close();
  await server.close();
  await opened.close();
  return 0;
}

/** The kit, and one call for the shop's own backend: a token for an order's page. */
function tokensBeside(
  checkout: Checkout,
  { own, kit }: ReadServeConfig,
  measured: MetricsEndpoint,
): (request: Request, env?: unknown) => Promise<Response> {
  const app = new Hono();
  app.post(`${kit.basePath ?? ''}/tokens`, async (context) => {
    const given = context.req.header('authorization') ?? '';
    if (!(await equalInConstantTime(given, `Bearer ${own.orders.secret}`))) return context.body(null, 401);
    const body: unknown = await context.req.json().catch(() => null);
    const { order } = Object(body) as { order?: unknown };
    if (typeof order !== 'string' || order === '' || order.length > 256) return context.body(null, 400);
    return context.json({ token: await checkout.orderToken(order) }, 200, { 'cache-control': 'no-store' });
  });
  healthBeside(app, checkout);
  measured.beside(app, checkout, own.metricsSecret);
  app.all('*', (context) => checkout.fetch(context.req.raw, context.env));
  return async (request, env) => app.fetch(request, env);
}
