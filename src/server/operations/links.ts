import type { LinkState, LinkView } from '../../contract/merchant/console.js';
import { LONGEST_NOTE } from '../../contract/merchant/payouts.js';
import { type FieldError, read } from '../../contract/schema.js';
import { CreatePaymentLinkSchema } from '../../contract/service/requests.js';
import type { Rail } from '../../contract/kinds.js';
import type { InlineCustomer } from '../../contract/service/resources.js';
import { isPaid } from '../../contract/status.js';
import { isoTime, isoTimeOrNull } from '../../service/clock.js';
import type { CheckoutContext } from '../context.js';
import { isOrderId, isReference, linkReference, newLinkName, newReference, randomId } from '../ids.js';
import { KitError } from '../kit-error.js';
import type { StoredOrder } from '../order-repository.js';
import { documentEndOf, maskName } from '../orders/masks.js';
import {
  type AttemptRecord,
  attemptById,
  attemptStatus,
  currentAttempt,
  disclosedSubmission,
  hasReference,
  keys,
  newOrder,
  type OrderRecord,
  rowIds,
} from '../orders/record.js';
import { applyPrice, verdictOn } from '../orders/settlement.js';
import { startAttempt, type StartOutcome, type StartRequest } from '../orders/start-attempt.js';
import { KeyTakenError } from '../stores/store.js';
import { submit } from '../work/submit.js';
import { orderPrice } from '../work/tasks.js';
import { adoptEarlyEvents } from '../work/unmatched-events.js';
import type { Worker } from '../work/worker.js';
import { pageOfLines } from './places.js';

/**
 * Payment links that a person makes. Each is an attempt like any other, so its payments are read, settled and given back
 * like any other's: of an order that was paid in part, or in a row of its own when it is for no order.
 */

export interface LinkInput {
  /** What it asks for; for an order it asks for what is missing, and this is left out. */
  readonly amountInCents?: number;
  /** An order of which something is missing. */
  readonly order?: string;
  /** Where the payer returns to. */
  readonly callbackUrl: string;
  /** As the service and the payer know it; one that begins with `EN-` and ends with the concept is made when absent. */
  readonly reference?: string;
  readonly rail?: Rail;
  /** A code of PSE's banks, with `rail: 'PSE'`. */
  readonly bank?: string;
  readonly customer?: InlineCustomer;
  /** What the payer pays for. The service has no field for it and gets it in the reference, unless that is given. */
  readonly concept?: string | null;
  /** For the merchant alone. */
  readonly note?: string | null;
}

export interface LinkPage {
  /** The last made first, those that payers asked for too. */
  readonly links: readonly LinkView[];
  /** Give it back as `after` for the next page; null at the end. */
  readonly next: string | null;
  readonly total: number;
}

export interface LinkOperations {
  /**
   * Makes a link. Resolves when the service has answered. @throws LinkError when it is refused, and KitError when
   * `findOrder` does not say what the order costs.
   */
  create(input: LinkInput): Promise<LinkView>;
  /** One link, by the kit's id or the service's. */
  find(id: string): Promise<LinkView | undefined>;
  list(page?: { readonly after?: string; readonly limit?: number }): Promise<LinkPage>;
  /** Writes the note of a link that is for no order. @throws LinkError when there is none. */
  setNote(id: string, note: string | null): Promise<void>;
}

export type LinkErrorCode =
  | 'invalid_input'
  | 'not_found'
  /** Another link or payment has the reference. */
  | 'reference_taken'
  /** Nothing is missing of the order. */
  | 'already_paid'
  /** The payer may be at the bank, or the order has had too many attempts. */
  | 'not_now';

/** Why no link was made. */
export class LinkError extends Error {
  override readonly name = 'LinkError';
  readonly code: LinkErrorCode;
  readonly errors: readonly FieldError[];

  constructor(code: LinkErrorCode, errors: readonly FieldError[] = []) {
    super(`The link was not made: ${code}`);
    this.code = code;
    this.errors = errors;
  }
}

