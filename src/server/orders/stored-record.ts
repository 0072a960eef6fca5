import type {
  AttemptRecord,
  OrderRecord,
  PaymentRecord,
  Submission,
  SubmissionDraft,
  UnverifiedEvent,
} from './record.js';

/**
 * The record as the store keeps it, under the names of the first release: during an upgrade old and new instances share
 * a database, so each must read what the other writes. A new field is optional here and gets its default in `fromStored`.
 */
export interface StoredRecord extends Omit<OrderRecord, 'attempts' | 'payments'> {
  readonly format: 1;
  readonly attempts: readonly StoredAttempt[];
  readonly payments: readonly StoredPayment[];
}

interface StoredPayment extends Omit<PaymentRecord, 'orderAmountInCents' | 'serviceId' | 'chargebackAt'> {
  readonly orderAmountInCents?: number;
  readonly serviceId?: string;
  readonly chargebackAt?: string | null;
}

interface StoredAttempt extends Omit<
  AttemptRecord,
  'draft' | 'submissions' | 'payins' | 'disclosed' | 'orderAmountInCents'
> {
  readonly orderAmountInCents?: number;
  readonly payins?: readonly StoredSubmission[];
  readonly draft: StoredDraft | null;
  readonly calls: readonly StoredSubmission[];
  readonly shown: string | null;
}

interface StoredDraft extends Omit<SubmissionDraft, 'nextSubmissionAt'> {
  readonly nextCallAt: number | null;
}

type AddedLater = 'link' | 'search' | 'searchedAt';

interface StoredSubmission
  extends Omit<Submission, 'unverifiedEvents' | AddedLater>, Partial<Pick<Submission, AddedLater>> {
  readonly hints: readonly UnverifiedEvent[];
}

/** @throws Error when the row is of a format this release does not know: money is not guessed at. */
export function fromStored(body: unknown): OrderRecord {
  const { format, ...record } = body as StoredRecord;
  if (format !== 1) throw new Error('An order was written by another version of the kit');
  return {
    ...record,
    payments: record.payments.map((payment) => readPayment(payment, record.attempts)),
    attempts: record.attempts.map(({ draft, calls, payins = [], shown, ...attempt }) => ({
      ...attempt,
      orderAmountInCents: attempt.orderAmountInCents ?? attempt.amountInCents,
      draft: draft && readDraft(draft),
      submissions: calls.map(readSubmission),
      payins: payins.map(readSubmission),
      disclosed: shown,
    })),
  };
}

/** Earlier releases knew a payment by its attempt and reference alone. */
function readPayment(payment: StoredPayment, attempts: readonly StoredAttempt[]): PaymentRecord {
  const attempt = attempts.find(({ id }) => id === payment.attempt);
  const call = attempt?.calls.find(({ reference }) => reference === payment.reference);
  return {
    ...payment,
    orderAmountInCents: payment.orderAmountInCents ?? attempt?.amountInCents ?? payment.amountInCents,
    serviceId: payment.serviceId ?? call?.serviceId ?? '',
    chargebackAt: payment.chargebackAt ?? call?.chargebackAt ?? null,
  };
}

function readSubmission({ hints, ...submission }: StoredSubmission): Submission {
  return { link: null, search: null, searchedAt: null, ...submission, unverifiedEvents: hints };
}

function readDraft({ nextCallAt, ...draft }: StoredDraft): SubmissionDraft {
  return { ...draft, nextSubmissionAt: nextCallAt };
}

export function toStored(record: OrderRecord): StoredRecord {
  return {
    ...record,
    format: 1,
    attempts: record.attempts.map(({ draft, submissions, payins, disclosed, ...attempt }) => ({
      ...attempt,
      draft: draft && writeDraft(draft),
      calls: submissions.map(writeSubmission),
      ...(payins.length > 0 && { payins: payins.map(writeSubmission) }),
      shown: disclosed,
    })),
  };
}

function writeSubmission({ unverifiedEvents, ...submission }: Submission): StoredSubmission {
  return { ...submission, hints: unverifiedEvents };
}

function writeDraft({ nextSubmissionAt, ...draft }: SubmissionDraft): StoredDraft {
  return { ...draft, nextCallAt: nextSubmissionAt };
}
