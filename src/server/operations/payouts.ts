import type { MaskedReceiver, PayoutView } from '../../contract/merchant/payouts.js';
import { LONGEST_NOTE, MONEY_OUT, PAYOUT_STATES } from '../../contract/merchant/payouts.js';
import { isoTime } from '../../service/clock.js';
import type { CheckoutContext } from '../context.js';
import { isOrderId } from '../ids.js';
import { withEntries } from '../orders/views/journal.js';
import type { PayoutRecord } from '../orders/payouts/payout-record.js';
import { discardDraft, queuePayout, resolvePayout, withPayout } from '../orders/payouts/payouts.js';
import { maskReceiver } from '../orders/payouts/receiver.js';
import { keys, type OrderRecord, rowIds } from '../orders/record.js';
import { payoutById, payoutsOf, returnableInCents } from '../orders/payouts/refunds.js';
import { KeyTakenError } from '../stores/store.js';
import type { Worker } from '../work/worker.js';
import { payoutDrafts, type PayoutInput, type RefundInput } from './payout-drafts.js';
import { PayoutError } from './payout-error.js';
import { pageOfLines } from './places.js';

/**
 * Money that goes out. A draft names the owner of the key, masked; `send` is a second call, made by a person who has
 * compared names, with the draft's version. Everything here throws a `PayoutError` when it is refused.
 */

export interface SendOptions {
  /** The draft's. */
  readonly version: number;
  /** You accept that the key belongs to another person than was expected (`receiver.differs`). */
  readonly receiverAccepted?: boolean;
}

export interface PayoutPage {
  /** The last sent first. Drafts are not among them. */
  readonly payouts: readonly PayoutView[];
  /** Give it back as `after` for the next page; null at the end. */
  readonly next: string | null;
  /** How many there are in all. */
  readonly total: number;
}

export interface PayoutOperations {
  /** Whose key it is. */
  lookUp(keyString: string): Promise<MaskedReceiver>;
  /** Looks the key up and stores the intent. Nothing is sent. */
  draft(input: PayoutInput): Promise<PayoutView>;
  /** Sends a draft, once. Resolves when the service has answered, or another instance is sending it. */
  send(id: string, options: SendOptions): Promise<PayoutView>;
  /** Removes a draft, and the customer's data with it; after 15 minutes it goes by itself. */
  discard(id: string): Promise<void>;
  /** One payout or refund, by the kit's id or the service's. */
  find(id: string): Promise<PayoutView | undefined>;
  /** Payouts and refunds. */
  list(page?: { readonly after?: string; readonly limit?: number }): Promise<PayoutPage>;
  setNote(id: string, note: string | null): Promise<void>;
  /**
   * What a person has found out about a payout that is unclear, or whose event never came. Only say that it was not
   * sent when the service says so: its amount can be sent again afterwards.
   */
  resolve(id: string, outcome: { readonly version: number; readonly sent: boolean }): Promise<PayoutView>;
}

/** A refund is a payout that knows its payment: `checkout.payouts` finds, lists and sends it as well. */
export interface RefundOperations extends Pick<PayoutOperations, 'send' | 'find' | 'discard'> {
  /** Looks the key up, reads the payment again and stores the intent. Nothing is sent. */
  draft(input: RefundInput): Promise<PayoutView>;
  /** The refunds of an order, oldest first, drafts too. */
  list(order: string): Promise<readonly PayoutView[]>;
  /** What can be given back now, of an order or of one payment; 0 when nothing was paid. */
  returnable(of: Pick<RefundInput, 'order' | 'payment'>): Promise<number>;
}

