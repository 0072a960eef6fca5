import { LONGEST_NOTE } from '../../contract/merchant/payouts.js';
import type { JournalEvent, OrderView, ReviewPage, ReviewView } from '../../contract/merchant/sales.js';
import { isoTime, isoTimeOrNull } from '../../service/clock.js';
import type { CheckoutContext } from '../context.js';
import { repeatNotice } from '../orders/notices.js';
import { dueAt } from '../orders/next-task.js';
import { attemptStatus, currentAttempt, isLink, keys, type OrderRecord, rowIds } from '../orders/record.js';
import { handledItems, type ReviewItem, reviewItems } from '../orders/views/review.js';
import { hasOpenPayouts } from '../orders/payouts/refunds.js';
import { amountDue, verdictOn } from '../orders/settlement.js';
import { isTombstone, tombstoneOf } from '../orders/tombstone.js';
import { isOrderId } from '../ids.js';
import { withEntries } from '../orders/views/journal.js';
import { recordIn, type StoredOrder } from '../order-repository.js';
import type { Worker } from '../work/worker.js';

/** What a person may ask of an order, and do to it. Nothing here carries personal data. */

export type ForgetResult =
  /** The order, its keys and its history are gone. One that money came in for cannot be paid again for a while. */
  | 'forgotten'
  /** There is no such order. */
  | 'unknown'
  /** A payment may still arrive, or a notice waits for its hook: nothing was removed. */
  | 'open';

/** Repairs, for a person or a program of theirs. */
export interface OrderOperations {
  /** Orders that need a person, by id, then payouts that are of no order, a page at a time. */
  review(page?: { readonly after?: string; readonly limit?: number }): Promise<ReviewPage>;
  /** All that is known of an order, with its history. */
  show(order: string): Promise<OrderView | undefined>;
  /** The order of a payment, by its reference or by the service's id of its payin or link. */
  find(payment: string): Promise<string | undefined>;
  /** Delivers a notice once more, under its own key. False when the order has no such notice. */
  repeatNotice(order: string, key: string): Promise<boolean>;
  /**
   * Takes an item off the review. The note says what was done about it; it stays in the order's history, not in the
   * log. False when the order has no such item.
   */
  markHandled(order: string, item: string, options?: { readonly note?: string }): Promise<boolean>;
  /** Puts an item that was taken off the review back on it. False when the order has no such item. */
  reopen(order: string, item: string): Promise<boolean>;
  /** Lets a payer try again who has used up `maxAttempts`. False when there is no such order. */
  resetAttempts(order: string): Promise<boolean>;
  /** Removes an order. An open one stays unless `evenIfOpen`: a payment that arrives later is unknown then. */
  forget(order: string, options?: { readonly evenIfOpen?: boolean }): Promise<ForgetResult>;
}

const REVIEW_PAGE = 50;

