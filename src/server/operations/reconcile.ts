import { returnIdIn } from '../../contract/return-id.js';
import { isFinal, isPaid } from '../../contract/status.js';
import { ServiceError } from '../../service/errors.js';
import type { ServicePayin } from '../../service/resources.js';
import type { CheckoutContext } from '../context.js';
import { orderIdIn, randomId } from '../ids.js';
import type { StoredOrder } from '../order-repository.js';
import { adoptPayin } from '../orders/adopt.js';
import { linkPayinFound, readSoon } from '../orders/link-payins.js';
import { observePayin, sameId } from '../orders/observation.js';
import {
  attemptById,
  type Choice,
  keys,
  newOrder,
  type OrderRecord,
  rowIds,
  type Submission,
  submissionsOf,
} from '../orders/record.js';
import { paymentOf } from '../orders/settlement.js';
import { isTombstone } from '../orders/tombstone.js';
import { fromStored } from '../orders/stored-record.js';
import { applyEvent } from '../work/unmatched-events.js';
import { affordable } from '../work/read-budget.js';
import type { Worker } from '../work/worker.js';

/** Compares the service's payins of a time with the store, and settles what was missed. */

export interface ReconcileOptions {
  /** Payins created from here on. */
  readonly from: Date;
  /** And before this. */
  readonly to: Date;
  /** Where an earlier run stopped. */
  readonly cursor?: string;
  /** Only compares when true: nothing is settled. */
  readonly dryRun?: boolean;
  /** Called after each page of the service's list. */
  readonly onPage?: (page: ReconcilePage) => void;
  /** Stops after the page that is being read. */
  readonly signal?: AbortSignal;
}

export interface ReconcilePage {
  readonly payments: readonly ReconciledPayment[];
  /** Pages read so far. */
  readonly pages: number;
  /** Where to go on; null at the end. */
  readonly cursor: string | null;
}

export const RECONCILE_RESULTS = [
  /** Both say the same. */
  'same',
  /** The service knew an outcome that the store did not: a read has settled it. */
  'settled',
  /** The store did not know the payment; its reference proves the order, which now has it. */
  'adopted',
  /** They differ, and no read has put that right. */
  'differs',
  /** No order is known for it: another system's, or an order that is gone. */
  'unknown_order',
  /** Paid here, and not in the service's list. */
  'missing_there',
] as const;
export type ReconcileResult = (typeof RECONCILE_RESULTS)[number];

export interface ReconciledPayment {
  readonly createdAt: string;
  readonly reference: string;
  readonly serviceId: string | null;
  readonly order: string | null;
  readonly rail: string | null;
  readonly theirStatus: string | null;
  readonly ourStatus: string | null;
  /** Money that was confirmed: 0 when none was. */
  readonly theirsInCents: number;
  readonly oursInCents: number;
  readonly result: ReconcileResult;
}

export interface Reconciliation {
  readonly payments: readonly ReconciledPayment[];
  readonly theirsInCents: number;
  readonly oursInCents: number;
  /** Null when all was compared; otherwise where to go on. */
  readonly cursor: string | null;
  /** Why it stopped early: the kind of the service's failure, or `aborted`. */
  readonly stoppedBy: string | null;
}

const PAGE_SIZE = 100;
const STORE_PAGE = 200;

