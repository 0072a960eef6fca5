import { isFinal } from '../../contract/status.js';
import type { EngineContext } from './context.js';
import { outcomeByScenario } from './creation.js';
import { EngineError } from './engine-error.js';
import type { LinkRecord, Outcome, PayinRecord, PayoutRecord, SettlementStatus } from './state.js';

/** What happens to payins, payouts and links after they exist. */

/** Applies an outcome the way a bank would: scenarios may delay it or reverse it later. */
export function decide(context: EngineContext, id: string, outcome: Outcome): PayinRecord | PayoutRecord {
  const record = transaction(context, id);
  if (isFinal(record.status)) throw new EngineError('already_final');
  // An earlier decision is already scheduled.
  if (context.jobs.has('settle', id)) return record;
  context.jobs.cancel('decide', id);
  const nowMs = context.clock.now();
  if (outcome === 'CONFIRMED' && context.mishaps.applies('late-confirmation', record)) {
    const dueAtMs = Math.max(nowMs, record.createdAtMs + context.timings.lateConfirmationMs);
    context.jobs.schedule({ kind: 'settle', id, outcome }, dueAtMs);
    return record;
  }
  const secondThought =
    outcome === 'CONFIRMED' &&
    record.kind === 'payin' &&
    context.mishaps.applies('declined-then-confirmed', record);
  if (!secondThought) return settle(context, id, outcome);
  const declined = settle(context, id, 'DECLINED');
  context.jobs.schedule({ kind: 'settle', id, outcome }, nowMs + context.timings.secondThoughtMs);
  return declined;
}

/**
 * Applies an outcome now. A payin that was declined or canceled can still be confirmed, because banks do that;
 * nothing else moves out of a final status. Scenarios may have it declined instead.
 */
export function settle(
  context: EngineContext,
  id: string,
  wanted: Outcome,
  confirmedAmountInCents?: number,
): PayinRecord | PayoutRecord {
  const record = transaction(context, id);
  if (confirmedAmountInCents !== undefined && (record.kind !== 'payin' || wanted !== 'CONFIRMED')) {
    throw new EngineError('invalid_amount');
  }
  const arrives =
    record.kind === 'payin' && wanted === 'CONFIRMED'
      ? (confirmedAmountInCents ?? amountThatArrives(context, record))
      : null;
  const refusal = record.kind === 'payin' && arrives !== null ? refusalCode(context, record, arrives) : null;
  const outcome = refusal === null ? wanted : 'DECLINED';
  if (record.status === wanted || record.status === outcome) return record;
  const late = record.kind === 'payin' && outcome === 'CONFIRMED' && record.status !== 'CONFIRMED';
  if (isFinal(record.status) && !late) throw new EngineError('already_final');
  context.jobs.cancel('decide', id);
  context.jobs.cancel('settle', id);
  const nowMs = context.clock.now();
  const result = { status: outcome, updatedAtMs: nowMs, resultAtMs: nowMs };
  if (record.kind === 'payout') {
    const payout = context.payouts.put({ ...record, ...result, errorCode: PAYOUT_ERRORS[outcome] });
    context.notify(`payout.${outcome.toLowerCase()}`, payout);
    return payout;
  }
  const confirmed = outcome === 'CONFIRMED';
  const payin = context.payins.put({
    ...record,
    ...result,
    errorCode: refusal ?? PAYIN_ERRORS[outcome],
    confirmedAmountInCents: confirmed ? arrives : null,
    settlementStatus: confirmed ? 'PENDING_SETTLEMENT' : null,
  });
  afterPayin(context, payin);
  return payin;
}

/** A link's payin sends no event of its own: the link completes, if it was paid before it expired. */
function afterPayin(context: EngineContext, payin: PayinRecord): void {
  if (payin.status === 'CONFIRMED' && context.mishaps.applies('chargeback', payin)) {
    const dueAtMs = context.clock.now() + context.timings.secondThoughtMs;
    context.jobs.schedule({ kind: 'charge-back', payinId: payin.id }, dueAtMs);
  }
  if (payin.paymentLinkId === null) {
    context.notify(`payin.${payin.status.toLowerCase()}`, payin);
    return;
  }
  const link = currentLink(context, payin.paymentLinkId);
  if (payin.status === 'CONFIRMED' && link?.status === 'PENDING') completeLink(context, link);
}

function completeLink(context: EngineContext, link: LinkRecord): void {
  context.jobs.cancel('expire-link', link.id);
  const nowMs = context.clock.now();
  const completed = context.links.put({
    ...link,
    status: 'COMPLETED',
    updatedAtMs: nowMs,
    completedAtMs: nowMs,
  });
  context.notify('paymentlink.completed', completed);
}

/**
 * The payer opened the bank's or the checkout page: from here on the outcome is a click, not a timer, unless a scenario
 * has said what it is.
 */
