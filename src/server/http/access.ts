import { OrderTokenSchema } from '../../contract/backend.js';
import { read } from '../../contract/schema.js';
import type { CheckoutContext } from '../context.js';
import { isOrderId } from '../ids.js';
import { OrderError } from '../kit-error.js';
import { prepareOrder, type PreparedOrder } from './offer.js';
import { ProblemError } from './responses.js';

export interface Access {
  readonly orderId: string;
  /** Null when the merchant no longer offers the order. Its payer may still see what became of it. */
  readonly order: PreparedOrder | null;
}

/** The order that a request names and may see. Whatever is wrong, the answer is the same 404. */
export async function accessOrder(
  context: CheckoutContext,
  request: Request,
  token: string,
  onRefused: () => void,
): Promise<Access> {
  const orderId = await allowedOrderId(context, request, token);
  if (orderId === undefined) {
    // Only requests without a valid token count, so that strangers cannot use up what payers may ask.
    onRefused();
    throw new ProblemError('not_found');
  }
  try {
    const order = await context.settings.options.findOrder(orderId);
    const prepared = order ? await prepareOrder(context.settings, orderId, token, order) : null;
    return { orderId, order: prepared };
  } catch (error) {
    throw new OrderError(orderId, error);
  }
}

async function allowedOrderId(
  context: CheckoutContext,
  request: Request,
  token: string,
): Promise<string | undefined> {
  if (!read(OrderTokenSchema, token).ok) return undefined;
  const { orderSecret, authorize } = context.settings.options;
  const signed = orderSecret === undefined ? undefined : await context.tokens.verify(token);
  if (signed !== undefined) return signed;
  if (authorize === undefined || !isOrderId(token)) return undefined;
  return (await authorize(request, token)) === true ? token : undefined;
}
