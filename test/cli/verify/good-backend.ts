import { listen } from '../../../src/node.js';
import { createSandbox } from '../../../src/sandbox.js';
import { createKit, eventsTo, sandboxClient } from '../../support/kit.js';

/** Where the page is when it is not the backend's own. */
export const PAGE_ORIGIN = 'https://shop.example';

/** What stands between the caller and the kit, to make a backend wrong. */
type Between = (request: Request, next: (request: Request) => Promise<Response>) => Promise<Response>;

/** The kit in front of a sandbox, both on ports of their own. */
export async function openBackend(
  between: Between = (request, next) => next(request),
  allowedOrigins: readonly string[] = [],
) {
  const sandbox = createSandbox({ autoOutcome: 'never' });
  const service = await listen(sandbox);
  sandbox.engine.publicUrl = service.url;
  let fresh = 0;
  const shop = createShop();
  const checkout = createKit({
    service: sandboxClient({ baseUrl: service.url }),
    merchant: { name: 'Café Andino' },
    methods: [{ rail: 'BRE_B' }, { rail: 'PSE' }, { kind: 'PAYMENT_LINK' }],
    findOrder: (id) => (id.startsWith('A-') ? { amountInCents: shop.price(id), description: 'Café' } : null),
    rateLimits: { createsPerOrder: Infinity, createsPerClient: Infinity, offersPerClient: Infinity },
    onConfirmed: ({ order, key }) => shop.ship(order, key),
    onAmountMismatch: ({ order }) => shop.review(order),
    onDuplicatePayment: ({ order }) => shop.review(order),
    allowedOrigins,
  });
  const stopWork = checkout.work();
  const orderIds = new Map<string, string>();
  const shopServer = await listen({
    fetch(request) {
      const order = orderIds.get(new URL(request.url).pathname.slice(1)) ?? '';
      if (request.method === 'POST') shop.raise(order);
      return shop.answer(order);
    },
  });
  const freshOrder = async () => {
    const id = `A-${++fresh}`;
    const token = await checkout.orderToken(id);
    orderIds.set(token, id);
    return token;
  };
  const server = await listen({
    fetch: (request, env) => between(request, (passed) => checkout.fetch(passed, env)),
  });
  sandbox.engine.setWebhooks(eventsTo(`${server.url}/checkout`));
  return {
    url: `${server.url}/checkout`,
    sandbox,
    sandboxUrl: service.url,
    shopUrl: `${shopServer.url}/{order}`,
    shop,
    /** An order nobody has tried to pay. */
    freshOrder,
    freshOrders: (count: number) => Promise.all(Array.from({ length: count }, freshOrder)),
    async close() {
      await stopWork();
      await checkout.close();
      await shopServer.close();
      await server.close();
      await service.close();
      sandbox.close();
    },
  };
}

export type GoodBackend = Awaited<ReturnType<typeof openBackend>>;

/** A shop that remembers what it did about each order. */
function createShop() {
  const shipped = new Map<string, Set<string>>();
  const reviews = new Map<string, number>();
  const raised = new Set<string>();
  return {
    price: (order: string) => (raised.has(order) ? 4_990_000 : 4_290_000),
    /** Its price is higher from now on. */
    raise: (order: string) => void raised.add(order),
    ship: (order: string, key: string) => void shipped.set(order, (shipped.get(order) ?? new Set()).add(key)),
    review: (order: string) => void reviews.set(order, (reviews.get(order) ?? 0) + 1),
    answer: (order: string) =>
      Response.json({ shipped: shipped.get(order)?.size ?? 0, review: reviews.get(order) ?? 0 }),
  };
}
