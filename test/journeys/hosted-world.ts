import { type Listening, listen } from '../../src/node.js';
import { createSandbox, realClock, type Sandbox } from '../../src/sandbox.js';
import { type MerchantOrder, memoryStore } from '../../src/server.js';
import { skippingClock, type SkippingClock } from '../../src/simulator/skipping-clock.js';
import { createKit, eventsTo, sandboxClient } from '../support/kit.js';

/** A shop, its backend, the payment service and the place that serves the widget: each an origin of its own. */
export interface HostedWorld {
  readonly shopUrl: string;
  readonly sandbox: Sandbox;
  readonly clock: SkippingClock;
  /** The address of a page that takes payments of this order through links. */
  page(order: MerchantOrder, attributes?: string): string;
  close(): Promise<void>;
}

export async function openHostedWorld(files: ReadonlyMap<string, string>): Promise<HostedWorld> {
  const clock = skippingClock(realClock());
  const orders = new Map<string, MerchantOrder & { readonly attributes: string }>();
  const store = memoryStore();

  const widget: Listening = await listen({
    fetch: async (request) => {
      const file = files.get(new URL(request.url).pathname.slice(1));
      const headers = { 'content-type': 'text/javascript', 'access-control-allow-origin': '*' };
      return new Response(file ?? null, { status: file === undefined ? 404 : 200, headers });
    },
  });
  const service: Listening = await listen({ fetch: (request) => sandbox.fetch(request) });
  const shop: Listening = await listen({ fetch: (request, env) => answer(request, env) });
  const sandbox: Sandbox = createSandbox({
    publicUrl: service.url,
    clock,
    autoOutcome: 'never',
    timings: { pseUrlDelayMs: 100 },
    webhooks: eventsTo(`${shop.url}/checkout`),
  });
  const checkout = createKit({
    service: sandboxClient({ baseUrl: service.url }),
    store,
    clock,
    merchant: { name: 'Tienda de prueba', supportEmail: 'ayuda@tienda.example' },
    findOrder: (id) => orders.get(id) ?? null,
    publicUrl: `${shop.url}/checkout`,
    allowedReturnUrls: [shop.url],
  });
  const stopWork = checkout.work();

  async function answer(request: Request, env: unknown): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/checkout/')) return checkout.fetch(request, env);
    const id = pathname.split('/')[2] ?? '';
    const attributes = orders.get(id)?.attributes ?? '';
    const html = shopPage(`${widget.url}/define.js`, await checkout.orderToken(id), attributes);
    return new Response(html, { headers: { 'content-type': 'text/html; charset=utf-8' } });
  }

  return {
    shopUrl: shop.url,
    sandbox,
    clock,
    page(order, attributes = '') {
      const id = `order-${orders.size + 1}`;
      orders.set(id, { ...order, attributes });
      return `${shop.url}/pagar/${id}`;
    },
    async close() {
      await stopWork();
      await checkout.close();
      sandbox.close();
      await Promise.all([widget.close(), service.close(), shop.close()]);
      await store.close();
    },
  };
}

const EVENTS = ['paymentlink-created', 'paymentlink-completed', 'paymentlink-expired', 'payin-confirmed'];

function shopPage(script: string, order: string, attributes: string): string {
  return `<!doctype html>
<html lang="es">
  <head>
    <meta charset="utf-8" />
    <title>Pagar</title>
    <script>
      window.heard = [];
      for (const name of ${JSON.stringify(EVENTS)}) {
        document.addEventListener(name, ({ type }) => heard.push(type));
      }
    </script>
    <script type="module" src="${script}" crossorigin></script>
  </head>
  <body>
    <main><h1>Pagar</h1><pay-checkout backend="/checkout" order="${order}" hosted ${attributes}></pay-checkout></main>
  </body>
</html>`;
}
