import type { Checkout, MerchantOrder, Store } from '../../../src/server.js';
import type { Clock } from '../../../src/service.js';
import { createKit, sandboxClient } from '../../support/kit.js';

/** The shop of the kill loop: prices that change, hooks that fail, three ways to pay. */

export const LOOP_SHOP = 'https://shop.test';
/** All that the service has, for a reconcile. */
export const EVER = { from: new Date(0), to: new Date(8.64e15) };

export interface LoopSetup {
  readonly store: Store;
  /** Where the sandbox listens and, beside it, the merchant: /told takes notices, /price/ID gives an order. */
  readonly serviceUrl: string;
  readonly clock?: Clock;
}

export function openLoopCheckout({ store, serviceUrl, clock }: LoopSetup): Checkout {
  const tell = (hook: string) => async (notice: object) => {
    const body = JSON.stringify({ hook, ...notice });
    const response = await fetch(`${serviceUrl}/told`, { method: 'POST', body });
    if (!response.ok) throw new Error('The merchant did not take it');
  };
  const manyAtOnce = 1_000_000;
  return createKit({
    service: sandboxClient({ baseUrl: serviceUrl }),
    store,
    methods: [{ rail: 'BRE_B' }, { rail: 'PSE' }, { kind: 'PAYMENT_LINK' }],
    async findOrder(id) {
      const response = await fetch(`${serviceUrl}/price/${encodeURIComponent(id)}`);
      return response.ok ? ((await response.json()) as MerchantOrder) : null;
    },
    publicUrl: LOOP_SHOP,
    basePath: '',
    rateLimits: { createsPerOrder: manyAtOnce, createsPerClient: manyAtOnce, createsOverall: manyAtOnce },
    log: () => {},
    onConfirmed: tell('onConfirmed'),
    onDeclined: tell('onDeclined'),
    onCanceled: tell('onCanceled'),
    onDuplicatePayment: tell('onDuplicatePayment'),
    onAmountMismatch: tell('onAmountMismatch'),
    onChargeback: tell('onChargeback'),
    onRefunded: tell('onRefunded'),
    onPayoutFailed: tell('onPayoutFailed'),
    onReport: tell('onReport'),
    ...(clock && { clock }),
  });
}
