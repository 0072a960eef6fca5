import { ServiceError } from '../../service/errors.js';
import { read } from '../../contract/schema.js';
import { cents } from '../../contract/fields.js';
import { isPaid } from '../../contract/status.js';
import { type CheckoutContext, failureFacts } from '../context.js';
import { newReference } from '../ids.js';
import { advance, type Task } from '../orders/next-task.js';
import { type Observation, observePayin } from '../orders/observation.js';
import { onEvent, onMismatch, onRead, onReadFailed } from '../orders/apply-observation.js';
import { onLinkRead } from '../orders/link-payins.js';
import { isLink, locate, type OrderRecord } from '../orders/record.js';
import { paymentOf } from '../orders/settlement.js';
import { lookupCutShort, lookupMissed } from '../orders/submissions.js';
import { KeyTakenError } from '../stores/store.js';
import { readLink } from './link-payments.js';
import { searchList } from './list-search.js';
import type { ReadBudget } from './read-budget.js';
import { runHook } from './run-hook.js';
import { sendPayout } from './send-payout.js';
import { storeAnswer, submit } from './submit.js';
import type { StoredOrder } from '../order-repository.js';
import { adoptEarlyEvents } from './unmatched-events.js';

const READ_TIMEOUT_MS = 5_000;
/** When the service is asked too much and does not say for how long. */
const PAUSE_MS = 1_000;

/**
 * Does one task of an order whose lease the caller holds, and stores what came of it. Returns the order as it is then;
 * undefined when it is gone.
 */
export async function perform(
  context: CheckoutContext,
  budget: ReadBudget,
  order: StoredOrder,
  task: Task,
): Promise<StoredOrder | undefined> {
  switch (task.task) {
    case 'advance':
      return advanceOrder(context, order);
    case 'remove': {
      const nothing = { record: undefined, result: undefined, remove: true };
      return (await context.repository.change(order.rowId, () => nothing)).order;
    }
    case 'lookup':
      return lookUp(context, budget, order, task.reference);
    case 'read':
      budget.spend();
      return readPayment(context, budget, order, task.reference, task.serviceId);
    case 'send':
      return sendPayout(context, budget, order, task.payout);
    case 'deliver':
      return runHook(context, order.rowId, task.notice);
    default:
      throw new TypeError(`Unknown task: ${String(task satisfies never)}`);
  }
}

async function advanceOrder(
  context: CheckoutContext,
  { rowId, record }: StoredOrder,
): Promise<StoredOrder | undefined> {
  const { createTimeoutMs } = context.settings;
  const reference = await newReference(record.order);
  const { order, result: begun } = await context.repository.change(rowId, (before, now) => {
    if (before === undefined) return { record: undefined, result: undefined };
    const advanced = advance(before, now, reference, createTimeoutMs);
    return { record: advanced.record, result: advanced.begun };
  });
  const found = begun === undefined || order === undefined ? undefined : locate(order.record, begun);
  if (found === undefined || order === undefined || found.attempt.draft === null) return order;
  const { attempt, submission } = found;
  const answered = await submit(context, rowId, attempt, found.attempt.draft, submission.reference);
  return (await adoptEarlyEvents(context, rowId, submission.reference, answered)) ?? answered;
}

/**
 * Looks for a payin whose creation got no clear answer. Links are in no list, but what is paid through one has its
 * reference and names it.
 */
