import type { Offer } from '../../contract/backend.js';
import type { CheckoutContext } from '../context.js';
import type { StoredOrder } from '../order-repository.js';
import { rowIds } from '../orders/record.js';
import { isTombstone } from '../orders/tombstone.js';
import { applyPrice } from '../orders/settlement.js';
import type { Access } from './access.js';
import { closedOfferView, offerView, prepareOrder } from './offer.js';

interface ReadOffer {
  readonly stored: StoredOrder | undefined;
  /** Undefined for an order that is not offered and that no payer has tried to pay. */
  readonly view: Offer | undefined;
}

/** The order's offer as it is now. */
export async function readOffer(context: CheckoutContext, { orderId, order }: Access): Promise<ReadOffer> {
  const found = await context.repository.read(rowIds.order(orderId));
  if (found !== undefined && isTombstone(found.record)) return { stored: undefined, view: undefined };
  const stored = found && order ? await pricedOrder(context, found, order.amountInCents) : found;
  const now = context.now();
  const view =
    order === null
      ? closedOfferView(stored?.record, now)
      : offerView(context.settings, order, stored?.record, now);
  return { stored, view };
}

/** The same for the merchant's own server, which needs no token to ask. */
export async function offerOf(context: CheckoutContext, orderId: string): Promise<Offer | null> {
  const order = await context.settings.options.findOrder(orderId);
  const prepared = order ? await prepareOrder(context.settings, orderId, orderId, order) : null;
  return (await readOffer(context, { orderId, order: prepared })).view ?? null;
}

/** A data block runs nothing, so a strict policy allows it. Without `<` in it, no description can end it early. */
export function offerTag(offer: Offer | null): string {
  if (offer === null || offer.attempt) return '';
  return `<script type="application/json">${JSON.stringify(offer).replaceAll('<', '\\u003c')}</script>`;
}

/** The order as it stands at what it costs now: a lowered price may have completed it. */
async function pricedOrder(
  context: CheckoutContext,
  stored: StoredOrder,
  amountInCents: number,
): Promise<StoredOrder> {
  const { rowId, record } = stored;
  if (applyPrice(record, amountInCents, context.now()) === record) return stored;
  return (
    (await context.repository.apply(rowId, (each, now) => applyPrice(each, amountInCents, now))) ?? stored
  );
}
