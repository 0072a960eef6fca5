import type { MONEY_OUT, PayoutState } from '../../../contract/merchant/payouts.js';
import type { Line } from '../../line.js';
import type { PayoutRecord } from '../payouts/payout-record.js';
import {
  type AttemptRecord,
  attemptStatus,
  disclosedSubmission,
  type OrderRecord,
  type PaymentRecord,
  representative,
  type Submission,
} from '../record.js';
import { payoutsOf } from '../payouts/refunds.js';

const LONGEST_REASON = 64;

export function linesOf(record: OrderRecord): Line[] {
  return [
    ...record.attempts.map((attempt) => attemptLine(record, attempt)),
    ...payoutsOf(record).flatMap((payout) => payoutLines(record, payout)),
    ...record.payments.flatMap(chargebackLines),
  ];
}

/** A draft may lapse without a trace, so it has no line. */
function payoutLines({ order, payments }: OrderRecord, payout: PayoutRecord): Line[] {
  const { id, reference, state, steps, amountInCents, reason, errorCode } = payout;
  const at = (wanted: PayoutState) => steps.find((step) => step.state === wanted)?.at;
  const startedAt = at('SENDING');
  if (startedAt === undefined) return [];
  const paidAt = state === 'CONFIRMED' ? (at('CONFIRMED') ?? null) : null;
  return [
    {
      id,
      reference,
      rail: order === '' && payments.length === 0 ? 'PAYOUT' : 'REFUND',
      status: state,
      amountInCents,
      startedAt,
      shownAt: null,
      paidAt,
      paidInCents: paidAt === null ? 0 : amountInCents,
      reason: codeOf(errorCode ?? reason),
    } satisfies MoneyOutLine,
  ];
}

/** What the payer's bank took back. */
function chargebackLines({ serviceId, reference, amountInCents, chargebackAt }: PaymentRecord): Line[] {
  if (chargebackAt === null) return [];
  const at = Date.parse(chargebackAt);
  return [
    {
      id: `${reference}.${serviceId}.chargeback`,
      reference,
      rail: 'CHARGEBACK',
      status: 'CHARGED_BACK',
      amountInCents,
      startedAt: at,
      shownAt: null,
      paidAt: at,
      paidInCents: amountInCents,
      reason: null,
    } satisfies MoneyOutLine,
  ];
}

interface MoneyOutLine extends Line {
  readonly rail: (typeof MONEY_OUT)[number];
}

function attemptLine(record: OrderRecord, attempt: AttemptRecord): Line {
  const submission = representative(attempt);
  const payments = record.payments.filter((payment) => payment.attempt === attempt.id);
  const [first] = payments;
  const shown = disclosedSubmission(attempt);
  const { choice } = attempt;
  return {
    id: attempt.id,
    reference: submission.link ?? submission.reference,
    rail: choice.kind === 'PAYMENT_LINK' ? choice.kind : choice.rail,
    status: attemptStatus(attempt),
    amountInCents: attempt.amountInCents,
    startedAt: attempt.createdAt,
    shownAt: shown === undefined ? null : shownAt(record, shown),
    paidAt: first === undefined ? null : arrivedAt(attempt, submission, first.at),
    paidInCents: payments.reduce((sum, { amountInCents }) => sum + amountInCents, 0),
    reason: reasonOf(attempt, submission),
    ...(submission.source.cus !== null && { cus: plain(submission.source.cus) }),
    ...(submission.source.keyString !== null && { key: plain(submission.source.keyString) }),
    ...(choice.kind === 'PAYIN' && choice.rail === 'PSE' && { bank: plain(choice.bankName ?? choice.bank) }),
    ...(attempt.documentEnd !== undefined && { documentEnd: attempt.documentEnd }),
  };
}

/** The service's own text without control characters: a database may refuse the whole order for a NUL in a column. */
const plain = (text: string) => text.replaceAll(/\p{Cc}/gu, '');

/** When the payin became known, or where the history no longer says so, when it was asked for. */
function shownAt({ journal = [] }: OrderRecord, { reference, startedAt }: Submission): number {
  const entry = journal.find((each) => each.event === 'payment_known' && each.reference === reference);
  return entry?.at ?? startedAt;
}

/** When the service says that the money arrived, unless that cannot be: then when it was read. */
function arrivedAt({ createdAt }: AttemptRecord, { resultAt }: Submission, readAt: number): number {
  const at = resultAt === null ? Number.NaN : Date.parse(resultAt);
  return at >= createdAt && at <= readAt ? at : readAt;
}

/** A code, never a sentence of the service's, which might contain a name. */
function reasonOf(attempt: AttemptRecord, { errorCode, status }: Submission): string | null {
  const code = errorCode ?? attempt.ended?.errorCode ?? null;
  return codeOf(code) ?? (status === 'DECLINED' || status === 'CANCELED' ? status : null);
}

function codeOf(code: string | null): string | null {
  if (code === null) return null;
  return /^[\w.-]+$/.test(code) ? code.slice(0, LONGEST_REASON) : 'other';
}
