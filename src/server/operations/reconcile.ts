import type { ReconciledPayment, Reconciliation, ReconcileResult } from '../../contract/merchant/sales.js';
import { isFinal, isPaid } from '../../contract/status.js';
import { centsFromPesos } from '../../contract/values/cents.js';
import { isoTime } from '../../service/clock.js';
import { ServiceError, type ServiceErrorKind } from '../../service/errors.js';
import { nextPlace } from '../../service/payin-list.js';
import type { ServicePayin } from '../../service/resources.js';
import type { CheckoutContext } from '../context.js';
import { recordIn, type StoredOrder } from '../order-repository.js';
import { payinFound, readSoon } from '../orders/link-payins.js';
import { confirmedInCents, observePayin, sameId } from '../orders/observation.js';
import { keys, type Located, type OrderRecord, type Submission, submissionsOf } from '../orders/record.js';
import { paymentOf } from '../orders/settlement.js';
import { applyEvent } from '../orders/received-event.js';
import { affordable } from '../work/read-budget.js';
import type { Worker } from '../work/worker.js';
import { adopt } from './adopt.js';
import { moneyOut } from './money-out.js';

/** Compares the service's payins of a time with the store, and settles what was missed. */

export interface ReconcileOptions {
  /** Payins created from here on. */
  readonly from: Date;
  /** And before this. */
  readonly to: Date;
  /** Where an earlier run stopped. What went out and what is missing at the service is in no run that goes on. */
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
  const listed = new Set<string>();
  let cursor = options.cursor ?? null;
  let pages = 0;
  let newest = Infinity;
  let descending = true;
  let unreadable = 0;
  let stoppedBy: string | null = null;
  try {
    await affordable(context.settings.clock, worker.budget);
    const list = context.service.payins.list({
      pageSize: PAGE_SIZE,
      ...(cursor !== null && { cursor }),
    });
    for await (const page of list.pages()) {
      pages += 1;
      unreadable += page.unreadable;
      const compared: ReconciledPayment[] = [];
      for (const payin of page.data) {
        const createdAt = Date.parse(payin.createdAt);
        descending &&= createdAt <= newest;
        newest = createdAt;
        listed.add(payin.id.toLowerCase());
        if (createdAt >= from && createdAt < to) {
          compared.push(await compare(context, worker, payin, options.dryRun ?? false));
        }
      }
      payments.push(...compared);
      // The order of the list is not documented: only one that has run backwards so far may end early.
      const passed = descending && newest < from;
      cursor = passed ? null : nextPlace(page.pageInfo);
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
  if (unreadable > 0) {
    const message = 'payins of the list cannot be read and were not compared';
    context.log({ level: 'error', event: 'reconcile_unreadable', message });
  }
  // Only a run over the whole list knows what is not in it.
  if (stoppedBy === null && options.cursor === undefined) {
    const missing = await missingThere(context, from, to, listed);
    // A payin that cannot be read may be any of them.
    if (unreadable === 0) payments.push(...missing);
    else if (missing.length > 0) stoppedBy = 'unreadable_answer' satisfies ServiceErrorKind;
  }
  const sum = (amount: (payment: ReconciledPayment) => number) =>
    payments.reduce((total, payment) => total + amount(payment), 0);
  const oursInCents = sum((payment) => payment.oursInCents);
  // The run that began has all of it, so that the sums of a run and of those that go on add up.
  const out =
    options.cursor === undefined
      ? await moneyOut(context, from, to)
      : { lines: [], outInCents: 0, openInCents: 0 };
  return {
    payments,
    theirsInCents: sum(({ theirsInCents }) => theirsInCents),
    oursInCents,
    moneyOut: out,
    netInCents: oursInCents - out.outInCents,
    cursor: stoppedBy === null ? null : cursor,
    stoppedBy,
  };
}

async function compare(
  context: CheckoutContext,
  worker: Worker,
  payin: ServicePayin,
  dryRun: boolean,
): Promise<ReconciledPayment> {
  const known = await findOwner(context, payin);
  if (known === undefined) {
    const adopted = dryRun ? undefined : await adopt(context, worker, payin);
    return lineOf(payin, adopted, adopted === undefined ? 'unknown_order' : 'adopted');
  }
  if (agree(payin, known.record)) return lineOf(payin, known, 'same');
  const isNew = submissionFor(payin, known.record) === undefined;
  if (dryRun || (!isNew && !isFinal(payin.status))) return lineOf(payin, known, 'differs');
  await context.repository.apply(known.rowId, (record, now) => withNews(record, payin, now));
  await worker.process(known.rowId);
  const after = (await context.repository.read(known.rowId)) ?? known;
  if (!agree(payin, after.record)) return lineOf(payin, after, 'differs');
  return lineOf(payin, after, isNew && payin.paymentLinkId === null ? 'adopted' : 'settled');
}

/** Has the payin read by its id, whatever is known of it: only that proves. */
function withNews(record: OrderRecord, payin: ServicePayin, now: number): OrderRecord {
  const known = submissionFor(payin, record);
  if (known !== undefined) {
    const event = { status: payin.status, serviceId: payin.id, reference: known.reference };
    return readSoon(applyEvent(record, event, now), known.reference, now);
  }
  const of = submissionsOf(record).find(({ submission }) => isUnder(payin, submission));
  if (of === undefined) return record;
  return readSoon(payinFound(record, of.submission.reference, observePayin(payin), now), payin.id, now);
}

function findOwner(context: CheckoutContext, payin: ServicePayin): Promise<StoredOrder | undefined> {
  return context.repository.find(
    keys.service(payin.id),
    ...(payin.paymentLinkId === null ? [] : [keys.service(payin.paymentLinkId)]),
    keys.reference(payin.reference),
  );
}

/**
 * What the order knows of this payin, by its id. Its reference identifies it only while no other payin has the same one: the
 * service may have made two under one.
 */
function locatedFor(payin: ServicePayin, record: OrderRecord): Located | undefined {
  const all = submissionsOf(record);
  return (
    all.find(({ submission: { serviceId } }) => serviceId !== null && sameId(serviceId, payin.id)) ??
    all.find(
      ({ submission: { serviceId, reference } }) =>
        serviceId === null && payin.paymentLinkId === null && reference === payin.reference,
    )
  );
}

const submissionFor = (payin: ServicePayin, record: OrderRecord): Submission | undefined =>
  locatedFor(payin, record)?.submission;

/** Whether the payin was made through this link, or under the reference of this submission. */
function isUnder(payin: ServicePayin, { serviceId, reference, link }: Submission): boolean {
  if (link !== null) return false;
  if (payin.paymentLinkId !== null && serviceId !== null) return sameId(serviceId, payin.paymentLinkId);
  return reference === payin.reference;
}

/** What the payin brought, as orders count it too; 0 while it is not paid. */
export function theirMoney(payin: ServicePayin, record?: OrderRecord): number {
  return isPaid(payin.status) ? confirmedInCents(observePayin(payin), askedInCents(payin, record)) : 0;
}

/** What the payer was asked for. `amount` is pesos, unless it is exactly the cents that the order's attempt asked for. */
function askedInCents(payin: ServicePayin, record: OrderRecord | undefined): number {
  const { amountInCents, amount } = payin;
  if (amountInCents !== null) return amountInCents;
  const ours =
    record &&
    (locatedFor(payin, record) ?? submissionsOf(record).find(({ submission }) => isUnder(payin, submission)));
  const known = ours?.attempt.amountInCents;
  if (amount === null || amount === known) return known ?? 0;
  return centsFromPesos(amount) ?? known ?? 0;
}

/** What is open on both sides agrees, whatever its name; money, outcomes and chargebacks must be the same. */
function agree(payin: ServicePayin, record: OrderRecord): boolean {
  const isTheirs = isPaid(payin.status);
  const submission = submissionFor(payin, record);
  // A link goes on when one of its payins has failed, and is watched itself while one is open.
  if (submission === undefined) return !isTheirs && (payin.paymentLinkId !== null || isFinal(payin.status));
  if (isTheirs !== isPaid(submission.status)) return false;
  if (!isTheirs) return isFinal(payin.status) === isFinal(submission.status);
  const payment = paymentOf(record, payin.id);
  if (payment === undefined) return false;
  const isSameMoney = theirMoney(payin, record) === payment.amountInCents;
  return isSameMoney && (payin.chargebackAt === null || payment.chargebackAt !== null);
}

function lineOf(
  payin: ServicePayin,
  order: StoredOrder | undefined,
  result: ReconcileResult,
): ReconciledPayment {
  return {
    createdAt: payin.createdAt,
    reference: payin.reference,
    serviceId: payin.id,
    order: order?.record.order ?? null,
    rail: payin.rail,
    theirStatus: payin.status,
    ourStatus: (order && submissionFor(payin, order.record)?.status) ?? null,
    theirsInCents: theirMoney(payin, order?.record),
    oursInCents: (order && paymentOf(order.record, payin.id)?.amountInCents) ?? 0,
    result,
  };
}

/** What is paid here and was nowhere in the service's list. */
async function missingThere(
  context: CheckoutContext,
  from: number,
  to: number,
  listed: ReadonlySet<string>,
): Promise<ReconciledPayment[]> {
  const missing: ReconciledPayment[] = [];
  for (let after: string | undefined; ;) {
    const rows = await context.store.list({ limit: STORE_PAGE, ...(after !== undefined && { after }) });
    for (const { body } of rows) {
      const record = recordIn(body as object);
      for (const { attempt, submission } of submissionsOf(record)) {
        const { serviceId, startedAt, status } = submission;
        if (serviceId === null || listed.has(serviceId.toLowerCase())) continue;
        const payment = paymentOf(record, serviceId);
        if (payment === undefined || startedAt < from || startedAt >= to) continue;
        missing.push({
          createdAt: isoTime(startedAt),
          reference: payment.reference,
          serviceId,
          order: record.order,
          rail: attempt.choice.rail,
          theirStatus: null,
          ourStatus: status,
          theirsInCents: 0,
          oursInCents: payment.amountInCents,
          result: 'missing_there',
        });
      }
    }
    if (rows.length < STORE_PAGE) return missing;
    after = rows.at(-1)?.id;
  }
}
