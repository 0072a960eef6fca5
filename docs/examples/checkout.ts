/** The shop's checkout, made once and mounted by the files beside this one. */
import { createCheckout, memoryStore } from 'pay-checkout/server';
import { createServiceClient } from 'pay-checkout/service';

/** Stands for the shop's own database. */
const orders = new Map([['order-1', { totalInCents: 4_990_000, title: 'Camiseta', paid: false }]]);

export function makeCheckout(env: Record<string, string | undefined>) {
  const required = (name: string): string => env[name] ?? fail(name);
  return createCheckout({
    service: createServiceClient({
      baseUrl: required('SERVICE_URL'),
      apiKey: required('SERVICE_API_KEY'),
      accessToken: required('SERVICE_ACCESS_TOKEN'),
    }),
    // sqliteStore(db) on one machine, postgresStore(port) on several: memory forgets.
    store: memoryStore(),
    merchant: { name: 'Mi tienda', taxId: '900123456-8', supportEmail: 'ayuda@tienda.example' },
    orderSecret: required('ORDER_SECRET'),
    webhook: { header: 'x-webhook-secret', secret: required('WEBHOOK_SECRET') },
    publicUrl: required('PUBLIC_URL'),
    findOrder(id) {
      const order = orders.get(id);
      return order === undefined ? null : { amountInCents: order.totalInCents, description: order.title };
    },
    onConfirmed({ order, key }) {
      // Called at least once: `key` is the same each time, so that a repetition can be recognised.
      const found = orders.get(order);
      if (found !== undefined) found.paid = true;
      console.log(`${order} is paid (${key})`);
    },
  });
}

function fail(name: string): never {
  throw new Error(`Set ${name}`);
}
