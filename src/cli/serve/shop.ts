import type { Hooks } from '../../server/hooks.js';
import type { MerchantOrder } from '../../server/options.js';
import { readBoundedText } from '../../service/bounded-body.js';

/** A shop whose own backend is not JavaScript, spoken to over HTTP. */
export interface ShopPeer {
  readonly url: string;
  readonly secret: string;
}

const TIMEOUT_MS = 10_000;
const MAX_ORDER_BYTES = 65_536;

/** Asks the shop for an order. 404 means there is none; anything else that is not 200 is trouble, not a missing order. */
export function ordersFrom({ url, secret }: ShopPeer): (id: string) => Promise<MerchantOrder | null> {
  return async (id) => {
    const response = await fetch(url.replaceAll('{id}', encodeURIComponent(id)), {
      headers: { accept: 'application/json', authorization: `Bearer ${secret}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new Error(`The shop answered ${response.status} when asked for an order`);
    return JSON.parse(await readBoundedText(response, MAX_ORDER_BYTES)) as MerchantOrder;
  };
}

const HOOKS = [
  'onConfirmed',
  'onDeclined',
  'onCanceled',
  'onDuplicatePayment',
  'onAmountMismatch',
  'onChargeback',
  'onPayout',
  'onReport',
] as const satisfies (keyof Hooks)[];

/** Tells the shop. Whatever is not 2xx throws, and the kit tells it again later, under the same key. */
export function outcomesTo({ url, secret }: ShopPeer): Hooks {
  const tell = (hook: string) => async (notice: { readonly key: string }) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${secret}`,
        'idempotency-key': notice.key,
      },
      body: JSON.stringify({ hook, notice }),
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`The shop answered ${response.status} when told of ${hook}`);
  };
  return Object.fromEntries(HOOKS.map((hook) => [hook, tell(hook)])) as unknown as Hooks;
}
