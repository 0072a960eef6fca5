import { withDeadline } from '../../service/deadline.js';
import { PayoutUnclearError, ServiceError } from '../../service/errors.js';
import type { Receiver, ServicePayout } from '../../service/resources.js';
import { type CheckoutContext, failureFacts } from '../context.js';
import { digest } from '../ids.js';
import type { PayoutRecord, PayoutRequest } from '../orders/payouts/payout-record.js';
import {
  beginCall,
  payoutAccepted,
  payoutNotMade,
  payoutRefused,
  payoutReported,
  payoutUnclear,
} from '../orders/payouts/payouts.js';
import { type OrderRecord, rowIds } from '../orders/record.js';
import type { StoredOrder } from '../order-repository.js';
import { payoutById } from '../orders/payouts/refunds.js';
import { KeyTakenError } from '../stores/store.js';
import type { ReadBudget } from './read-budget.js';

const LOOKUP_TIMEOUT_MS = 5_000;

/** What is compared when it is sent: the key may have another owner than the one a person was shown. */
export function receiverDigest(receiver: Receiver): Promise<string> {
  return digest(JSON.stringify(Object.entries(receiver).sort()));
}

interface PayoutFacts<Customer> {
  readonly amountInCents: number;
  readonly reference: string;
  readonly customer: Customer;
  readonly keyString: string;
}

/** What the service is sent: checked with the draft, whose customer may be missing, and sent later. */
export const payoutBody = <Customer>({
  amountInCents,
  reference,
  customer,
  keyString,
}: PayoutFacts<Customer>) =>
  ({
    amountInCents,
    currency: 'COP',
    rail: 'BRE_B',
    reference,
    inlineCustomer: customer,
    breb: { keyString },
  }) as const;

/**
 * Sends a queued payout, once, under the lease of its row. The intent is stored as begun before the service is called:
 * a process that dies afterwards leaves a payout that is unclear, never one that is sent again.
 */
export async function sendPayout(
  context: CheckoutContext,
  budget: ReadBudget,
  order: StoredOrder,
  id: string,
): Promise<StoredOrder | undefined> {
  const { rowId } = order;
  const payout = payoutById(order.record, id);
  if (payout === undefined || payout.request === null) return order;
  budget.spend();
  const trouble = await ownerTrouble(context, payout.request);
  if (trouble !== undefined) return storeFailure(context, rowId, payout, trouble, notBegun(payout, trouble));
  const { createTimeoutMs } = context.settings;
  const { order: begun, result: request } = await context.repository.change(rowId, (before, now) => {
    if (before === undefined) return { record: before, result: null };
    const { record, request: toSend } = beginCall(before, id, now, createTimeoutMs);
    return { record, result: toSend };
  });
  // Another instance has begun, or it was given up meanwhile.
  if (request === null) return begun;
  const startedAt = context.now();
  let made: ServicePayout;
  try {
    made = await create(context, payout, request);
  } catch (error) {
    return storeFailure(context, rowId, payout, error, notAnswered(payout, request, error));
  }
  context.measure({ name: 'service.create', value: context.now() - startedAt, unit: 'ms', label: 'PAYOUT' });
  return storeAnswer(context, rowId, payout, made);
}

/** Why it is not sent now, if anything: the owner of its key cannot be looked up, or is another one. */
async function ownerTrouble(context: CheckoutContext, request: PayoutRequest): Promise<unknown> {
  try {
    const receiver = await context.service.keys.lookup(request.keyString, { timeoutMs: LOOKUP_TIMEOUT_MS });
    if ((await receiverDigest(receiver)) === request.receiverDigest) return undefined;
    return new ServiceError('receiver_not_confirmed', 'payouts.create');
  } catch (error) {
    return error;
  }
}

function create(
  context: CheckoutContext,
  { reference, amountInCents }: PayoutRecord,
  { customer, keyString }: PayoutRequest,
): Promise<ServicePayout> {
  const { clock, createTimeoutMs: timeoutMs } = context.settings;
  const payout = payoutBody({ amountInCents, reference, customer, keyString });
  return withDeadline(clock, timeoutMs, (signal) =>
    context.service.payouts.create(payout, { signal, timeoutMs }),
  );
}

/** Stores the service's answer. One that is about something else proves nothing. */
async function storeAnswer(
  context: CheckoutContext,
  rowId: string,
  { id, reference, amountInCents }: PayoutRecord,
  made: ServicePayout,
): Promise<StoredOrder | undefined> {
  const isOurs =
    made.reference === reference && (made.amountInCents === null || made.amountInCents === amountInCents);
  let answered: StoredOrder | undefined;
  try {
    answered = await context.repository.apply(rowId, (record, now) =>
      isOurs ? payoutAccepted(record, id, made.id, now) : payoutUnclear(record, id, 'answer_differs', now),
    );
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    // The id in the answer is another payment's, so the answer cannot be used.
    return context.repository.apply(rowId, (record, now) => payoutUnclear(record, id, 'answer_differs', now));
  }
  // An event that named no reference came before its id was known here.
  const stray = (await context.repository.read(rowIds.payout(made.id)))?.record.payout;
  if (!isOurs || stray === undefined) return answered;
  return context.repository.apply(rowId, (record, now) => payoutReported(record, id, stray, null, now));
}

type Decision = (record: OrderRecord, now: number) => OrderRecord;

async function storeFailure(
  context: CheckoutContext,
  rowId: string,
  { reference }: PayoutRecord,
  error: unknown,
  decide: Decision,
): Promise<StoredOrder | undefined> {
  const facts = failureFacts(error);
  context.measure({ name: 'service.create.failed', value: 1, unit: 'count', label: facts.code });
  context.log({ level: 'warn', event: 'payout_not_made', reference, ...facts }, error);
  return context.repository.apply(rowId, decide);
}

/** This instance did not call the service. Only what another try would not change ends it. */
function notBegun({ id }: PayoutRecord, error: unknown): Decision {
  const isFinal =
    error instanceof ServiceError &&
    ['not_found', 'invalid_input', 'receiver_not_confirmed'].includes(error.kind);
  return (record, now) => {
    // The lookup may have outlasted the lease, and another instance may have begun meanwhile.
    if ((payoutById(record, id)?.sendAt ?? null) === null) return record;
    return isFinal ? payoutRefused(record, id, error.kind, now) : payoutNotMade(record, id, {}, now);
  };
}

/** The service was called. Only what proves that nothing was sent lets it be called again. */
function notAnswered({ id }: PayoutRecord, request: PayoutRequest, error: unknown): Decision {
  if (!(error instanceof ServiceError)) return (record, now) => payoutUnclear(record, id, 'unexpected', now);
  const { kind, retryAfterMs, serviceCode } = error;
  // A conflict may be about this reference, made by a call whose answer was lost.
  if (error.mayHaveHappened || kind === 'conflict') {
    const reason = error instanceof PayoutUnclearError ? error.origin : kind;
    return (record, now) => payoutUnclear(record, id, reason, now);
  }
  const isFinal = ['invalid_input', 'refused', 'not_found', 'unauthorized'].includes(kind);
  return (record, now) =>
    isFinal
      ? payoutRefused(record, id, serviceCode ?? kind, now)
      : payoutNotMade(record, id, { request, ...(retryAfterMs !== null && { retryAfterMs }) }, now);
}