export async function reconcile(
  context: CheckoutContext,
  worker: Worker,
  options: ReconcileOptions,
): Promise<Reconciliation> {
  const [from, to] = [options.from.getTime(), options.to.getTime()];
  if (!(from < to)) throw new RangeError('reconcile: from must be before to');
  const payments: ReconciledPayment[] = [];
  const listed = new Listed();
  let cursor = options.cursor ?? null;
  let pages = 0;
  let newest = Infinity;
  let descending = true;
  let stoppedBy: string | null = null;
  try {
    await affordable(context.settings.clock, worker.budget);
    const list = context.service.payins.list({
      pageSize: PAGE_SIZE,
      ...(cursor !== null && { cursor }),
    });
    for await (const page of list.pages()) {
      pages += 1;
      const compared: ReconciledPayment[] = [];
      for (const payin of page.data) {
        const createdAt = Date.parse(payin.createdAt);
        descending &&= createdAt <= newest;
        newest = createdAt;
        const broughtBefore = listed.take(payin);
        if (createdAt >= from && createdAt < to) {
          compared.push(await compare(context, worker, payin, broughtBefore, options.dryRun ?? false));
        }
      }
      payments.push(...compared);
      // The order of the list is not documented: only one that has run backwards so far may end early.
      const passed = descending && newest < from;
      cursor = page.pageInfo.hasNext && !passed ? page.pageInfo.nextCursor : null;
      options.onPage?.({ payments: compared, pages, cursor });
      if (cursor === null) break;
      if (options.signal?.aborted === true) {
        stoppedBy = 'aborted';
        break;
      }
      await affordable(context.settings.clock, worker.budget);
    }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    stoppedBy = error.kind;
    context.log(
      { level: 'error', event: 'reconcile_stopped', code: error.kind, message: error.message },
      error,
    );
  }
  // Only a run over the whole list knows what is not in it.
  if (stoppedBy === null && options.cursor === undefined) {
    payments.push(...(await missingThere(context, from, to, listed)));
  }
  const sum = (amount: (payment: ReconciledPayment) => number) =>
    payments.reduce((total, payment) => total + amount(payment), 0);
  return {
    payments,
    theirsInCents: sum(({ theirsInCents }) => theirsInCents),
    oursInCents: sum(({ oursInCents }) => oursInCents),
    cursor: stoppedBy === null ? null : cursor,
    stoppedBy,
  };
}

async function compare(
  context: CheckoutContext,
  worker: Worker,
  payin: ServicePayin,
  broughtBefore: number,
  dryRun: boolean,
): Promise<ReconciledPayment> {
  const line = (order: StoredOrder | undefined, result: ReconcileResult) =>
    lineOf(payin, order, broughtBefore, result);
  const agrees = (order: StoredOrder) => agree(payin, order, broughtBefore);
  const known = await findOwner(context, payin);
  if (known === undefined) {
    const adopted = dryRun ? undefined : await adopt(context, worker, payin);
    return adopted === undefined ? line(undefined, 'unknown_order') : line(adopted, 'adopted');
  }
  if (agrees(known)) return line(known, 'same');
  if (dryRun || !isFinal(payin.status)) return line(known, 'differs');
  await context.orders.apply(known.rowId, (record, now) => withNews(record, payin, now));
  await worker.process(known.rowId);
  const after = (await context.orders.read(known.rowId)) ?? known;
  return line(after, agrees(after) ? 'settled' : 'differs');
}

/** Has the payin read by its id, whatever is known of it: only that proves. */
function withNews(record: OrderRecord, payin: ServicePayin, now: number): OrderRecord {
  const known = submissionFor(payin, record);
  if (payin.paymentLinkId !== null && known !== undefined) {
    const link = known.link ?? known.reference;
    return readSoon(linkPayinFound(record, link, observePayin(payin), now), payin.id, now);
  }
  const event = { status: payin.status, serviceId: payin.id, reference: payin.reference };
  return readSoon(applyEvent(record, event, now), known?.reference ?? payin.reference, now);
}

