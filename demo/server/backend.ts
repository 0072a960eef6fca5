import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { SANDBOX_DEFAULTS } from '../../src/sandbox.js';
import { createCheckout } from '../../src/server.js';
import { createServiceClient } from '../../src/service.js';
import { CATALOGUE } from './catalogue.js';
import { openDatabase } from './database.js';
import { announceReady, readSecrets, receiveSettings } from './settings.js';
import { openShop } from './shop.js';

/** A merchant's backend: the shop's own API, and the checkout kit mounted under /checkout. */
const settings = receiveSettings();
const { orderSecret, webhookSecret } = readSecrets(settings.dataDir);
const database = await openDatabase(join(settings.dataDir, 'shop.db'), process.env['DATABASE_URL']);
const shop = openShop(database);

const checkout = createCheckout({
  service: createServiceClient({
    baseUrl: settings.sandboxUrl,
    apiKey: SANDBOX_DEFAULTS.apiKey,
    accessToken: SANDBOX_DEFAULTS.accessToken,
  }),
  store: database.store,
  merchant: {
    name: 'Café Andino',
    taxId: '900.373.913-4',
    supportEmail: 'pagos@cafeandino.example',
    supportPhone: '601 555 0101',
    payeeName: 'CAF*** AND***',
  },
  methods: [{ rail: 'BRE_B', keyType: 'QR_CODE' }, { rail: 'BRE_B', keyType: 'SINGLE_USE' }, { rail: 'PSE' }],
  findOrder: (id) => shop.payable(id),
  orderSecret,
  webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: webhookSecret },
  basePath: '/checkout',
  publicUrl: `${settings.siteUrl}/checkout`,
  // Each is at least once, with the same key: `record` keeps the first.
  onConfirmed: (notice) => shop.record('onConfirmed', notice),
  onDeclined: (notice) => shop.record('onDeclined', notice),
  onCanceled: (notice) => shop.record('onCanceled', notice),
  onDuplicatePayment: (notice) => shop.record('onDuplicatePayment', notice),
  onAmountMismatch: (notice) => shop.record('onAmountMismatch', notice),
  onChargeback: (notice) => shop.record('onChargeback', notice),
  onReport: (notice) => shop.record('onReport', notice),
});

const app = new Hono();

/** Where the other parts of the demo are. */
app.get('/api/demo', (context) => context.json({ sandboxUrl: settings.sandboxUrl, database: database.name }));

app.get('/api/products', (context) => context.json(CATALOGUE));

app.post('/api/orders', async (context) => {
  const order = await shop.place(await context.req.json().catch(() => null));
  if (!order) return context.json({ message: 'El carrito está vacío o tiene algo que no vendemos.' }, 400);
  return context.json({ id: order.id, token: await checkout.orderToken(order.id) }, 201);
});

/** Order pages are opened by their token too: an id alone shows nobody's order. */
app.get('/api/orders/:id', async (context) => {
  const id = context.req.param('id');
  const token = context.req.query('token');
  if (token !== (await checkout.orderToken(id)))
    return context.json({ message: 'No encontramos ese pedido.' }, 404);
  const order = await shop.look(id);
  context.header('cache-control', 'no-store');
  return order ? context.json(order) : context.json({ message: 'No encontramos ese pedido.' }, 404);
});

app.all('/checkout/*', (context) => checkout.fetch(context.req.raw, context.env));

const server = serve({ fetch: app.fetch, hostname: '127.0.0.1', port: settings.backendPort }, () => {
  const stopWork = checkout.work();
  announceReady(async () => {
    server.close();
    await stopWork();
    await checkout.close();
    await database.store.close();
    await database.close();
  });
});