async function lookUp(
  context: CheckoutContext,
  budget: ReadBudget,
  order: StoredOrder,
  reference: string,
): Promise<StoredOrder | undefined> {
  const { rowId } = order;
  const located = locate(order.record, reference);
  if (located === undefined) return order;
  const { search, startedAt } = located.submission;
  const beganAt = search?.beganAt ?? context.now();
  const stretch = await searchList(context.service, budget, () => context.now(), {
    cursor: search?.cursor ?? null,
    since: startedAt,
    matches: (payin) => payin.reference === reference,
    one: true,
    timeoutMs: READ_TIMEOUT_MS,
  }).catch((error: unknown) => logFailure(context, budget, 'lookup_failed', reference, error));
  const found = stretch?.found[0];
  if (found === undefined) {
    const cursor = stretch?.cursor ?? null;
    return context.repository.apply(rowId, (each, now) =>
      cursor === null
        ? lookupMissed(each, reference, now, stretch === undefined ? null : beganAt)
        : lookupCutShort(each, reference, { beganAt, cursor }, now),
    );
  }
  if (isLink(located)) {
    const claim = { status: 'COMPLETED', serviceId: found.paymentLinkId } as const;
    return context.repository.apply(rowId, (each, now) => {
      const next = lookupMissed(each, reference, now);
      return found.paymentLinkId === null ? next : onEvent(next, reference, claim, now);
    });
  }
  const answered = await storeAnswer(context, rowId, reference, observePayin(found));
  return (await adoptEarlyEvents(context, rowId, reference, answered)) ?? answered;
}

async function readPayment(
  context: CheckoutContext,
  budget: ReadBudget,
  order: StoredOrder,
  reference: string,
  serviceId: string,
): Promise<StoredOrder | undefined> {
  const { rowId, record } = order;
  const { chargebackWatchMs } = context.settings;
  const located = locate(record, reference);
  if (located === undefined) return order;
  const startedAt = context.now();
  const asked = located.submission.unverifiedEvents;
  const fail = () =>
    context.repository.apply(rowId, (each, now) =>
      onReadFailed(each, reference, asked, now, chargebackWatchMs),
    );
  const read = isLink(located)
    ? readLink(context, budget, serviceId, located, READ_TIMEOUT_MS)
    : context.service.payins.retrieve(serviceId, { timeoutMs: READ_TIMEOUT_MS }).then(observePayin);
  const answer = await read.catch((error: unknown) =>
    logFailure(context, budget, 'read_failed', reference, error),
  );
  if (answer === undefined) return fail();
  context.measure({ name: 'service.read', value: context.now() - startedAt, unit: 'ms' });
  let price: number | null = null;
  try {
    if ('status' in answer && needsPrice(record, answer)) price = await orderPrice(context, record.order);
  } catch (error) {
    // A payment that cannot be compared with the order's price is not recorded yet: it is read again.
    context.log({ level: 'error', event: 'find_order_failed', reference, ...failureFacts(error) }, error);
    return fail();
  }
  try {
    return await context.repository.apply(rowId, (each, now) =>
      'search' in answer
        ? onLinkRead(each, reference, answer, asked, now, chargebackWatchMs)
        : onRead(each, reference, answer, asked, now, chargebackWatchMs, price ?? undefined),
    );
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    return context.repository.apply(rowId, (each, now) => onMismatch(each, reference, 'id', now));
  }
}

/** Only a payment that is not recorded yet is compared with the price, and a link for no order has no other than its own. */
function needsPrice(record: OrderRecord, { status, serviceId }: Observation): boolean {
  return isPaid(status) && record.link === undefined && paymentOf(record, serviceId) === undefined;
}

/** What the order costs now; null when the merchant no longer knows it. */
export async function orderPrice(context: CheckoutContext, orderId: string): Promise<number | null> {
  const { options, hookTimeoutMs } = context.settings;
  const order = await context.inTime(hookTimeoutMs, async () => options.findOrder(orderId));
  if (order === null || order === undefined) return null;
  const reading = read(cents, order.amountInCents);
  if (!reading.ok) throw new TypeError('findOrder returned an order without a usable amountInCents');
  return reading.value;
}

function logFailure(
  context: CheckoutContext,
  budget: ReadBudget,
  event: string,
  reference: string,
  error: unknown,
): undefined {
  if (error instanceof ServiceError && error.kind === 'rate_limited') {
    budget.pauseUntil(context.now() + (error.retryAfterMs ?? PAUSE_MS));
  }
  const facts = failureFacts(error);
  context.log({ level: 'warn', event, reference, ...facts }, error);
  context.measure({ name: 'service.read.failed', value: 1, unit: 'count', label: facts.code });
  return undefined;
}
