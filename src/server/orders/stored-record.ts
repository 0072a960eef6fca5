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

interface StoredPayment extends Omit<PaymentRecord, 'orderAmountInCents'> {
  readonly orderAmountInCents?: number;
}

interface StoredAttempt extends Omit<
  AttemptRecord,
  'draft' | 'submissions' | 'disclosed' | 'orderAmountInCents'
> {
  readonly orderAmountInCents?: number;
  readonly draft: StoredDraft | null;
  readonly calls: readonly StoredSubmission[];
  readonly shown: string | null;
}

interface StoredDraft extends Omit<SubmissionDraft, 'nextSubmissionAt'> {
  readonly nextCallAt: number | null;
}

interface StoredSubmission extends Omit<Submission, 'unverifiedEvents'> {
  readonly hints: readonly UnverifiedEvent[];
}

/** @throws Error when the row is of a format this release does not know: money is not guessed at. */
export function fromStored(body: unknown): OrderRecord {
  const { format, ...record } = body as StoredRecord;
  if (format !== 1) throw new Error('An order was written by another version of the kit');
  const asked = new Map(record.attempts.map((attempt) => [attempt.id, attempt.amountInCents]));
  return {
    ...record,
    payments: record.payments.map((payment) => ({
      ...payment,
      orderAmountInCents: payment.orderAmountInCents ?? asked.get(payment.attempt) ?? payment.amountInCents,
    })),
    attempts: record.attempts.map(({ draft, calls, shown, ...attempt }) => ({
      ...attempt,
      orderAmountInCents: attempt.orderAmountInCents ?? attempt.amountInCents,
      draft: draft && readDraft(draft),
      submissions: calls.map(({ hints, ...submission }) => ({ ...submission, unverifiedEvents: hints })),
      disclosed: shown,
    })),
  };
}

function readDraft({ nextCallAt, ...draft }: StoredDraft): SubmissionDraft {
  return { ...draft, nextSubmissionAt: nextCallAt };
}

export function toStored(record: OrderRecord): StoredRecord {
  return {
    ...record,
    format: 1,
    attempts: record.attempts.map(({ draft, submissions, disclosed, ...attempt }) => ({
      ...attempt,
      draft: draft && writeDraft(draft),
      calls: submissions.map(({ unverifiedEvents, ...submission }) => ({
        ...submission,
        hints: unverifiedEvents,
      })),
      shown: disclosed,
    })),
  };
}

function writeDraft({ nextSubmissionAt, ...draft }: SubmissionDraft): StoredDraft {
  return { ...draft, nextCallAt: nextSubmissionAt };
}
