import { OrderTokenSchema } from '../../contract/backend.js';
import { read } from '../../contract/schema.js';
import type { CheckoutContext } from '../context.js';
import { isOrderId } from '../ids.js';
import { prepareOrder, type PreparedOrder } from './offer.js';
import { ProblemError } from './responses.js';

/** The order that a request names and may see. Whatever is wrong, the answer is the same 404. */
export async function accessOrder(
  context: CheckoutContext,
  request: Request,
  token: string,
): Promise<PreparedOrder> {
  const orderId = await allowedOrderId(context, request, token);
  const order = orderId === undefined ? undefined : await context.settings.options.findOrder(orderId);
  if (orderId === undefined || order === undefined || order === null) throw new ProblemError('not_found');
  return prepareOrder(context.settings, orderId, token, order);
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
