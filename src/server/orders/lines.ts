import {
  type AttemptRecord,
  attemptStatus,
  disclosedSubmission,
  type OrderRecord,
  representative,
  type Submission,
} from './record.js';

/** One attempt as lists and figures need it. Times are epoch milliseconds; the store keeps it beside the record. */
export interface Line {
  readonly id: string;
  readonly reference: string;
  readonly rail: string;
  readonly status: string;
  readonly amountInCents: number;
  readonly startedAt: number;
  readonly shownAt: number | null;
  readonly paidAt: number | null;
  readonly paidInCents: number;
  readonly reason: string | null;
}

const LONGEST_REASON = 64;

export function attemptLines(record: OrderRecord): Line[] {
  return record.attempts.map((attempt) => attemptLine(record, attempt));
}

function attemptLine(record: OrderRecord, attempt: AttemptRecord): Line {
  const submission = representative(attempt);
  const payments = record.payments.filter((payment) => payment.attempt === attempt.id);
  const [first] = payments;
  const shown = disclosedSubmission(attempt);
  const { choice } = attempt;
  return {
    id: attempt.id,
    reference: submission.reference,
    rail: choice.kind === 'PAYMENT_LINK' ? choice.kind : choice.rail,
    status: attemptStatus(attempt),
    amountInCents: attempt.amountInCents,
    startedAt: attempt.createdAt,
    shownAt: shown === undefined ? null : shownAt(record, shown),
    paidAt: first === undefined ? null : arrivedAt(attempt, submission, first.at),
    paidInCents: payments.reduce((sum, { amountInCents }) => sum + amountInCents, 0),
    reason: reasonOf(attempt, submission),
  };
}

/** When the payin became known; rows of release 0.1 have no history, so there it is when it was asked for. */
function shownAt({ journal = [] }: OrderRecord, { reference, startedAt }: Submission): number {
  const entry = journal.find((each) => each.event === 'payment_known' && each.reference === reference);
  return entry?.at ?? startedAt;
}

/** When the service says that the money arrived, unless that cannot be: then when it was read. */
function arrivedAt({ createdAt }: AttemptRecord, { resultAt }: Submission, readAt: number): number {
  const at = resultAt === null ? Number.NaN : Date.parse(resultAt);
  return at >= createdAt && at <= readAt ? at : readAt;
}

/** A code, never a sentence of the service's, which might name somebody. */
function reasonOf(attempt: AttemptRecord, { errorCode, status }: Submission): string | null {
  const code = errorCode ?? attempt.ended?.errorCode ?? null;
  if (code === null) return status === 'DECLINED' || status === 'CANCELED' ? status : null;
  return /^[\w.-]+$/.test(code) ? code.slice(0, LONGEST_REASON) : 'other';
}