export function payoutOperations(
  context: CheckoutContext,
  worker: Worker,
): { readonly payouts: PayoutOperations; readonly refunds: RefundOperations } {
  const drafts = payoutDrafts(context, worker);

  const locate = async (id: string): Promise<{ rowId: string; id: string }> => {
    const found = isOrderId(id)
      ? await context.repository.find(keys.payout(id), keys.service(id))
      : undefined;
    const payout = found && payoutsOf(found.record).find((each) => each.id === id || each.serviceId === id);
    if (found === undefined || payout === undefined) throw new PayoutError('not_found');
    return { rowId: found.rowId, id: payout.id };
  };
  const show = async (rowId: string, id: string): Promise<PayoutView> => {
    const record = (await context.repository.read(rowId))?.record;
    const payout = record && payoutById(record, id);
    if (record === undefined || payout === undefined) throw new PayoutError('not_found');
    return payoutView(record, payout);
  };
  const find = (id: string) =>
    locate(id)
      .then(({ rowId, id: own }) => show(rowId, own))
      .catch((error: unknown) => {
        if (error instanceof PayoutError && error.code === 'not_found') return undefined;
        throw error;
      });

  const send: PayoutOperations['send'] = async (given, { version, receiverAccepted = false }) => {
    const { rowId, id } = await locate(given);
    const { result } = await context.repository
      .change(rowId, (record, now) => {
        const queued = queuePayout(record, id, { version, receiverAccepted }, now);
        return { record: queued.outcome === 'queued' ? queued.record : record, result: queued };
      })
      .catch((error: unknown) => {
        throw error instanceof KeyTakenError ? new PayoutError('reference_taken') : error;
      });
    if (result.outcome === 'too_large') throw new PayoutError('too_large', result);
    if (result.outcome !== 'queued') throw new PayoutError(result.outcome);
    await worker.process(rowId);
    return show(rowId, id);
  };

  const discard: PayoutOperations['discard'] = async (given) => {
    const { rowId, id } = await locate(given);
    const { result } = await context.repository.change(rowId, (record) => {
      const next = record && discardDraft(record, id);
      return { record: next, result: next !== record };
    });
    if (!result) throw new PayoutError('stale');
  };

  return {
    payouts: {
      lookUp: async (keyString) => maskReceiver(await drafts.lookUp(keyString)),
      async draft(input) {
        const { rowId, id } = await drafts.payout(input);
        return show(rowId, id);
      },
      send,
      discard,
      find,
      async list(page = {}) {
        const filter = { ...ALL_TIME, rails: MONEY_OUT, statuses: PAYOUT_STATES } as const;
        const { rows, ...rest } = await pageOfLines(context.store, filter, page);
        const payouts = await Promise.all(rows.map(({ id }) => find(id)));
        return { payouts: payouts.filter((each) => each !== undefined), ...rest };
      },
      async setNote(given, note) {
        const { rowId, id } = await locate(given);
        await context.repository.apply(rowId, (record) => {
          const payout = payoutById(record, id);
          if (payout === undefined) return record;
          return withPayout(record, { ...payout, note: note?.slice(0, LONGEST_NOTE) ?? null });
        });
      },
      async resolve(given, { version, sent }) {
        const { rowId, id } = await locate(given);
        const { result } = await context.repository.change(rowId, (record, now) => {
          const next = record && resolvePayout(record, id, version, sent, now);
          if (next === undefined) return { record, result: false };
          const reference = payoutById(next, id)?.reference ?? '';
          const detail = sent ? 'sent' : 'not_sent';
          const entry = { at: now, event: 'payout_resolved', reference, detail } as const;
          return { record: withEntries(next, [entry]), result: true };
        });
        if (!result) throw new PayoutError('stale');
        await worker.process(rowId);
        return show(rowId, id);
      },
    },
    refunds: {
      async draft(input) {
        const { rowId, id } = await drafts.refund(input);
        return show(rowId, id);
      },
      send,
      discard,
      find,
      async list(order) {
        const record = (await context.repository.read(rowIds.order(order)))?.record;
        return record === undefined ? [] : payoutsOf(record).map((payout) => payoutView(record, payout));
      },
      returnable: drafts.returnable,
    },
  };
}

const ALL_TIME = { from: 0, until: Number.MAX_SAFE_INTEGER } as const;

function payoutView(record: OrderRecord, payout: PayoutRecord): PayoutView {
  const { id, version, state, reference, amountInCents, receiver, payment, note, serviceId } = payout;
  return {
    id,
    version,
    state,
    reference,
    amountInCents,
    receiver,
    order: record.order === '' ? null : record.order,
    payment,
    returnableInCents: returnableInCents(record, payment),
    note,
    serviceId,
    reason: payout.reason,
    errorCode: payout.errorCode,
    createdAt: isoTime(payout.steps[0]?.at ?? 0),
    steps: payout.steps.map(({ state: step, at }) => ({ step, at: isoTime(at) })),
  };
}
