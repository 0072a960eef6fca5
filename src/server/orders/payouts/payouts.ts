import type { PayoutState } from '../../../contract/merchant/payouts.js';
import type { PayoutEvent } from '../../../contract/service/events.js';
import { isFinal, isPaid, type PayinStatus } from '../../../contract/status.js';
import { isoTime } from '../../../service/clock.js';
import type { PayoutNotice, PayoutOutcomeNotice } from '../../hooks.js';
import { sameId } from '../observation.js';
import type { PayoutRecord, PayoutRequest } from './payout-record.js';
import { hasReference, newOrder, type NoticeRecord, type OrderRecord } from '../record.js';
import { mayHaveLeft, payoutById, payoutsOf, refundedInCents, returnableInCents } from './refunds.js';
import { backOffMs } from '../schedule.js';
import { SUBMISSION_MARGIN_MS } from '../submissions.js';

/**
 * The life of a payout: drafted, queued by a person, sent once, followed to its outcome. The service has no call that
 * reads a payout, so one whose answer was lost stays unclear until its event comes or a person says what happened; it is
 * never sent again.
 */

const MINUTE_MS = 60_000;
/** How long a draft lasts: the owner of the key may change after the person has compared it. */
const DRAFT_FOR_MS = 15 * MINUTE_MS;
/** How long a service that certainly did nothing is tried again. */
const SEND_FOR_MS = 15 * MINUTE_MS;
const LONGEST_PAUSE_MS = MINUTE_MS;

export type NewPayout = Pick<
  PayoutRecord,
  'id' | 'reference' | 'amountInCents' | 'payment' | 'receiver' | 'note'
> & { readonly request: PayoutRequest };

export function addDraft(record: OrderRecord, draft: NewPayout, now: number): OrderRecord {
  const payout: PayoutRecord = {
    ...draft,
    state: 'DRAFT',
    version: 1,
    steps: [{ state: 'DRAFT', at: now }],
    sendAt: null,
    tries: 0,
    giveUpAt: now + DRAFT_FOR_MS,
    serviceId: null,
    reason: null,
    errorCode: null,
    reported: null,
    contradiction: null,
  };
  return { ...record, payouts: [...payoutsOf(record), payout] };
}

/** Removes a draft, and the customer's data with it. What was queued stays. */
export function discardDraft(record: OrderRecord, id: string): OrderRecord {
  if (payoutById(record, id)?.state !== 'DRAFT') return record;
  return { ...record, payouts: payoutsOf(record).filter((payout) => payout.id !== id) };
}

export interface SendOrder {
  /** The draft's, as the person saw it. */
  readonly version: number;
  /** The person accepts that the key belongs to another person than was expected. */
  readonly receiverAccepted: boolean;
}

export type Queued =
  | { readonly outcome: 'queued'; readonly record: OrderRecord }
  | { readonly outcome: 'not_found' | 'stale' | 'receiver_differs' | 'reference_taken' }
  | { readonly outcome: 'too_large'; readonly returnableInCents: number };

/** A person wants the draft sent. The limit is decided here, in the transaction that counts the refund as gone. */
export function queuePayout(
  record: OrderRecord | undefined,
  id: string,
  { version, receiverAccepted }: SendOrder,
  now: number,
): Queued {
  const payout = record && payoutById(record, id);
  if (record === undefined || payout === undefined) return { outcome: 'not_found' };
  if (payout.state !== 'DRAFT' || payout.version !== version) return { outcome: 'stale' };
  if ((payout.giveUpAt ?? 0) <= now) return { outcome: 'not_found' };
  if (payout.receiver.differs === true && !receiverAccepted) return { outcome: 'receiver_differs' };
  if (hasReference(record, payout.reference)) return { outcome: 'reference_taken' };
  const left = returnableInCents(record, payout.payment);
  if (left !== null && payout.amountInCents > left) return { outcome: 'too_large', returnableInCents: left };
  return {
    outcome: 'queued',
    record: moved(record, payout, 'SENDING', { sendAt: now, giveUpAt: now + SEND_FOR_MS }, now),
  };
}

/** The service is about to be called, once. Only the instance that makes this move holds the request afterwards. */
export function beginCall(
  record: OrderRecord,
  id: string,
  now: number,
  timeoutMs: number,
): { readonly record: OrderRecord; readonly request: PayoutRequest | null } {
  const payout = payoutById(record, id);
  if (payout?.state !== 'SENDING' || payout.sendAt === null) return { record, request: null };
  const giveUpAt = now + timeoutMs + SUBMISSION_MARGIN_MS;
  const next = withPayout(record, { ...payout, sendAt: null, giveUpAt, request: null });
  return { record: next, request: payout.request };
}

/** The service certainly did nothing: it is called again later, until its time is up. */
export function payoutNotMade(
  record: OrderRecord,
  id: string,
  { request, retryAfterMs = 0 }: { readonly request?: PayoutRequest; readonly retryAfterMs?: number },
  now: number,
): OrderRecord {
  const payout = payoutById(record, id);
  if (payout?.state !== 'SENDING') return record;
  const pauseMs = Math.min(Math.max(backOffMs(payout.tries), retryAfterMs), LONGEST_PAUSE_MS);
  return withPayout(record, {
    ...payout,
    request: request ?? payout.request,
    tries: payout.tries + 1,
    sendAt: now + pauseMs,
    giveUpAt: queuedAt(payout) + SEND_FOR_MS,
  });
}