async function findOwner(context: CheckoutContext, payin: ServicePayin): Promise<StoredOrder | undefined> {
  const candidates = [
    keys.service(payin.id),
    ...(payin.paymentLinkId === null ? [] : [keys.service(payin.paymentLinkId)]),
    keys.reference(payin.reference),
  ];
  for (const key of candidates) {
    const found = await context.orders.find(key);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Gives the payin to the order that its reference proves, when the merchant still knows it. */
async function adopt(
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
  const { result: isGone } = await context.orders.change(rowId, (record, now) => {
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
  return context.orders.read(rowId);
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

/** By the payin's own id first: a reference may be shared. */
function submissionFor(payin: ServicePayin, record: OrderRecord): Submission | undefined {
  const submissions = submissionsOf(record).map(({ submission }) => submission);
  const by = (id: string | null) =>
    submissions.find(({ serviceId }) => serviceId !== null && id !== null && sameId(serviceId, id));
  return (
    by(payin.id) ??
    by(payin.paymentLinkId) ??
    submissions.find(({ reference }) => reference === payin.reference)
  );
}

function theirMoney(payin: ServicePayin): number {
  if (!isPaid(payin.status)) return 0;
  return payin.confirmedAmountInCents ?? payin.amountInCents ?? 0;
}

/**
 * What is recorded here of this payin. Where an earlier release recorded all payins of a link as one payment, each has
 * what it brought, as far as the payment reaches after those before it.
 */
function ourMoney(payin: ServicePayin, { record }: StoredOrder, broughtBefore: number): number {
  const payment = paymentOf(record, payin.id);
  if (payment !== undefined) return payment.amountInCents;
  const whole = payin.paymentLinkId === null ? undefined : paymentOf(record, payin.paymentLinkId);
  if (whole === undefined) return 0;
  return Math.max(0, Math.min(theirMoney(payin), whole.amountInCents - broughtBefore));
}

/** What is open on both sides agrees, whatever its name; money, outcomes and chargebacks must be the same. */
function agree(payin: ServicePayin, order: StoredOrder, broughtBefore: number): boolean {
  const submission = submissionFor(payin, order.record);
  if (submission === undefined) return false;
  const paid = isPaid(payin.status);
  // A link goes on when one of its payins has failed.
  if (!paid && payin.paymentLinkId !== null) return true;
  if (paid !== isPaid(submission.status)) return false;
  if (!paid) return isFinal(payin.status) === isFinal(submission.status);
  const known = paymentOf(order.record, payin.id);
  if (payin.chargebackAt !== null && known !== undefined && known.chargebackAt === null) return false;
  const ours = ourMoney(payin, order, broughtBefore);
  return payin.amountInCents === null ? ours > 0 : theirMoney(payin) === ours;
}

function lineOf(
  payin: ServicePayin,
  order: StoredOrder | undefined,
  broughtBefore: number,
  result: ReconcileResult,
): ReconciledPayment {
  const submission = order && submissionFor(payin, order.record);
  return {
    createdAt: payin.createdAt,
    reference: payin.reference,
    serviceId: payin.id,
    order: order?.record.order ?? null,
    rail: payin.rail,
    theirStatus: payin.status,
    ourStatus: submission?.status ?? null,
    theirsInCents: theirMoney(payin),
    oursInCents: order === undefined ? 0 : ourMoney(payin, order, broughtBefore),
    result,
  };
}

/** What the service's list has shown so far. */
class Listed {
  readonly #payins = new Set<string>();
  /** For each link, what the payins that were made through it have brought. */
  readonly #brought = new Map<string, number>();

  /** Gives what the payins before it have brought, where it is of a link. */
  take(payin: ServicePayin): number {
    this.#payins.add(payin.id.toLowerCase());
    if (payin.paymentLinkId === null) return 0;
    const link = payin.paymentLinkId.toLowerCase();
    const before = this.#brought.get(link) ?? 0;
    // Paid without a word of how much: all of it.
    const isUnsaid = isPaid(payin.status) && theirMoney(payin) === 0;
    this.#brought.set(link, isUnsaid ? Infinity : before + theirMoney(payin));
    return before;
  }

  /** What is left of a payment here that nothing in the list brought. A payin that was listed has a line of its own. */
  missingOf(serviceId: string, paidInCents: number): number {
    const id = serviceId.toLowerCase();
    return this.#payins.has(id) ? 0 : Math.max(0, paidInCents - (this.#brought.get(id) ?? 0));
  }
}

/** What is paid here and was nowhere in the service's list. */
async function missingThere(
  context: CheckoutContext,
  from: number,
  to: number,
  listed: Listed,
): Promise<ReconciledPayment[]> {
  const missing: ReconciledPayment[] = [];
  for (let after: string | undefined; ;) {
    const rows = await context.store.list({ limit: STORE_PAGE, ...(after !== undefined && { after }) });
    for (const { body } of rows) {
      const record = fromStored(body);
      for (const payment of record.payments) {
        const { attempt: id, reference, serviceId } = payment;
        const attempt = attemptById(record, id);
        const paid = submissionsOf(record).find(
          (each) => each.submission.serviceId === serviceId,
        )?.submission;
        if (attempt === undefined || paid === undefined) continue;
        const { startedAt, status } = paid;
        if (startedAt < from || startedAt >= to) continue;
        const oursInCents = listed.missingOf(serviceId, payment.amountInCents);
        if (oursInCents === 0) continue;
        missing.push({
          createdAt: new Date(startedAt).toISOString(),
          reference,
          serviceId,
          order: record.order,
          rail: attempt.choice.rail,
          theirStatus: null,
          ourStatus: status,
          theirsInCents: 0,
          oursInCents,
          result: 'missing_there',
        });
      }
    }
    if (rows.length < STORE_PAGE) return missing;
    after = rows.at(-1)?.id;
  }
}