export function linkOperations(context: CheckoutContext, worker: Worker): LinkOperations {
  const locate = async (id: string) => {
    const found = isOrderId(id)
      ? await context.repository.find(keys.attempt(id), keys.service(id))
      : undefined;
    const attempt = found?.record.attempts.find(
      (each) =>
        each.choice.kind === 'PAYMENT_LINK' &&
        (each.id === id || each.submissions.some(({ serviceId }) => serviceId === id)),
    );
    return found && attempt && { ...found, attempt };
  };
  const view = (order: StoredOrder | undefined, id: string): LinkView | undefined => {
    const attempt = order && attemptById(order.record, id);
    return attempt && linkView(order.record, attempt);
  };

  return {
    async create(input) {
      const order = input.order ?? newLinkName();
      const rowId = rowIds.order(order);
      const wanted = await requestFor(context, input, order);
      const { outcome } = await start(context, rowId, order, input, wanted);
      const attempt = startedBy(outcome);
      if (attempt.draft === null) throw new Error('A new attempt has a draft');
      const answered = await submit(context, rowId, attempt, attempt.draft, wanted.reference);
      await adoptEarlyEvents(context, rowId, wanted.reference, answered);
      await worker.process(rowId);
      const made = view((await context.repository.read(rowId)) ?? answered, attempt.id);
      if (made === undefined) throw new LinkError('not_found');
      return made;
    },
    async find(id) {
      const found = await locate(id);
      return found && linkView(found.record, found.attempt);
    },
    async list(page = {}) {
      const { rows, ...rest } = await pageOfLines(context.store, ALL_LINKS, page);
      const links = await Promise.all(
        rows.map(async ({ rowId, id }) => view(await context.repository.read(rowId), id)),
      );
      return { links: links.filter((each) => each !== undefined), ...rest };
    },
    async setNote(id, note) {
      const found = await locate(id);
      if (found?.record.link === undefined) throw new LinkError('not_found');
      await context.repository.apply(found.rowId, (record) =>
        record.link === undefined
          ? record
          : { ...record, link: { ...record.link, note: note?.slice(0, LONGEST_NOTE) ?? null } },
      );
    },
  };
}

const ALL_LINKS = { from: 0, until: Number.MAX_SAFE_INTEGER, rails: ['PAYMENT_LINK'] };

async function requestFor(context: CheckoutContext, input: LinkInput, order: string): Promise<StartRequest> {
  const found = input.order === undefined ? undefined : await context.repository.read(rowIds.order(order));
  const current = found && currentAttempt(found.record);
  if (input.order !== undefined && current === undefined) throw new LinkError('not_found');
  const { rail = null, bank = null, customer = null, callbackUrl } = input;
  const amountInCents =
    found && current ? await priceOf(context, found.record, current) : input.amountInCents;
  const reference =
    input.reference ??
    (input.order === undefined ? linkReference(order, input.concept) : await newReference(order));
  const reading = read(CreatePaymentLinkSchema, {
    amountType: 'FIXED',
    amountInCents,
    reference,
    callbackUrl,
    ...(rail !== null && { rail }),
    ...(bank !== null && { pse: { bank } }),
    ...(customer !== null && { inlineCustomer: customer }),
  });
  const errors = [
    ...(isReference(reference) ? [] : [{ field: 'reference', code: 'format' } as const]),
    ...(reading.ok ? [] : reading.errors.filter(({ field }) => field !== 'reference')),
  ];
  if (!reading.ok || errors.length > 0) throw new LinkError('invalid_input', errors);
  return {
    attempt: {
      id: randomId(),
      token: '',
      choice: { kind: 'PAYMENT_LINK', rail, bank },
      orderAmountInCents: reading.value.amountInCents,
      currency: 'COP',
      description: input.concept ?? current?.description ?? null,
      merchant: context.settings.merchant,
      idempotencyKey: randomId(),
      fingerprint: '',
      createdAt: context.now(),
      expiresAt: null,
      ...documentEndOf(reading.value.inlineCustomer ?? null),
      draft: {
        customer: reading.value.inlineCustomer ?? null,
        callbackUrl: reading.value.callbackUrl,
        nextSubmissionAt: null,
      },
    },
    reference,
    offerVersion: undefined,
    orderVersion: '',
    replaces: current?.id,
    override: false,
  };
}

