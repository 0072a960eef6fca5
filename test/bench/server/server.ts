/** The process under test: one app on one port, told about by its parent. Argument: the plan. */
import { Hono } from 'hono';
import { listen } from '../../../src/node.js';
import type { Checkout } from '../../../src/server.js';
import { createKit, sandboxClient } from '../../support/kit.js';
import { openStore } from './open-store.js';
import type { FromServer, Seeded, ServerPlan, ToServer } from './plan.js';
import { keptWaitingMicros } from '../weather.js';

const plan = JSON.parse(process.argv[2] ?? '') as ServerPlan;
const shop = 'https://shop.test';
const enough = 10_000_000;

const checkout = createKit({
  service: sandboxClient({ baseUrl: plan.serviceUrl }),
  store: openStore(plan.store),
  methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }],
  findOrder: () => ({ amountInCents: 4_990_000 }),
  publicUrl: shop,
  basePath: '',
  // What is measured is the work, not the refusal of it.
  rateLimits: {
    createsPerOrder: enough,
    createsPerClient: enough,
    createsOverall: enough,
    readsPerAttempt: enough,
  },
  maxWaiters: enough,
  ...(plan.serviceReadsPerSecond === undefined ? {} : { serviceReadsPerSecond: plan.serviceReadsPerSecond }),
  log: () => {},
});

async function seed(): Promise<Seeded[]> {
  const seeded: Seeded[] = [];
  const waiting = Array.from({ length: plan.orders }, (_, index) => `order-${index}`);
  const worker = async (): Promise<void> => {
    for (let order = waiting.pop(); order !== undefined; order = waiting.pop()) {
      seeded.push(await create(checkout, order));
    }
  };
  await Promise.all(Array.from({ length: 48 }, worker));
  return seeded;
}

async function create(to: Checkout, order: string): Promise<Seeded> {
  const body = JSON.stringify({
    order: await to.orderToken(order),
    rail: 'BRE_B',
    breb: { keyType: 'SINGLE_USE' },
    callbackUrl: `${shop}/gracias`,
  });
  const headers = {
    'content-type': 'application/json',
    origin: shop,
    'idempotency-key': `first-try-of-${order}`,
  };
  // On a machine that has other things to do the service may be too slow to be clear at once.
  for (let tries = 0; tries < 20; tries++) {
    const response = await to.fetch(new Request(`${shop}/payins`, { method: 'POST', headers, body }));
    const answer = (await response.json()) as Seeded & { sourceData: object | null };
    const { id, reference, version } = answer;
    if (response.status === 201 || (response.status === 200 && answer.sourceData !== null)) {
      return { id, reference, version };
    }
    // real time: the service is another process
    await new Promise((resolve) => setTimeout(resolve, 1_000));
  }
  throw new Error('An order could not be made');
}

/** The same bytes and headers without any of the work; held back until an event names the id when that is asked for. */
async function bareApp(waits: boolean): Promise<Hono> {
  const { id } = await create(checkout, 'order');
  await checkout.idle();
  const answer = await checkout.fetch(new Request(`${shop}/payins/${id}`));
  const text = await answer.text();
  const paid = text.replace(/"status":"[A-Z]+"/, '"status":"CONFIRMED"');
  const headers = Object.fromEntries(answer.headers);
  const app = new Hono();
  if (!waits) return app.get('/payins/:id', (context) => context.body(text, 200, headers));
  const waiting = new Map<string, () => void>();
  app.get('/payins/:id', async (context) => {
    if (context.req.query('wait') === undefined) return context.body(text, 200, headers);
    const attempt = context.req.param('id');
    await new Promise<void>((resolve) => waiting.set(attempt, resolve));
    waiting.delete(attempt);
    return context.body(paid, 200, headers);
  });
  app.post('/webhooks', async (context) => {
    const { data } = await context.req.json<{ data: { reference: string } }>();
    waiting.get(data.reference)?.();
    return context.body('{"received":true}', 200, headers);
  });
  return app;
}

/** Ids that nobody made: the bare route knows all. */
function inventIds(): Seeded[] {
  return Array.from({ length: plan.orders }, (_, index) => {
    const id = `id-${String(index).padStart(21, '0')}`;
    return { id, reference: id, version: '1' };
  });
}

function tell(message: FromServer): void {
  process.send?.(message);
}

const isKit = plan.app === 'kit';
// From the start, as in a shop: what falls due while orders are made is not left for later.
if (isKit) checkout.work();
const seeded = isKit ? await seed() : inventIds();
const app = isKit ? checkout : await bareApp(plan.app === 'bare waiting');
let held = 0;
const { port, server } = await listen(app);
// Idle connections are counted, so none may end while others are being opened.
server.keepAliveTimeout = 600_000;
server.on('request', (_request, response) => {
  held += 1;
  response.once('close', () => (held -= 1));
});
tell({ say: 'ready', port, seeded });

process.on('message', (message: ToServer) => {
  if (message === 'stop') process.exit(0);
  // One collection finds what is unused, the next ones give it back.
  if (message === 'collected usage') for (let times = 0; times < 3; times++) globalThis.gc?.();
  const { user, system } = process.cpuUsage();
  tell({
    say: 'usage',
    residentBytes: process.memoryUsage.rss(),
    heapBytes: process.memoryUsage().heapUsed,
    cpuMicros: user + system,
    keptWaitingMicros: keptWaitingMicros(),
    held,
  });
});
process.on('disconnect', () => process.exit(0));
