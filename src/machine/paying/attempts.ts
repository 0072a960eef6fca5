import type { Attempt } from '../../contract/backend.js';
import { isFinal, isPaid } from '../../contract/status.js';
import { currentOf, isOpen } from '../current.js';
import type { State } from '../state.js';

/** Facts about one attempt. */

/** Where the payer goes to pay: the bank or the hosted page. Null when it is not known yet, or on Bre-B. */
export function addressOf(attempt: Attempt): string | null {
  if (attempt.kind === 'PAYMENT_LINK') return attempt.paymentLinkUrl;
  return attempt.rail === 'PSE' ? (attempt.sourceData?.pseUrl ?? null) : null;
}

/**
 * Money arrived, but not the money that was asked for. An unstated amount means as asked. A part is no difference any
 * more once another payment has completed the order.
 */
export function amountDiffers({ amountInCents, confirmedAmountInCents, settlement, id }: Attempt): boolean {
  if (settlement.state === 'PAID' && settlement.by !== null && settlement.by !== id) return false;
  return (
    (confirmedAmountInCents !== null && confirmedAmountInCents !== amountInCents) ||
    (settlement.state === 'AMOUNT_DIFFERS' && settlement.by === id)
  );
}

/**
 * What is missing after a payment of too little, where a further payment of the rest completes the order; zero
 * otherwise. Only a backend that adds payments up can say so.
 */
export function restInCents(attempt: Attempt): number {
  return isPaid(attempt.status) && attempt.settlement.state === 'AMOUNT_DIFFERS'
    ? missingInCents(attempt)
    : 0;
}

function missingInCents({ settlement: { paidInCents, orderAmountInCents } }: Attempt): number {
  if (paidInCents === undefined || orderAmountInCents === undefined) return 0;
  return Math.max(0, orderAmountInCents - paidInCents);
}

/** Paid, and not as one part of what the backend adds up to one whole payment. */
export function paidInFull(attempt: Attempt): boolean {
  const { id, status, settlement } = attempt;
  if (!isPaid(status) || restInCents(attempt) > 0) return false;
  return settlement.duplicate || settlement.by === null || settlement.by === id;
}

/** A bank may still have this payment: the payer was sent there, and no outcome is known. */
export const mayBeAuthorised = (attempt: Attempt): boolean =>
  isOpen(attempt) && attempt.kind === 'PAYIN' && addressOf(attempt) !== null;

/** The order needs no more money, and what paid it is another attempt. */
export const paidByAnother = ({ id, settlement }: Attempt): boolean =>
  settlement.state !== 'OPEN' && settlement.by !== id;

/** Server clock, or never. */
export const expiresAtMs = ({ expiresAt }: Attempt): number =>
  expiresAt === null ? Infinity : Date.parse(expiresAt);

/** This device's moment for a moment of the server's clock. */
export const localMs = (state: State, serverMs: number): number => serverMs - state.clockOffsetMs;

/**
 * What is known after another answer about the same attempt. Answers may overtake each other (a create's, a read's,
 * another tab's), so a state is never lowered: open gives way to final, unpaid to paid, and nothing goes back.
 */
export function merge(known: Attempt, next: Attempt): Attempt {
  if (known.kind !== next.kind || known.rail !== next.rail) return known;
  const gain = rank(next) - rank(known);
  const stale =
    gain < 0 ||
    (gain === 0 &&
      ((isFinal(known.status) && known.status !== next.status) ||
        Date.parse(next.updatedAt) < Date.parse(known.updatedAt)));
  const [kept, other] = stale ? [known, next] : [next, known];
  const settled = progress(next) > progress(known) ? next.settlement : known.settlement;
  return {
    ...kept,
    ...('sourceData' in kept
      ? { sourceData: kept.sourceData ?? ('sourceData' in other ? other.sourceData : null) }
      : {}),
    settlement: { ...settled, duplicate: known.settlement.duplicate || next.settlement.duplicate },
  } as Attempt;
}

/** How far the order's settlement has come: a later one has more payments, and a complete one ends a partial one. */
function progress(attempt: Attempt): number {
  const { state, payments = [] } = attempt.settlement;
  return state === 'OPEN' ? 0 : 2 * payments.length + (missingInCents(attempt) > 0 ? 1 : 2);
}

const rank = ({ status }: Attempt): number => (isPaid(status) ? 2 : isFinal(status) ? 1 : 0);

/** An attempt the payer could still pay: leaving it is worth a question. */
export function openAttempt({ screen }: State): Attempt | null {
  const current = currentOf(screen);
  return current && isOpen(current) && screen.phase !== 'lapsed' ? current : null;
}

/** The open attempt asks for another amount than the order does now. The key's own amount is the one to pay. */
export function amountChanged({ screen }: State): boolean {
  return (
    'attempt' in screen &&
    screen.offer !== null &&
    isOpen(screen.attempt) &&
    screen.attempt.amountInCents !== screen.offer.amountInCents
  );
}