export function takeOver(context: EngineContext, payin: PayinRecord): PayinRecord {
  if (outcomeByScenario(context, payin) === undefined) context.jobs.cancel('decide', payin.id);
  if (payin.status !== 'PENDING') return payin;
  const processing = context.payins.put({ ...payin, status: 'PROCESSING', updatedAtMs: context.clock.now() });
  if (processing.paymentLinkId === null) context.notify('payin.processing', processing);
  return processing;
}

export function showPseUrl(context: EngineContext, payinId: string): void {
  const payin = context.payins.get(payinId);
  if (payin?.source.rail !== 'PSE' || context.mishaps.applies('pse-url-never-set', payin)) return;
  context.payins.put({
    ...payin,
    source: { ...payin.source, ready: true, cus: context.random.digits(10) },
    updatedAtMs: context.clock.now(),
  });
}

/** The link now. Its last instant is exact even where a timer is late. */
export function currentLink(context: EngineContext, linkId: string): LinkRecord | undefined {
  const link = context.links.get(linkId);
  const over = link?.status === 'PENDING' && context.clock.now() >= link.expiresAtMs;
  return over ? expireLink(context, linkId) : link;
}

export function expireLink(context: EngineContext, linkId: string): LinkRecord {
  const link = context.links.get(linkId);
  if (!link) throw new EngineError('not_found');
  if (link.status === 'EXPIRED') return link;
  if (link.status === 'COMPLETED') throw new EngineError('already_final');
  context.jobs.cancel('expire-link', linkId);
  // An early expiry happens now; a late timer does not move the time that was announced.
  const atMs = Math.min(context.clock.now(), link.expiresAtMs);
  const expired = context.links.put({ ...link, status: 'EXPIRED', updatedAtMs: atMs, expiresAtMs: atMs });
  context.notify('paymentlink.expired', expired);
  return expired;
}

export function moveSettlement(
  context: EngineContext,
  payinId: string,
  status: SettlementStatus,
): PayinRecord {
  const payin = confirmedPayin(context, payinId);
  return context.payins.put({ ...payin, settlementStatus: status, updatedAtMs: context.clock.now() });
}

/** The money goes back. The service names no event for it, so none is sent. */
export function chargeBack(context: EngineContext, payinId: string): PayinRecord {
  const payin = confirmedPayin(context, payinId);
  if (payin.chargebackAtMs !== null) return payin;
  context.jobs.cancel('charge-back', payinId);
  const nowMs = context.clock.now();
  return context.payins.put({
    ...payin,
    settlementStatus: 'REVERSED',
    chargebackAtMs: nowMs,
    updatedAtMs: nowMs,
  });
}

function confirmedPayin(context: EngineContext, payinId: string): PayinRecord {
  const payin = context.payins.get(payinId);
  if (!payin) throw new EngineError('not_found');
  if (payin.status !== 'CONFIRMED') throw new EngineError('not_confirmed');
  return payin;
}

function transaction(context: EngineContext, id: string): PayinRecord | PayoutRecord {
  const record = context.payins.get(id) ?? context.payouts.get(id);
  if (!record) throw new EngineError('not_found');
  return record;
}

function amountThatArrives(context: EngineContext, payin: PayinRecord): number {
  const { under, over } = wrongAmountsFor(payin.amountInCents);
  if (context.mishaps.applies('underpaid', payin)) return under;
  return context.mishaps.applies('overpaid', payin) ? over : payin.amountInCents;
}

/** Why a stricter service would not take this payment; null when it would. */
function refusalCode(context: EngineContext, payin: PayinRecord, arrivesInCents: number): string | null {
  const differs = arrivesInCents !== payin.amountInCents;
  if (differs && context.mishaps.applies('other-amounts-refused', payin)) return 'AMOUNT_NOT_ACCEPTED';
  const isLate =
    payin.paymentLinkId !== null && currentLink(context, payin.paymentLinkId)?.status === 'EXPIRED';
  return isLate && context.mishaps.applies('late-payments-refused', payin) ? 'LINK_EXPIRED' : null;
}

/** A tenth less and a tenth more, and at least a cent, in cents. */
export function wrongAmountsFor(amountInCents: number): { readonly under: number; readonly over: number } {
  const difference = Math.max(1, Math.floor(amountInCents / 10));
  return {
    under: amountInCents - difference,
    over: Math.min(amountInCents + difference, Number.MAX_SAFE_INTEGER),
  };
}

/** The interface shows no values of errorCode; these are the sandbox's own. */
const PAYIN_ERRORS = {
  CONFIRMED: null,
  DECLINED: 'DECLINED_BY_BANK',
  CANCELED: 'CANCELED_BY_PAYER',
} as const;
const PAYOUT_ERRORS = {
  CONFIRMED: null,
  DECLINED: 'DECLINED_BY_RECEIVING_BANK',
  CANCELED: 'CANCELED_BY_SERVICE',
} as const;
