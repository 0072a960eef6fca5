import { isFinal } from '../../contract/status.js';
import type { Core } from './context.js';
import { outcomeByScenario } from './creation.js';
import { EngineError } from './engine-error.js';
import type { LinkRecord, Outcome, PayinRecord, PayoutRecord, SettlementStatus } from './state.js';

/** What happens to payins, payouts and links after they exist. */

/** An outcome as the world brings it about: scenarios may delay it or have it change its mind. */
export function decide(core: Core, id: string, outcome: Outcome): PayinRecord | PayoutRecord {
  const record = transaction(core, id);
  if (isFinal(record.status)) throw new EngineError('already_final');
  // The decision was made before and is on its way.
  if (core.jobs.has('settle', id)) return record;
  core.jobs.cancel('decide', id);
  const nowMs = core.clock.now();
  if (outcome === 'CONFIRMED' && core.mishaps.applies('late-confirmation', record)) {
    const dueAtMs = Math.max(nowMs, record.createdAtMs + core.timings.lateConfirmationMs);
    core.jobs.schedule({ kind: 'settle', id, outcome }, dueAtMs);
    return record;
  }
  const secondThought =
    outcome === 'CONFIRMED' &&
    record.kind === 'payin' &&
    core.mishaps.applies('declined-then-confirmed', record);
  if (!secondThought) return settle(core, id, outcome);
  const declined = settle(core, id, 'DECLINED');
  core.jobs.schedule({ kind: 'settle', id, outcome }, nowMs + core.timings.secondThoughtMs);
  return declined;
}

/**
 * Makes an outcome true now. A payin that was declined or canceled can still be confirmed, because banks do that;
 * nothing else moves out of a final status.
 */
export function settle(
  core: Core,
  id: string,
  outcome: Outcome,
  confirmedAmountInCents?: number,
): PayinRecord | PayoutRecord {
  const record = transaction(core, id);
  if (confirmedAmountInCents !== undefined && (record.kind !== 'payin' || outcome !== 'CONFIRMED')) {
    throw new EngineError('invalid_amount');
  }
  if (record.status === outcome) return record;
  const late = record.kind === 'payin' && outcome === 'CONFIRMED' && record.status !== 'CONFIRMED';
  if (isFinal(record.status) && !late) throw new EngineError('already_final');
  core.jobs.cancel('decide', id);
  core.jobs.cancel('settle', id);
  const nowMs = core.clock.now();
  const result = { status: outcome, updatedAtMs: nowMs, resultAtMs: nowMs };
  if (record.kind === 'payout') {
    const payout = core.payouts.put({ ...record, ...result, errorCode: PAYOUT_ERRORS[outcome] });
    core.tell(`payout.${outcome.toLowerCase()}`, payout);
    return payout;
  }
  const confirmed = outcome === 'CONFIRMED';
  const payin = core.payins.put({
    ...record,
    ...result,
    errorCode: PAYIN_ERRORS[outcome],
    confirmedAmountInCents: confirmed ? (confirmedAmountInCents ?? amountThatArrives(core, record)) : null,
    settlementStatus: confirmed ? 'PENDING_SETTLEMENT' : null,
  });
  afterPayin(core, payin);
  return payin;
}

/** A link's payin speaks only through the link, and only when it was paid while the link lived. */
function afterPayin(core: Core, payin: PayinRecord): void {
  if (payin.status === 'CONFIRMED' && core.mishaps.applies('chargeback', payin)) {
    const dueAtMs = core.clock.now() + core.timings.secondThoughtMs;
    core.jobs.schedule({ kind: 'charge-back', payinId: payin.id }, dueAtMs);
  }
  if (payin.paymentLinkId === null) {
    core.tell(`payin.${payin.status.toLowerCase()}`, payin);
    return;
  }
  const link = currentLink(core, payin.paymentLinkId);
  if (payin.status !== 'CONFIRMED' || link?.status !== 'PENDING') return;
  core.jobs.cancel('expire-link', link.id);
  const nowMs = core.clock.now();
  const completed = core.links.put({
    ...link,
    status: 'COMPLETED',
    updatedAtMs: nowMs,
    completedAtMs: nowMs,
  });
  core.tell('paymentlink.completed', completed);
}

