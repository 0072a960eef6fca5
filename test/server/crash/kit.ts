import type { Checkout, Store } from '../../../src/server.js';
import type { Clock } from '../../../src/service.js';
import { createKit, sandboxClient, WEBHOOK } from '../../support/kit.js';

/** The shop under test, the same in the process that dies and in the one that takes over. */

export const SHOP = 'https://shop.test';
export const ORDER = 'order-1';
const IDEMPOTENCY_KEY = 'the-payer-pressed-once-0001';
const AMOUNT_IN_CENTS = 4_990_000;

export interface KitSetup {
  readonly store: Store;
  /** Where the sandbox listens, and beside it, under /told, the merchant. */
  readonly serviceUrl: string;
  readonly clock?: Clock;
}

export function openCheckout({ store, serviceUrl, clock }: KitSetup): Checkout {
  const tell = (hook: string) => async (notice: object) => {
    const response = await fetch(`${serviceUrl}/told`, {
      method: 'POST',
      body: JSON.stringify({ hook, ...notice }),
    });
    if (!response.ok) throw new Error('The merchant could not be told');
  };
  return createKit({
    service: sandboxClient({ baseUrl: serviceUrl }),
    store,
    methods: [{ rail: 'BRE_B' }],
    findOrder: (id) => (id === ORDER ? { amountInCents: AMOUNT_IN_CENTS } : null),
    publicUrl: SHOP,
    basePath: '',
    onConfirmed: tell('onConfirmed'),
    onDuplicatePayment: tell('onDuplicatePayment'),
    onAmountMismatch: tell('onAmountMismatch'),
    onRefunded: tell('onRefunded'),
    onPayoutFailed: tell('onPayoutFailed'),
    onReport: tell('onReport'),
    ...(clock === undefined ? {} : { clock }),
  });
}

/** What the widget sends, and sends again, when the payer has pressed the button once. */
export async function creation(checkout: Checkout): Promise<Request> {
  return new Request(`${SHOP}/payins`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: SHOP, 'idempotency-key': IDEMPOTENCY_KEY },
    body: JSON.stringify({
      order: await checkout.orderToken(ORDER),
      rail: 'BRE_B',
      breb: { keyType: 'QR_CODE' },
      callbackUrl: `${SHOP}/gracias`,
    }),
  });
}

// real time: the service sends its events by timers
export const aMoment = () => new Promise((resolve) => setTimeout(resolve, 5));

export function webhook(body: string): Request {
  return new Request(`${SHOP}/webhooks`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', [WEBHOOK.header]: WEBHOOK.secret },
    body,
  });
}
