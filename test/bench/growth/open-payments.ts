import Database from 'libsql';
import { createSandbox, manualClock, SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { createCheckout, sqliteStore } from '../../../src/server.js';
import { createServiceClient } from '../../../src/service.js';
import type { Section } from '../report.js';
import { row } from '../table.js';

/** What payments that nobody pays cost in requests to the service, hour by hour, once they are hours old. */

const SHOP = 'https://shop.test';
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;
const ENOUGH = 10_000_000;

interface Requests {
  readonly pages: number;
  readonly reads: number;
}

export async function growOpenPayments(sizes: readonly number[]): Promise<Section> {
  const found = [];
  for (const size of sizes) {
    console.error(`  ${size} open payments`);
    found.push({ size, ...(await measure(size)) });
  }
  return {
    title: 'Growth: open payments',
    about: [
      'Requests to the service in an hour for payments that were left open seven hours ago, with no watcher and no event, on one instance with SQLite in memory. One by one is the first round, when nothing is known of the list yet; later hours come from pages of the list where that is cheaper. The list holds nothing else: with k other payments for each open one the pages are 1 + k times as many.',
    ],
    tables: [
      {
        title: 'Requests in an hour',
        columns: ['open payments', 'one by one', 'with pages: pages', 'reads', 'requests a second'],
        rows: found.map(({ size, oneByOne, withPages }) =>
          row(
            [
              size.toLocaleString('en'),
              String(oneByOne.reads + oneByOne.pages),
              String(withPages.pages),
              String(withPages.reads),
              ((withPages.pages + withPages.reads) / 3_600).toFixed(2),
            ],
            undefined,
          ),
        ),
      },
    ],
  };
}

async function measure(size: number): Promise<{ oneByOne: Requests; withPages: Requests }> {
  const clock = manualClock();
  let requests: string[] = [];
  const sandbox = createSandbox({ clock, autoOutcome: 'never', webhooks: [] });
  const checkout = createCheckout({
    clock,
    service: createServiceClient({
      baseUrl: 'https://service.test',
      apiKey: SANDBOX_DEFAULTS.apiKey,
      clock,
      fetch(request) {
        requests.push(new URL(request.url).pathname);
        return sandbox.fetch(request);
      },
    }),
    store: sqliteStore(new Database(':memory:')),
    merchant: { name: 'Tienda' },
    methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }],
    findOrder: () => ({ amountInCents: 4_990_000 }),
    orderSecret: 'a secret of the bench that is long enough',
    webhook: false,
    publicUrl: SHOP,
    rateLimits: { createsPerOrder: ENOUGH, createsPerClient: ENOUGH, createsOverall: ENOUGH },
    serviceReadsPerSecond: 100_000,
    onConfirmed: () => {},
    log: () => {},
  });
  const create = async (order: string) => {
    const body = JSON.stringify({
      order: await checkout.orderToken(order),
      rail: 'BRE_B',
      // Without a picture, which would cost the sandbox more than all the rest.
      breb: { keyType: 'SINGLE_USE' },
      callbackUrl: `${SHOP}/gracias`,
    });
    const headers = {
      'content-type': 'application/json',
      origin: SHOP,
      'idempotency-key': `the-try-of-${order}`,
    };
    const { status } = await checkout.fetch(new Request(`${SHOP}/payins`, { method: 'POST', headers, body }));
    if (status !== 201) throw new Error(`A payment was answered ${status}`);
  };
  let next = 0;
  const createAll = async () => {
    for (let index = next++; index < size; index = next++) await create(`order-${index}`);
  };
  await Promise.all(Array.from({ length: 32 }, createAll));
  await checkout.idle();
  const count = (): Requests => {
    const pages = requests.filter((path) => path === '/payins').length;
    return { pages, reads: requests.length - pages };
  };
  await clock.advance(7 * HOUR_MS);
  requests = [];
  await checkout.tick(Infinity);
  await checkout.idle();
  const oneByOne = count();
  const hour = async (): Promise<Requests> => {
    requests = [];
    for (let minute = 0; minute < 60; minute++) {
      await clock.advance(MINUTE_MS);
      await checkout.tick(Infinity);
      await checkout.idle();
    }
    return count();
  };
  await hour();
  const withPages = await hour();
  await checkout.close();
  sandbox.close();
  return { oneByOne, withPages };
}