/**
 * The payer opened the bank's or the checkout page: from here on the outcome is a click, not a timer, unless a scenario
 * has said what it is.
 */
export function takeOver(core: Core, payin: PayinRecord): PayinRecord {
  if (outcomeByScenario(core, payin) === undefined) core.jobs.cancel('decide', payin.id);
  if (payin.status !== 'PENDING') return payin;
  const processing = core.payins.put({ ...payin, status: 'PROCESSING', updatedAtMs: core.clock.now() });
  if (processing.paymentLinkId === null) core.tell('payin.processing', processing);
  return processing;
}

export function showPseUrl(core: Core, payinId: string): void {
  const payin = core.payins.get(payinId);
  if (payin?.source.rail !== 'PSE' || core.mishaps.applies('pse-url-never-set', payin)) return;
  core.payins.put({
    ...payin,
    source: { ...payin.source, ready: true, cus: core.random.digits(10) },
    updatedAtMs: core.clock.now(),
  });
}

/** The link now. Its last instant is exact even where a timer is late. */
export function currentLink(core: Core, linkId: string): LinkRecord | undefined {
  const link = core.links.get(linkId);
  const over = link?.status === 'PENDING' && core.clock.now() >= link.expiresAtMs;
  return over ? expireLink(core, linkId) : link;
}

export function expireLink(core: Core, linkId: string): LinkRecord {
  const link = core.links.get(linkId);
  if (!link) throw new EngineError('not_found');
  if (link.status === 'EXPIRED') return link;
  if (link.status === 'COMPLETED') throw new EngineError('already_final');
  core.jobs.cancel('expire-link', linkId);
  // Told to expire early, it expires now; a late timer does not move the hour.
  const atMs = Math.min(core.clock.now(), link.expiresAtMs);
  const expired = core.links.put({ ...link, status: 'EXPIRED', updatedAtMs: atMs, expiresAtMs: atMs });
  core.tell('paymentlink.expired', expired);
  return expired;
}

export function moveSettlement(core: Core, payinId: string, status: SettlementStatus): PayinRecord {
  const payin = confirmedPayin(core, payinId);
  return core.payins.put({ ...payin, settlementStatus: status, updatedAtMs: core.clock.now() });
}

/** The money goes back. The service names no event for it, so none is sent. */
export function chargeBack(core: Core, payinId: string): PayinRecord {
  const payin = confirmedPayin(core, payinId);
  if (payin.chargebackAtMs !== null) return payin;
  core.jobs.cancel('charge-back', payinId);
  const nowMs = core.clock.now();
  return core.payins.put({
    ...payin,
    settlementStatus: 'REVERSED',
    chargebackAtMs: nowMs,
    updatedAtMs: nowMs,
  });
}

function confirmedPayin(core: Core, payinId: string): PayinRecord {
  const payin = core.payins.get(payinId);
  if (!payin) throw new EngineError('not_found');
  if (payin.status !== 'CONFIRMED') throw new EngineError('not_confirmed');
  return payin;
}

function transaction(core: Core, id: string): PayinRecord | PayoutRecord {
  const record = core.payins.get(id) ?? core.payouts.get(id);
  if (!record) throw new EngineError('not_found');
  return record;
}

/** A tenth more or less, and at least a cent. */
function amountThatArrives(core: Core, payin: PayinRecord): number {
  const difference = Math.max(1, Math.floor(payin.amountInCents / 10));
  if (core.mishaps.applies('underpaid', payin)) return payin.amountInCents - difference;
  if (core.mishaps.applies('overpaid', payin)) {
    return Math.min(payin.amountInCents + difference, Number.MAX_SAFE_INTEGER);
  }
  return payin.amountInCents;
}

/** The service's own values are not shown; these say what a merchant would want to tell apart. */
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