/** What the order costs now. Where the merchant does not know it, what it cost when it was last paid, or else tried. */
async function priceOf(
  context: CheckoutContext,
  record: OrderRecord,
  current: AttemptRecord,
): Promise<number> {
  const last = verdictOn(record).orderAmountInCents ?? current.orderAmountInCents;
  // A link for no order has no other price than its own.
  if (record.link !== undefined) return last;
  const price = await orderPrice(context, record.order).catch((cause: unknown) => {
    throw new KitError('findOrder did not say what the order costs, so no link was made', { cause });
  });
  return price ?? last;
}

async function start(
  context: CheckoutContext,
  rowId: string,
  order: string,
  input: LinkInput,
  wanted: StartRequest,
): Promise<{ readonly outcome: StartOutcome }> {
  const { maxAttempts, allowPseOverride, createTimeoutMs } = context.settings;
  const rules = { maxAttempts, allowPseOverride, submissionTimeoutMs: createTimeoutMs };
  const { concept = null, note = null, customer, callbackUrl } = input;
  const fresh: OrderRecord = {
    ...newOrder(order),
    link: { concept, note, customer: customer === undefined ? null : maskName(customer.name), callbackUrl },
  };
  try {
    const { result } = await context.repository.change(rowId, (before, now) => {
      if (before !== undefined && hasReference(before, wanted.reference))
        throw new LinkError('reference_taken');
      // As when a payer starts: a price that was lowered may have completed the order, and then nothing is asked for.
      const known = before && applyPrice(before, wanted.attempt.orderAmountInCents, now);
      const outcome = startAttempt(known ?? fresh, wanted, now, rules);
      return { record: outcome.outcome === 'started' ? outcome.record : known, result: outcome };
    });
    return { outcome: result };
  } catch (error) {
    throw error instanceof KeyTakenError ? new LinkError('reference_taken') : error;
  }
}

function startedBy(outcome: StartOutcome): AttemptRecord {
  switch (outcome.outcome) {
    case 'started':
      return outcome.attempt;
    case 'already_paid':
      throw new LinkError('already_paid');
    case 'gone':
      throw new LinkError('not_found');
    default:
      throw new LinkError('not_now');
  }
}

function linkView(record: OrderRecord, attempt: AttemptRecord): LinkView {
  const { link, payments } = record;
  const { choice, createdAt, expiresAt } = attempt;
  const shown = disclosedSubmission(attempt) ?? attempt.submissions.at(-1);
  const paid = payments.filter((payment) => payment.attempt === attempt.id);
  const [first] = paid;
  return {
    id: attempt.id,
    reference: shown?.reference ?? '',
    flow: flowOf(attempt, (link?.customer ?? null) !== null),
    amountInCents: attempt.amountInCents,
    paidInCents: paid.reduce((sum, { amountInCents }) => sum + amountInCents, 0),
    rail: choice.rail,
    bank: choice.kind === 'PAYMENT_LINK' ? choice.bank : null,
    customer: link?.customer ?? null,
    state: stateOf(attempt),
    url: attempt.disclosed === null ? null : (shown?.source.paymentLinkUrl ?? null),
    serviceId: shown?.serviceId ?? null,
    order: link === undefined ? record.order : null,
    concept: link?.concept ?? null,
    note: link?.note ?? null,
    callbackUrl: link?.callbackUrl ?? null,
    createdAt: isoTime(createdAt),
    expiresAt: isoTimeOrNull(expiresAt),
    completedAt: isoTimeOrNull(first?.at ?? null),
  };
}

function flowOf({ choice }: AttemptRecord, hasCustomer: boolean): LinkView['flow'] {
  if (choice.kind === 'PAYMENT_LINK' && choice.bank !== null) return 'bank';
  if (hasCustomer) return choice.rail === null ? 'prefilled' : 'restricted-prefilled';
  return choice.rail === null ? 'open' : 'restricted';
}

/** A link without an address is still being made: the kit asks the service again by itself. */
function stateOf(attempt: AttemptRecord): LinkState {
  const status = attemptStatus(attempt);
  if (isPaid(status)) return 'COMPLETED';
  if (attempt.disclosed === null) return attempt.ended === null ? 'CREATING' : 'REFUSED';
  return status === 'EXPIRED' ? 'EXPIRED' : 'PENDING';
}