const queuedAt = ({ steps }: PayoutRecord) => steps.find(({ state }) => state === 'SENDING')?.at ?? 0;

/** Certainly nothing was sent, and nothing will be. */
export function payoutRefused(record: OrderRecord, id: string, reason: string, now: number): OrderRecord {
  const payout = payoutById(record, id);
  if (payout?.state !== 'SENDING') return record;
  return moved(record, payout, 'REFUSED', { ...AT_REST, reason, errorCode: reason }, now);
}

export function payoutUnclear(record: OrderRecord, id: string, reason: string, now: number): OrderRecord {
  const payout = payoutById(record, id);
  if (payout?.state !== 'SENDING') return record;
  return moved(record, payout, 'UNCLEAR', { ...AT_REST, reason }, now);
}

/** The service's answer is never the outcome. An event that was quicker stays. */
export function payoutAccepted(record: OrderRecord, id: string, serviceId: string, now: number): OrderRecord {
  const payout = payoutById(record, id);
  if (payout === undefined) return record;
  if (payout.serviceId !== null && !sameId(payout.serviceId, serviceId))
    return withPayout(record, { ...payout, contradiction: 'second_payout' });
  const known = { ...payout, serviceId };
  if (!['SENDING', 'UNCLEAR', 'REFUSED'].includes(payout.state))
    return payout.serviceId === null ? withPayout(record, known) : record;
  return moved(record, known, 'PROCESSING', { ...AT_REST, reason: null }, now);
}

/** What a person has found out about a payout that has no outcome. Undefined when that is not asked. */
export function resolvePayout(
  record: OrderRecord,
  id: string,
  version: number,
  wasSent: boolean,
  now: number,
): OrderRecord | undefined {
  const payout = payoutById(record, id);
  if (payout === undefined || payout.version !== version) return undefined;
  if (payout.state !== 'UNCLEAR' && payout.state !== 'PROCESSING') return undefined;
  return moved(record, payout, wasSent ? 'CONFIRMED' : 'REFUSED', { ...AT_REST, reason: 'resolved' }, now);
}

/**
 * A payout's event. There is no read that could prove it, so it is passed on as unverified, and moves the payout that it
 * names. Repetitions and events older than the last one are dropped.
 */
export function onPayoutEvent(known: OrderRecord | undefined, event: PayoutEvent, now: number): OrderRecord {
  const record = known ?? newOrder('');
  const { id, errorCode } = event.data;
  const status = event.event.slice('payout.'.length).toUpperCase() as PayinStatus;
  const payout = payoutOf(record, event);
  const isSecond = payout !== undefined && payout.serviceId !== null && !sameId(payout.serviceId, id);
  if (payout === undefined || isSecond) {
    if (!isNews(isSecond ? undefined : record.payout, status)) return record;
    if (isSecond && payout.contradiction === 'second_payout') return record;
    const next = isSecond
      ? withPayout(record, { ...payout, contradiction: 'second_payout' })
      : { ...record, payout: status };
    return withNotice(next, eventNotice(event, status, now), now);
  }
  const named = payout.serviceId === null ? withPayout(record, { ...payout, serviceId: id }) : record;
  const next = payoutReported(named, payout.id, status, errorCode, now);
  return isNews(payout.reported ?? undefined, status)
    ? withNotice(next, eventNotice(event, status, now), now)
    : next;
}

/** Moves a payout as an event claims. An outcome is never taken back; what contradicts it is kept for a person. */
export function payoutReported(
  record: OrderRecord,
  id: string,
  status: PayinStatus,
  errorCode: string | null,
  now: number,
): OrderRecord {
  const payout = payoutById(record, id);
  if (payout === undefined) return record;
  if (payout.state === 'CONFIRMED' && isFinal(status) && !isPaid(status)) {
    if (payout.contradiction === status) return record;
    return withPayout(record, { ...payout, contradiction: status });
  }
  if (!isNews(payout.reported ?? undefined, status)) return record;
  const reported = { ...payout, reported: status };
  const state = stateAfter(payout.state, status);
  if (state === payout.state) return withPayout(record, reported);
  return moved(record, reported, state, { ...AT_REST, reason: null, errorCode }, now);
}

/** The payout of this record that an event is about: by the service's id, else by our reference once it may be there. */
export function payoutOf(record: OrderRecord, { data }: PayoutEvent): PayoutRecord | undefined {
  const payouts = payoutsOf(record);
  return (
    payouts.find(({ serviceId }) => serviceId !== null && sameId(serviceId, data.id)) ??
    payouts.find(({ reference, state }) => reference === data.reference && state !== 'DRAFT')
  );
}

