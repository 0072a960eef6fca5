import type { CreatePaymentLink, CreatePayin } from '../../contract/service/requests.js';
import { withDeadline } from '../../service/deadline.js';
import { ServiceError } from '../../service/errors.js';
import type { CallOptions } from '../../service/http.js';
import { submissionNotMade, submissionRefused, submissionUnclear } from '../orders/submissions.js';
import { type Observation, observeLink, observePayin } from '../orders/observation.js';
import { failureFacts, type CheckoutContext } from '../context.js';
import { onCreateAnswered, onMismatch } from '../orders/apply-observation.js';
import type { AttemptRecord, SubmissionDraft, OrderRecord } from '../orders/record.js';
import type { StoredOrder } from '../order-repository.js';
import { KeyTakenError } from '../stores/store.js';

/**
 * Sends a submission whose intent is stored, and stores the answer. The process that added the submission sends it,
 * once; if that process dies, the submission counts as unclear when its time is up.
 */
export async function submit(
  context: CheckoutContext,
  rowId: string,
  attempt: AttemptRecord,
  draft: SubmissionDraft,
  reference: string,
): Promise<StoredOrder | undefined> {
  const { clock, createTimeoutMs: timeoutMs } = context.settings;
  const startedAt = context.now();
  let observed: Observation;
  try {
    // The client may retry; all its tries together must end before the submission counts as unclear.
    observed = await withDeadline(clock, timeoutMs, (signal) =>
      create(context, attempt, draft, reference, { signal, timeoutMs }),
    );
  } catch (error) {
    const facts = failureFacts(error);
    context.measure({ name: 'service.create.failed', value: 1, unit: 'count', label: facts.code });
    context.log({ level: 'warn', event: 'create_failed', reference, ...facts }, error);
    return context.repository.apply(rowId, (record, now) => failed(record, reference, error, now));
  }
  context.measure({
    name: 'service.create',
    value: context.now() - startedAt,
    unit: 'ms',
    label: attempt.choice.kind,
  });
  return storeAnswer(context, rowId, reference, observed);
}

/** Stores the payment that an answer or a lookup brought. */
export async function storeAnswer(
  context: CheckoutContext,
  rowId: string,
  reference: string,
  observed: Observation,
): Promise<StoredOrder | undefined> {
  const { chargebackWatchMs } = context.settings;
  try {
    return await context.repository.apply(rowId, (record, now) =>
      onCreateAnswered(record, reference, observed, now, chargebackWatchMs),
    );
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    // The id in the answer is another order's payment, so the answer cannot be used.
    return context.repository.apply(rowId, (record, now) => onMismatch(record, reference, 'id', now));
  }
}

async function create(
  context: CheckoutContext,
  attempt: AttemptRecord,
  draft: SubmissionDraft,
  reference: string,
  options: CallOptions,
): Promise<Observation> {
  const { choice, amountInCents, currency } = attempt;
  const customer = draft.customer === null ? {} : { inlineCustomer: draft.customer };
  if (choice.kind === 'PAYMENT_LINK') {
    const link: CreatePaymentLink = {
      amountType: 'FIXED',
      amountInCents,
      reference,
      callbackUrl: draft.callbackUrl,
      ...(choice.rail === null ? {} : { rail: choice.rail }),
      ...(choice.bank === null ? {} : { pse: { bank: choice.bank } }),
      ...customer,
    };
    return observeLink(await context.service.paymentLinks.create(link, options));
  }
  const base = { amountInCents, currency, reference, callbackUrl: draft.callbackUrl, ...customer };
  const payin: CreatePayin =
    choice.rail === 'BRE_B'
      ? { ...base, rail: 'BRE_B', breb: { keyType: choice.keyType } }
      : { ...base, rail: 'PSE', pse: { bank: choice.bank, personType: choice.personType } };
  return observePayin(await context.service.payins.create(payin, options));
}

function failed(record: OrderRecord, reference: string, error: unknown, now: number): OrderRecord {
  if (!(error instanceof ServiceError) || error.mayHaveHappened)
    return submissionUnclear(record, reference, now);
  switch (error.kind) {
    case 'invalid_input':
    case 'refused':
    case 'not_found':
    case 'unauthorized':
      return submissionRefused(record, reference, refusalCode(error), now);
    case 'rate_limited':
    case 'network':
      return submissionNotMade(record, reference, error.retryAfterMs ?? 0, now);
    // A conflict may be about this reference, made by a try whose answer was lost.
    case 'conflict':
    case 'unavailable':
    case 'timeout':
    case 'aborted':
    case 'unreadable_answer':
    case 'receiver_not_confirmed':
    case 'payout_unclear':
      return submissionUnclear(record, reference, now);
    default:
      throw new TypeError(`Unknown kind of failure: ${String(error.kind satisfies never)}`);
  }
}

/** The service's own code where it has one, so that the merchant can look it up. */
function refusalCode(error: ServiceError): string {
  return error.serviceCode ?? error.kind;
}
