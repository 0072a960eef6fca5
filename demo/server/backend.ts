import { join } from 'node:path';
import { Hono } from 'hono';
import { createConsole } from '../../src/console.js';
import { listen } from '../../src/node.js';
import { SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { createCheckout, type PaymentNotice } from '../../src/server.js';
import { BREB_APPS, createServiceClient } from '../../src/service.js';
import { CATALOGUE } from './catalogue.js';
import { openDatabase } from './database.js';
import { announceReady, readSecrets, receiveSettings } from './settings.js';
import { openShop } from './shop.js';
import { paymentLine, troubleLine } from './terminal.js';

/** A merchant's backend: the shop's own API, and the checkout kit mounted under /checkout. */
const settings = receiveSettings();
const { orderSecret, webhookSecret, consoleToken } = readSecrets(settings.dataDir);
const database = await openDatabase(join(settings.dataDir, 'shop.db'), process.env['DATABASE_URL']);
const shop = openShop(database);
/** The way between two servers: not the one browsers take. */
const serviceUrl = `http://127.0.0.1:${settings.servicePort}`;

const service = createServiceClient({
  baseUrl: serviceUrl,
  apiKey: SANDBOX_DEFAULTS.apiKey,
  accessToken: SANDBOX_DEFAULTS.accessToken,
});

const say = (line: string | undefined) => {
  if (line !== undefined) process.stdout.write(`  ${line}\n`);
};

/** Each hook is called at least once, with the same key: `record` keeps the first. */
const record = (hook: string) => async (notice: PaymentNotice) => {
  await shop.record(hook, notice);
  if (!settings.verbose) say(paymentLine(hook, notice));
};

const webhook = { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: webhookSecret };
const checkout = createCheckout({
  service,
  store: database.store,
  merchant: {
    name: 'Café Andino',
    taxId: '900.373.913-4',
    supportEmail: 'pagos@cafeandino.example',
    supportPhone: '601 555 0101',
    supportWhatsapp: '300 555 0101',
    payeeName: 'CAF*** AND***',
  },
  methods: [
    { rail: 'BRE_B', keyType: 'QR_CODE', apps: BREB_APPS },
    { rail: 'BRE_B', keyType: 'SINGLE_USE' },
    { rail: 'PSE' },
  ],
  findOrder: (id) => shop.payable(id),
  orderSecret,
  webhook,
  ...(!settings.verbose && { log: (entry) => say(troubleLine(entry)) }),
  basePath: '/checkout',
  publicUrl: `${settings.siteUrl}/checkout`,
  onConfirmed: record('onConfirmed'),
  onDeclined: record('onDeclined'),
  onCanceled: record('onCanceled'),
  onDuplicatePayment: record('onDuplicatePayment'),
  onAmountMismatch: record('onAmountMismatch'),
  onChargeback: record('onChargeback'),
  onReport: record('onReport'),
  metrics: ({ name }) => {
    if (name.startsWith('order.')) merchantConsole.changed();
  },
});

const merchantConsole = createConsole({
  checkout,
  service,
  store: database.store,
  secret: consoleToken,
  name: 'Café Andino',
  basePath: '/console',
  secure: settings.siteUrl.startsWith('https:'),
  siteUrl: `${settings.siteUrl}/shop/`,
  sandboxUrl: settings.sandboxUrl,
  log: (message) => process.stderr.write(`  ! consola: ${message}\n`),
});

const NO_ORDER = { message: 'No encontramos ese pedido.' };

const app = new Hono();

/** Where the other parts of the demo are. */
app.get('/api/demo', (context) => context.json({ sandboxUrl: settings.sandboxUrl, database: database.name }));

app.get('/api/products', (context) => context.json(CATALOGUE));

app.post('/api/orders', async (context) => {
  const order = await shop.place(await context.req.json().catch(() => null));
  if (!order) return context.json({ message: 'El carrito está vacío o tiene algo que no vendemos.' }, 400);
  return context.json({ id: order.id, token: await checkout.orderToken(order.id) }, 201);
});

/** Order pages are opened by their token too: an id alone shows no order. */
app.use('/api/orders/:id/*', async (context, next) => {
  context.header('cache-control', 'no-store');
  const order = await checkout.orderOf(context.req.query('token') ?? '');
  return order === context.req.param('id') ? next() : context.json(NO_ORDER, 404);
});
app.get('/api/orders/:id', async (context) => {
  const order = await shop.look(context.req.param('id'));
  return order ? context.json(order) : context.json(NO_ORDER, 404);
});
/** For the server of the checkout page, which writes it there. */
app.get('/api/orders/:id/offer', async (context) =>
  context.text(await checkout.offerTag(context.req.param('id'))),
);

app.all('/console/api/*', (context) => merchantConsole.fetch(context.req.raw, context.env));
app.all('/checkout/*', (context) => checkout.fetch(context.req.raw));

app.onError((error, context) => {
  process.stderr.write(`  ! backend del comercio: ${error.message}\n`);
  return context.json({ message: 'Algo falló en la tienda. Intenta de nuevo.' }, 500);
});

const listening = await listen(
  { fetch: (request, env) => app.fetch(request, env) },
  { hostname: '127.0.0.1', port: settings.backendPort },
);
const stopWork = checkout.work();
announceReady(async () => {
  await stopWork();
  merchantConsole.close();
  await checkout.close();
  await listening.close();
  await database.store.close();
  await database.close();
});