export function orderOperations(context: CheckoutContext, worker: Worker): OrderOperations {
  /** Changes an order when the change applies, and works on it at once. */
  const change = async (
    order: string,
    event: JournalEvent,
    detail: string,
    decide: (record: OrderRecord, now: number) => OrderRecord,
    note?: string,
  ): Promise<boolean> => {
    const rowId = rowIds.order(order);
    const { result } = await context.repository.change(rowId, (record, now) => {
      const next = record && !isTombstone(record) ? decide(record, now) : undefined;
      if (next === undefined || next === record) return { record, result: false };
      const entry = { at: now, event, detail, ...(note !== undefined && { note }) };
      return { record: withEntries(next, [entry]), result: true };
    });
    if (!result) return false;
    context.log({ level: 'info', event, order, detail });
    await worker.process(rowId);
    return true;
  };

  return {
    async review({ after, limit = REVIEW_PAGE } = {}) {
      const now = context.now();
      const rows = await context.store.list({
        reviewBy: now,
        limit,
        ...(after !== undefined && { after }),
      });
      const orders = rows.map(({ body }) => {
        const record = recordIn(body as object);
        return { order: record.order || null, items: reviewItems(record, now).map(reviewView) };
      });
      return { orders, next: rows.length < limit ? null : (rows.at(-1)?.id ?? null) };
    },
    async show(order) {
      const stored = await context.repository.read(rowIds.order(order));
      return stored && !isTombstone(stored.record) ? orderView(stored, context.now()) : undefined;
    },
    async find(payment) {
      // No order has an id or reference that a store could not keep as a key.
      if (!isOrderId(payment)) return undefined;
      const found = await context.repository.find(keys.reference(payment), keys.service(payment));
      // A payout has no order.
      return found?.record.order || undefined;
    },
    repeatNotice: (order, key) =>
      change(order, 'notice_repeated', key, (record, now) => repeatNotice(record, key, now)),
    markHandled: (order, item, { note } = {}) =>
      change(
        order,
        'review_handled',
        item,
        (record, now) =>
          reviewItems(record, now).some(({ key }) => key === item)
            ? { ...record, handled: [...(record.handled ?? []), item] }
            : record,
        note?.slice(0, LONGEST_NOTE),
      ),
    reopen: (order, item) =>
      change(order, 'review_reopened', item, (record) =>
        handledItems(record).some(({ key }) => key === item)
          ? { ...record, handled: record.handled?.filter((key) => key !== item) ?? [] }
          : record,
      ),
    resetAttempts: (order) =>
      change(order, 'attempts_reset', order, (record, now) => ({ ...record, attemptsResetAt: now })),
    async forget(order, { evenIfOpen = false } = {}) {
      const rowId = rowIds.order(order);
      const { result } = await context.repository.change<ForgetResult>(rowId, (record, now) => {
        if (record === undefined || isTombstone(record)) return { record, result: 'unknown' };
        if ((dueAt(record) !== null || hasOpenPayouts(record)) && !evenIfOpen)
          return { record, result: 'open' };
        const left = tombstoneOf(record, now, context.settings.tombstoneMs);
        return { record: left, result: 'forgotten', remove: true };
      });
      if (result === 'forgotten') context.log({ level: 'info', event: 'order_forgotten' });
      return result;
    },
  };
}

function reviewView({ since, ...item }: ReviewItem): ReviewView {
  return { ...item, since: isoTime(since) };
}

function orderView({ record }: StoredOrder, now: number): OrderView {
  const current = currentAttempt(record);
  const { isComplete, orderAmountInCents } = verdictOn(record);
  const amountInCents = orderAmountInCents ?? current?.orderAmountInCents ?? 0;
  return {
    order: record.order,
    description: current?.description ?? null,
    amountInCents,
    paidInCents: record.payments.reduce((sum, payment) => sum + payment.amountInCents, 0),
    missingInCents: isComplete ? 0 : amountDue(record, amountInCents),
    attempts: record.attempts.map((attempt) => ({
      kind: attempt.choice.kind,
      rail: attempt.choice.rail,
      status: attemptStatus(attempt),
      amountInCents: attempt.amountInCents,
      createdAt: isoTime(attempt.createdAt),
      payments: [...attempt.submissions, ...attempt.payins].map((submission) => ({
        kind: isLink({ attempt, submission }) ? 'PAYMENT_LINK' : 'PAYIN',
        reference: submission.link ?? submission.reference,
        serviceId: submission.serviceId,
        status: submission.status,
        // The money of a link is that of its payins.
        confirmedAmountInCents: isLink({ attempt, submission }) ? null : submission.confirmedAmountInCents,
        readAt: isoTimeOrNull(submission.readAt),
        nextReadAt: isoTimeOrNull(submission.nextReadAt),
      })),
    })),
    payments: record.payments.map(({ reference, amountInCents, at }) => ({
      reference,
      amountInCents,
      at: isoTime(at),
    })),
    review: reviewItems(record, now).map(reviewView),
    handled: handledItems(record).map(reviewView),
    notices: [
      ...(record.delivered ?? []).map(({ key, hook, deliveredAt }) => ({
        key,
        hook,
        tries: 0,
        deliveredAt: isoTime(deliveredAt),
      })),
      ...record.notices.map(({ key, hook, tries }) => ({ key, hook, tries, deliveredAt: null })),
    ],
    history: (record.journal ?? []).map((entry) => ({ ...entry, at: isoTime(entry.at) })),
    dueAt: isoTimeOrNull(dueAt(record)),
  };
}
