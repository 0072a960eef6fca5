import { LONGEST_NOTE } from '../../contract/merchant/payouts.js';
import { type FieldError, read } from '../../contract/schema.js';
import { CreatePayoutSchema } from '../../contract/service/requests.js';
import { type InlineCustomer, InlineCustomerSchema } from '../../contract/service/resources.js';
import { isPaid } from '../../contract/status.js';
import { ServiceError } from '../../service/errors.js';
import type { Receiver, ServicePayin } from '../../service/resources.js';
import type { CheckoutContext } from '../context.js';
import { isOrderId, isReference, newReference, randomId } from '../ids.js';
import type { StoredOrder } from '../order-repository.js';
import { sameId } from '../orders/observation.js';
import { addDraft } from '../orders/payouts/payouts.js';
import { maskReceiver } from '../orders/payouts/receiver.js';
import {
  keys,
  newOrder,
  type OrderRecord,
  type PaymentRecord,
  rowIds,
  submissionsOf,
  updateSubmission,
} from '../orders/record.js';
import { paymentNamed, returnableInCents } from '../orders/payouts/refunds.js';
import { payoutBody, receiverDigest } from '../work/send-payout.js';
import type { Worker } from '../work/worker.js';
import { PayoutError } from './payout-error.js';
import { theirMoney } from './reconcile.js';

/** What is checked, looked up and read before a draft of a payout or refund is stored. */

interface DraftInput {
  /** The receiver's Bre-B key. */
  readonly keyString: string;
  /** Your own name for it at the service, used once: letters, digits, `_` and `-`. The kit makes one when absent. */
  readonly reference?: string;
  /** A note for yourself, which the service does not get. */
  readonly note?: string;
}

export interface PayoutInput extends DraftInput {
  readonly amountInCents: number;
  /** Whom you want to pay. */
  readonly customer: InlineCustomer;
}

export interface RefundInput extends DraftInput {
  /** Your id of the order; may be absent when `payment` is given. */
  readonly order?: string;
  /** One payment, by the service's id of its payin or by its reference; the order as a whole when absent. */
  readonly payment?: string;
  /** All that can still be given back when absent. */
  readonly amountInCents?: number;
  /** Whom you expect the key to belong to; what the payment or your order says when absent. */
  readonly customer?: InlineCustomer;
}

interface Place {
  readonly rowId: string;
  readonly id: string;
}

/** What a refund is of. */
interface Subject {
  readonly rowId: string;
  readonly record: OrderRecord;
  /** Null for the order as a whole. */
  readonly payment: PaymentRecord | null;
  /** Its payments as the service has them, those that were not taken back. */
  readonly payins: readonly ServicePayin[];
}

/** Where a draft is stored. The payments of a row that is no order's are those that were just read. */
interface Destination {
  readonly rowId: string;
  readonly payment: string | null;
  readonly payments: readonly PaymentRecord[];
}

interface CompleteInput extends DraftInput {
  readonly reference: string;
  readonly amountInCents: number;
  /** Undefined when it is not known: the service requires one. */
  readonly customer: InlineCustomer | undefined;
}

export interface PayoutDrafts {
  lookUp(keyString: string): Promise<Receiver>;
  payout(input: PayoutInput): Promise<Place>;
  refund(input: RefundInput): Promise<Place>;
  returnable(of: Pick<RefundInput, 'order' | 'payment'>): Promise<number>;
}

