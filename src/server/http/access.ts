import { OrderTokenSchema, type Offer } from '../../contract/backend.js';
import { read } from '../../contract/schema.js';
import { attemptText } from './attempt-text.js';
import type { Kit } from '../context.js';
import { prepareOrder, type PreparedOrder } from './offer.js';
import { currentAttempt, type OrderRecord, payingAttempt } from '../orders/record.js';
import { ProblemError } from './responses.js';

/** The order that a request names and may see. Whatever is wrong, the answer is the same 404. */
export async function accessOrder(kit: Kit, request: Request, token: string): Promise<PreparedOrder> {
  const orderId = await allowedOrderId(kit, request, token);
  const order = orderId === undefined ? undefined : await kit.settings.options.findOrder(orderId);
  if (orderId === undefined || order === undefined || order === null) throw new ProblemError('not_found');
  return prepareOrder(kit.settings, orderId, token, order);
}

async function allowedOrderId(kit: Kit, request: Request, token: string): Promise<string | undefined> {
  if (!read(OrderTokenSchema, token).ok) return undefined;
  const { orderSecret, authorize } = kit.settings.options;
  const signed = orderSecret === undefined ? undefined : await kit.tokens.verify(token);
  if (signed !== undefined) return signed;
  return authorize !== undefined && (await authorize(request, token)) === true ? token : undefined;
}

/** The offer as JSON: with the attempt that paid, or else the current one. */
export function offerText(
  kit: Kit,
  order: PreparedOrder,
  record: OrderRecord | undefined,
  now: number,
): string {
  const attempt = record && (payingAttempt(record) ?? currentAttempt(record));
  const offer: Omit<Offer, 'attempt'> = {
    version: order.version,
    amountInCents: order.amountInCents,
    currency: order.currency,
    description: order.description,
    merchant: kit.settings.merchant,
    methods: order.methods.map(({ wire }) => wire),
    hints: order.hints,
    now: new Date(now).toISOString(),
  };
  const text = record === undefined || attempt === undefined ? 'null' : attemptText(record, attempt, now);
  return `${JSON.stringify(offer).slice(0, -1)},"attempt":${text}}`;
}
