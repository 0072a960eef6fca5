import { returnIdIn } from '../../contract/return-id.js';
import type { ServicePayin } from '../../service/resources.js';
import type { CheckoutContext } from '../context.js';
import { orderIdIn, randomId } from '../ids.js';
import type { StoredOrder } from '../order-repository.js';
import { adoptPayin } from '../orders/adopt.js';
import { observePayin } from '../orders/observation.js';
import { type Choice, newOrder, rowIds } from '../orders/record.js';
import { isTombstone } from '../orders/tombstone.js';
import type { Worker } from '../work/worker.js';

/** Gives the payin to the order that its reference proves, when the merchant still knows it. */
export async function adopt(
  context: CheckoutContext,
  worker: Worker,
  payin: ServicePayin,
): Promise<StoredOrder | undefined> {
  const { settings } = context;
  const order = await orderIdIn(payin.reference);
  if (order === undefined || payin.paymentLinkId !== null) return undefined;
  const known = await settings.options.findOrder(order);
  const amountInCents = payin.amountInCents ?? known?.amountInCents;
  if (known === null || known === undefined || amountInCents === undefined) return undefined;
  const returnId = payin.callbackUrl === null ? null : returnIdIn(payin.callbackUrl);
  const choice = choiceOf(payin);
  if (choice?.kind !== 'PAYIN') return undefined;
  const lifetimeMs = settings.lifetimeMs[choice.rail];
  const createdAt = Date.parse(payin.createdAt);
  const token = settings.options.orderSecret === undefined ? order : await context.tokens.sign(order);
  const rowId = rowIds.order(order);
  const { result: isGone } = await context.repository.change(rowId, (record, now) => {
    // It was paid and removed: what its payments were is not known any more.
    if (record !== undefined && isTombstone(record)) return { record, result: true };
    const adopted = adoptPayin(
      record ?? newOrder(order),
      {
        id: returnId?.id ?? randomId(),
        otherId: randomId(),
        token,
        choice,
        amountInCents,
        orderAmountInCents: known.amountInCents,
        merchant: settings.merchant,
        createdAt,
        expiresAt: lifetimeMs === null ? null : createdAt + lifetimeMs,
        reference: payin.reference,
        observed: observePayin(payin),
      },
      now,
      settings.chargebackWatchMs,
    );
    return { record: adopted, result: false };
  });
  if (isGone) return undefined;
  await worker.process(rowId);
  return context.repository.read(rowId);
}

/** Undefined for a rail that this release does not know. */
function choiceOf({ rail, sourceData }: ServicePayin): Choice | undefined {
  if (rail === 'BRE_B') {
    return {
      kind: 'PAYIN',
      rail,
      keyType: (sourceData?.qrString ?? null) === null ? 'SINGLE_USE' : 'QR_CODE',
    };
  }
  if (rail !== 'PSE') return undefined;
  return { kind: 'PAYIN', rail, bank: sourceData?.bank ?? '', bankName: null, personType: 'INDIVIDUAL' };
}