export function payoutDrafts(context: CheckoutContext, worker: Worker): PayoutDrafts {
  const { repository, service } = context;

  const lookUp = async (keyString: string): Promise<Receiver> => {
    worker.budget.spend();
    return service.keys.lookup(keyString).catch((error: unknown) => {
      const kind = error instanceof ServiceError ? error.kind : undefined;
      if (kind === 'not_found') throw invalid('breb.keyString', 'not_allowed');
      if (kind === 'invalid_input') throw invalid('breb.keyString', 'format');
      throw kind === undefined ? error : new PayoutError('service_unavailable');
    });
  };

  const retrieve = async (payin: string): Promise<ServicePayin> => {
    worker.budget.spend();
    return service.payins.retrieve(payin).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error;
      const isUnknown = error.kind === 'not_found' || error.kind === 'invalid_input';
      throw new PayoutError(isUnknown ? 'not_found' : 'service_unavailable');
    });
  };

  /** Checks what was given, looks the key up and stores the draft, within what is left in that moment. */
  const store = async (
    id: string,
    { rowId, payment, payments }: Destination,
    { keyString, amountInCents, reference, note, customer }: CompleteInput,
  ): Promise<Place> => {
    const body = payoutBody({ amountInCents, reference, customer, keyString });
    const request = read(CreatePayoutSchema, body);
    const errors = request.ok ? [] : request.errors;
    if (!isReference(reference)) errors.push({ field: 'reference', code: 'format' });
    if ((note ?? '').length > LONGEST_NOTE) errors.push({ field: 'note', code: 'too_long' });
    if (!request.ok || errors.length > 0) throw new PayoutError('invalid_input', { errors });
    if ((await repository.find(keys.reference(reference))) !== undefined)
      throw new PayoutError('reference_taken');
    const receiver = await lookUp(keyString);
    const expected = request.value.inlineCustomer;
    const draft = {
      id,
      reference,
      amountInCents,
      payment,
      receiver: maskReceiver(receiver, expected),
      note: note === undefined || note === '' ? null : note,
      request: { customer: expected, keyString, receiverDigest: await receiverDigest(receiver) },
    };
    const { result: left } = await repository.change(rowId, (before, now) => {
      const record =
        before === undefined || before.order === '' ? { ...(before ?? newOrder('')), payments } : before;
      const returnable = returnableInCents(record, payment);
      if (returnable !== null && amountInCents > returnable) return { record: before, result: returnable };
      return { record: addDraft(record, draft, now), result: null };
    });
    if (left !== null) throw new PayoutError('too_large', { returnableInCents: left });
    return { rowId, id };
  };

  /**
   * The order's payments as the service has them now: the payer's bank may have taken one back since. A chargeback that
   * was not known is recorded before anything is decided.
   */
  const readAgain = async (stored: StoredOrder): Promise<Pick<Subject, 'record' | 'payins'>> => {
    const payins: ServicePayin[] = [];
    for (const { serviceId, chargebackAt } of stored.record.payments) {
      if (chargebackAt !== null) continue;
      payins.push(await retrieve(serviceId));
    }
    if (payins.some(({ status }) => !isPaid(status))) throw new PayoutError('service_unavailable');
    const takenBack = payins.filter((payin) => payin.chargebackAt !== null);
    if (takenBack.length === 0) return { record: stored.record, payins };
    await repository.apply(stored.rowId, (record, now) =>
      submissionsOf(record)
        .filter(({ submission }) => isPaid(submission.status))
        .reduce(
          (next, { submission }) => updateSubmission(next, submission.reference, { nextReadAt: now }),
          record,
        ),
    );
    await worker.process(stored.rowId);
    const record = (await repository.read(stored.rowId))?.record ?? stored.record;
    const isRecorded = takenBack.every(({ id }) => (paymentNamed(record, id)?.chargebackAt ?? null) !== null);
    if (!isRecorded) throw new PayoutError('service_unavailable');
    return { record, payins };
  };

  const within = async (stored: StoredOrder, payment: string | undefined): Promise<Subject> => {
    const found = payment === undefined ? null : paymentNamed(stored.record, payment);
    if (found === undefined) throw new PayoutError('not_found');
    return { rowId: stored.rowId, payment: found, ...(await readAgain(stored)) };
  };

  /** A payin that is no order's, such as one of a link that another program made, has a row of its own. */
  const strayPayin = async (id: string): Promise<Subject> => {
    const payin = await retrieve(id);
    const owner = await repository.find(
      keys.service(payin.paymentLinkId ?? payin.id),
      keys.reference(payin.reference),
      keys.gone(payin.id),
    );
    // Its order has not recorded the payment, or was removed: what went back of it is not known any more.
    const isForgotten = Date.parse(payin.createdAt) < context.now() - context.settings.retentionMs;
    if (owner !== undefined || isForgotten) throw new PayoutError('too_large', { returnableInCents: 0 });
    // Without any cents no order says whether the rest is pesos: a person names the amount, in a payout.
    const isSaid = (payin.confirmedAmountInCents ?? payin.amountInCents) !== null;
    const amountInCents = isSaid ? theirMoney(payin) : 0;
    const payment: PaymentRecord = {
      attempt: '',
      reference: payin.reference,
      serviceId: payin.id,
      amountInCents,
      orderAmountInCents: amountInCents,
      at: context.now(),
      chargebackAt: payin.chargebackAt,
    };
    const rowId = rowIds.payin(payin.id);
    const known = (await repository.read(rowId))?.record ?? newOrder('');
    return { rowId, record: { ...known, payments: [payment] }, payment, payins: [payin] };
  };

  const subjectOf = async ({ order, payment }: Pick<RefundInput, 'order' | 'payment'>): Promise<Subject> => {
    if (order !== undefined) {
      const stored = isOrderId(order) ? await repository.read(rowIds.order(order)) : undefined;
      if (stored === undefined) throw new PayoutError('not_found');
      return within(stored, payment);
    }
    if (payment === undefined) throw invalid('order', 'required');
    const owner = isOrderId(payment)
      ? await repository.find(keys.service(payment), keys.reference(payment))
      : undefined;
    const isPayment = owner !== undefined && paymentNamed(owner.record, payment) !== undefined;
    return isPayment ? within(owner, payment) : strayPayin(payment);
  };

  /** Whom the money should go to: what the payment says, else the merchant's order. */
  const payerOf = async ({ record, payment, payins }: Subject): Promise<InlineCustomer | undefined> => {
    for (const { id, inlineCustomer } of payins.toReversed()) {
      if (payment !== null && !sameId(payment.serviceId, id)) continue;
      const reading = read(InlineCustomerSchema, inlineCustomer);
      if (reading.ok) return reading.value;
    }
    if (record.order === '' || record.link !== undefined) return undefined;
    const order = await context.settings.options.findOrder(record.order);
    const reading = read(InlineCustomerSchema, order?.customer);
    return reading.ok ? reading.value : undefined;
  };

  return {
    lookUp,
    async payout(input) {
      const id = randomId();
      const destination = { rowId: rowIds.payout(id), payment: null, payments: [] };
      return store(id, destination, { ...input, reference: input.reference ?? (await newReference('PG')) });
    },
    async refund(input) {
      const subject = await subjectOf(input);
      const { rowId, record } = subject;
      const payment = subject.payment?.serviceId ?? null;
      const left = returnableInCents(record, payment) ?? 0;
      const { amountInCents = left } = input;
      if (left === 0 || amountInCents > left) throw new PayoutError('too_large', { returnableInCents: left });
      return store(
        randomId(),
        { rowId, payment, payments: record.payments },
        {
          ...input,
          amountInCents,
          reference: input.reference ?? (await newReference('DV')),
          customer: input.customer ?? (await payerOf(subject)),
        },
      );
    },
    async returnable(of) {
      const { record, payment } = await subjectOf(of);
      return returnableInCents(record, payment?.serviceId ?? null) ?? 0;
    },
  };
}

function invalid(field: string, code: FieldError['code']): PayoutError {
  return new PayoutError('invalid_input', { errors: [{ field, code }] });
}
