import { createSandbox } from '../../../../src/sandbox.js';
import { createKit, eventsTo, sandboxClient } from '../../../support/kit.js';
import { SHOP, type Backend } from './backend.js';

const ENOUGH = 1_000_000;
/** Checkouts on one page. */
const MOST = 50;

export interface OurBackendOptions {
  /** False: the key never lapses, so that no countdown is shown. */
  readonly lapses?: boolean;
  /** The page brings the element and its offer along. */
  readonly embedded?: boolean;
}

/** The kit on the sandbox, both in this process: nothing of it is canned, and it holds its answers as it does in a shop. */
export async function openOurs({
  lapses = true,
  embedded = false,
}: OurBackendOptions = {}): Promise<Backend> {
  const sandbox = createSandbox({
    autoOutcome: 'never',
    webhooks: eventsTo(`${SHOP}/pagos`),
    send: (request) => checkout.fetch(request),
  });
  const checkout = createKit({
    service: sandboxClient({ fetch: (request) => sandbox.fetch(request) }),
    merchant: { name: 'Tienda', supportEmail: 'ayuda@tienda.example' },
    methods: [{ rail: 'BRE_B', keyType: 'QR_CODE' }, { rail: 'PSE' }],
    findOrder: () => ({ amountInCents: 4_990_000, description: 'Café de origen' }),
    publicUrl: SHOP,
    basePath: '/pagos',
    // Fifty checkouts on one page are one client to the kit.
    rateLimits: { offersPerClient: ENOUGH, createsPerClient: ENOUGH, readsPerAttempt: ENOUGH },
    ...(lapses ? {} : { payinLifetimeMs: { BRE_B: null } }),
    log: () => {},
  });
  const stopWork = checkout.work();
  const orders = await Promise.all(
    Array.from({ length: MOST }, (_, index) => checkout.orderToken(`A-${index}`)),
  );
  const element = async () =>
    `<pay-checkout backend="/pagos" order="${orders[0]}">${await checkout.offerTag('A-0')}</pay-checkout>`;
  return {
    orders,
    ...(embedded && { html: await element() }),
    answer: (request) => checkout.fetch(request),
    settle() {
      for (const payin of sandbox.engine.payins) sandbox.engine.settle(payin.id, 'CONFIRMED');
    },
    async close() {
      await stopWork();
      sandbox.close();
    },
  };
}
