import type { PayoutState } from '../../../contract/merchant/payouts.js';
import type { PayoutRecord } from './payout-record.js';
import type { OrderRecord, PaymentRecord } from '../record.js';
import { sameId } from '../observation.js';

/** How much of an order's money has gone back, and how much may still go. */

export function payoutsOf(record: OrderRecord): readonly PayoutRecord[] {
  return record.payouts ?? [];
}

export function payoutById(record: OrderRecord, id: string): PayoutRecord | undefined {
  return payoutsOf(record).find((payout) => payout.id === id);
}

/** Money that was sent, or may have been, counts as gone. */
export function mayHaveLeft(state: PayoutState): boolean {
  return state === 'SENDING' || state === 'UNCLEAR' || state === 'PROCESSING' || state === 'CONFIRMED';
}

/** Money is on its way, or may be: its outcome is not known. */
export function hasOpenPayouts(record: OrderRecord): boolean {
  return payoutsOf(record).some(({ state }) => mayHaveLeft(state) && state !== 'CONFIRMED');
}

/** A payment by the service's id of its payin, or by its reference where no other payment has the same. */
export function paymentNamed({ payments }: OrderRecord, name: string): PaymentRecord | undefined {
  const byId = payments.find(({ serviceId }) => sameId(serviceId, name));
  if (byId !== undefined) return byId;
  const [first, ...others] = payments.filter(({ reference }) => reference === name);
  return others.length === 0 ? first : undefined;
}

/**
 * What may still be given back: what came in less what went back, by refunds, open ones too, and by chargebacks. Of one
 * payment, by the service's id, at most what it brought. Null in the row of a payout, which no payment limits.
 */
export function returnableInCents(record: OrderRecord, payment: string | null): number | null {
  const { payments } = record;
  if (record.order === '' && payments.length === 0) return null;
  const gone = payoutsOf(record).filter(({ state }) => mayHaveLeft(state));
  const chargedBack = payments.filter(({ chargebackAt }) => chargebackAt !== null);
  const ofOrder = sum(payments) - sum(chargedBack) - sum(gone);
  if (payment === null) return Math.max(0, ofOrder);
  const own = payments.filter(({ serviceId }) => sameId(serviceId, payment));
  const ownGone = gone.filter((each) => each.payment !== null && sameId(each.payment, payment));
  const ofPayment = sum(own.filter(({ chargebackAt }) => chargebackAt === null)) - sum(ownGone);
  return Math.max(0, Math.min(ofOrder, ofPayment));
}

/** What has arrived at its receivers. */
export function refundedInCents(record: OrderRecord): number {
  return sum(payoutsOf(record).filter(({ state }) => state === 'CONFIRMED'));
}

function sum(amounts: readonly { readonly amountInCents: number }[]): number {
  return amounts.reduce((total, { amountInCents }) => total + amountInCents, 0);
}
