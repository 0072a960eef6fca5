import { HOOK_NAMES, type HookName, type Hooks } from '../../server/hooks.js';
import { KitError } from '../../server/kit-error.js';
import type { MerchantOrder } from '../../server/options.js';
import { readBoundedText } from '../../service/bounded-body.js';
import { signatureHeaders } from './standard-webhooks.js';

/** The shop behind `serve`, in whatever language it is written: asked for orders, and sent notices, over HTTP. */

export interface ShopOutcomes {
  readonly url: string;
  /** `whsec_…` each. All of them sign each notice, so that the shop may change from one to the next. */
  readonly secrets: readonly string[];
  /** The hooks that the shop takes, `onConfirmed` among them; all when absent. */
  readonly hooks?: readonly HookName[] | undefined;
}

/** What the shop did wrong, in a sentence for the log. */
class ShopError extends KitError {
  override readonly name = 'ShopError';
}

/** The system's code, such as ECONNREFUSED. The message may hold more. */
function reasonOf(error: unknown): string {
  const { name, cause } = Object(error) as { name?: unknown; cause?: unknown };
  const { code } = Object(cause) as { code?: unknown };
  if (name === 'TimeoutError') return ` within ${TIMEOUT_MS / 1_000} s`;
  return typeof code === 'string' ? ` (${code})` : '';
}

const TIMEOUT_MS = 10_000;
const MAX_ORDER_BYTES = 65_536;

/** `url` has {id} where the order's id belongs. 404 means that there is no such order; anything else that is not 200 is trouble, not a missing order. */
export function ordersFrom(url: string, secret: string): (id: string) => Promise<MerchantOrder | null> {
  return async (id) => {
    const response = await fetch(url.replaceAll('{id}', encodeURIComponent(id)), {
      headers: { accept: 'application/json', authorization: `Bearer ${secret}` },
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    }).catch((error: unknown) => {
      throw new ShopError(`The shop could not be asked for an order at orders.url${reasonOf(error)}`);
    });
    if (response.status === 404) return null;
    if (!response.ok) throw new ShopError(`The shop answered ${response.status} when asked for an order`);
    try {
      return JSON.parse(await readBoundedText(response, MAX_ORDER_BYTES)) as MerchantOrder;
    } catch {
      throw new ShopError('The shop did not answer with JSON when asked for an order');
    }
  };
}

/** Sends each notice to the shop. An answer that is not 2xx throws, and the kit sends it again, under the same id. */
export function outcomesTo({ url, secrets, hooks = HOOK_NAMES }: ShopOutcomes): Hooks {
  const send = (hook: HookName) => async (notice: { readonly key: string }) => {
    const body = JSON.stringify({ hook, notice });
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'idempotency-key': notice.key,
        ...(await signatureHeaders(secrets, notice.key, body, new Date())),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    if (!response.ok) throw new ShopError(`The shop answered ${response.status} to ${hook}`);
  };
  return Object.fromEntries(hooks.map((hook) => [hook, send(hook)])) as unknown as Hooks;
}