function stateAfter(state: PayoutState, claimed: PayinStatus): PayoutState {
  switch (state) {
    case 'CONFIRMED':
    case 'DRAFT':
      return state;
    case 'DECLINED':
    case 'CANCELED':
      return isPaid(claimed) ? 'CONFIRMED' : state;
    case 'SENDING':
    case 'UNCLEAR':
    case 'PROCESSING':
    case 'REFUSED':
      return claimed === 'PENDING' ? 'PROCESSING' : claimed;
    default:
      throw new TypeError(`Unknown state: ${String(state satisfies never)}`);
  }
}

function isNews(last: PayinStatus | undefined, status: PayinStatus): boolean {
  if (last === undefined) return true;
  if (last === status || isPaid(last)) return false;
  return !isFinal(last) || isPaid(status);
}

/** What happens to payouts by time alone. */
export function advancePayouts(record: OrderRecord, now: number): OrderRecord {
  let next = record;
  for (const { id, state, sendAt, giveUpAt } of payoutsOf(record)) {
    if ((giveUpAt ?? Infinity) > now) continue;
    if (state === 'DRAFT') next = discardDraft(next, id);
    else if (sendAt !== null) next = payoutRefused(next, id, 'unavailable', now);
    // The process that called the service died, or its answer could not be stored.
    else next = payoutUnclear(next, id, 'aborted', now);
  }
  return next;
}

export function advancePayoutsAt(record: OrderRecord): number {
  return Math.min(Infinity, ...payoutsOf(record).map(({ giveUpAt }) => giveUpAt ?? Infinity));
}

/** The payout that waits longest for its turn to be sent. */
export function nextToSend(
  record: OrderRecord,
): { readonly id: string; readonly sendAt: number } | undefined {
  let first: { readonly id: string; readonly sendAt: number } | undefined;
  for (const { id, sendAt } of payoutsOf(record)) {
    if (sendAt !== null && sendAt < (first?.sendAt ?? Infinity)) first = { id, sendAt };
  }
  return first;
}

export function postponeSending(record: OrderRecord, now: number, until: number): OrderRecord {
  return payoutsOf(record).reduce(
    (next, payout) =>
      payout.sendAt !== null && payout.sendAt <= now ? withPayout(next, { ...payout, sendAt: until }) : next,
    record,
  );
}

const AT_REST = { sendAt: null, giveUpAt: null, request: null } as const;

export function withPayout(record: OrderRecord, payout: PayoutRecord): OrderRecord {
  return { ...record, payouts: payoutsOf(record).map((each) => (each.id === payout.id ? payout : each)) };
}

/** Moves a payout to another state and queues the notice of an outcome. */
function moved(
  record: OrderRecord,
  payout: PayoutRecord,
  state: PayoutState,
  change: Partial<PayoutRecord>,
  now: number,
): OrderRecord {
  const next: PayoutRecord = {
    ...payout,
    ...change,
    state,
    version: payout.version + 1,
    steps: [...payout.steps, { state, at: now }],
  };
  const after = withPayout(record, next);
  if (state === 'CONFIRMED') {
    if (!isRefund(after)) return after;
    const refund = {
      ...outcomeNotice(after, next, 'refunded', now),
      refundedInCents: refundedInCents(after),
    };
    return withNotice(after, { hook: 'onRefunded', payload: { ...refund } }, now);
  }
  // A person may have said that it failed before the service did: the merchant acts on that once.
  if (!hasFailed({ state }) || payout.steps.some(hasFailed)) return after;
  const failure = outcomeNotice(after, next, 'payout-failed', now, `.${state}`);
  return withNotice(after, { hook: 'onPayoutFailed', payload: { ...failure } }, now);
}

const hasFailed = ({ state }: Pick<PayoutRecord, 'state'>) => !mayHaveLeft(state) && state !== 'DRAFT';

/** A payout that belongs to no payment has a row of its own, without any. */
const isRefund = ({ payments }: OrderRecord) => payments.length > 0;

function withNotice(
  record: OrderRecord,
  { hook, payload }: Pick<NoticeRecord, 'hook' | 'payload'>,
  now: number,
): OrderRecord {
  const notice: NoticeRecord = { key: String(payload['key']), hook, payload, tries: 0, nextAt: now };
  return { ...record, notices: [...record.notices, notice] };
}

function eventNotice({ data }: PayoutEvent, status: PayinStatus, now: number) {
  const payload: PayoutNotice = {
    key: `payout.${data.id}.${status}`,
    payout: data.id,
    reference: data.reference,
    status,
    errorCode: data.errorCode,
    verified: false,
    at: isoTime(now),
  };
  return { hook: 'onPayout', payload: { ...payload } } as const;
}

function outcomeNotice(
  record: OrderRecord,
  payout: PayoutRecord,
  name: string,
  now: number,
  keySuffix = '',
): PayoutOutcomeNotice {
  return {
    key: `${name}.${payout.reference}${keySuffix}`,
    payout: payout.id,
    order: record.order === '' ? null : record.order,
    payment: payout.payment,
    reference: payout.reference,
    serviceId: payout.serviceId,
    status: payout.state,
    amountInCents: payout.amountInCents,
    currency: 'COP',
    errorCode: payout.errorCode,
    at: isoTime(now),
  };
}
