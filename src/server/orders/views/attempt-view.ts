import type { Attempt } from '../../../contract/backend.js';
import { read } from '../../../contract/schema.js';
import { text, webAddress } from '../../../contract/fields.js';
import { isPaid, type LinkStatus, type PayinStatus } from '../../../contract/status.js';
import { isoTime, isoTimeOrNull } from '../../../service/clock.js';
import {
  type AttemptRecord,
  attemptStatus,
  oncePer,
  type OrderRecord,
  type SourceRecord,
  disclosedSubmission,
  representative,
} from '../record.js';
import { verdictOn } from '../settlement.js';

/**
 * What a payer may see of an attempt: the wire's attempt without what depends on the moment of the request. It is here
 * and not in `http` because an order's version grows when this changes.
 */
export type AttemptFacts = Facts<Attempt>;
type Facts<Each> = Each extends unknown ? Omit<Each, 'version' | 'now' | 'waited'> : never;

/** The attempt as it goes over the wire. */
export function attemptView(record: OrderRecord, attempt: AttemptRecord, now: number): Attempt {
  return {
    ...attemptFacts(record, attempt),
    version: String(record.version),
    now: isoTime(now),
    waited: false,
  };
}

/** The same as JSON. What depends on the record alone is written once, since payers ask many times for the same. */
export function attemptJson(
  record: OrderRecord,
  attempt: AttemptRecord,
  now: number,
  waited: boolean,
): string {
  return `${openJson(record)(attempt)},"now":"${isoTime(now)}","waited":${waited}}`;
}

/** Without the closing brace. */
const openJson = oncePer((record: OrderRecord) =>
  oncePer((attempt: AttemptRecord) =>
    JSON.stringify({ ...attemptFacts(record, attempt), version: String(record.version) }).slice(0, -1),
  ),
);

export function attemptFacts(record: OrderRecord, attempt: AttemptRecord): AttemptFacts {
  const submission = representative(attempt);
  const { choice } = attempt;
  // A payment found later under another reference stays undisclosed.
  const source = disclosedSubmission(attempt)?.source;
  const base = {
    id: attempt.id,
    order: attempt.token,
    reference: submission.link ?? submission.reference,
    amountInCents: attempt.amountInCents,
    confirmedAmountInCents: submission.confirmedAmountInCents,
    currency: attempt.currency,
    errorCode: valid(submission.errorCode, ERROR_CODE) ?? attempt.ended?.errorCode ?? null,
    createdAt: isoTime(attempt.createdAt),
    updatedAt: isoTime(attempt.changedAt),
    resultAt: submission.resultAt ?? isoTimeOrNull(attempt.ended?.at ?? null),
    expiresAt: isoTimeOrNull(attempt.expiresAt),
    late: attempt.late,
    stalled: attempt.stalled,
    ...(attempt.replaced ? { replaced: true } : {}),
    ...(attempt.ended === null || isPaid(submission.status) ? {} : { started: false }),
    merchant: attempt.merchant,
    description: attempt.description,
    settlement: settlement(record, attempt),
  };
  if (choice.kind === 'PAYMENT_LINK') {
    return {
      ...base,
      kind: choice.kind,
      status: attemptStatus(attempt) as LinkStatus,
      rail: choice.rail,
      paymentLinkUrl: valid(source?.paymentLinkUrl, webAddress),
    };
  }
  const payin = { ...base, kind: choice.kind, status: attemptStatus(attempt) as PayinStatus };
  if (choice.rail === 'BRE_B') {
    return { ...payin, rail: choice.rail, sourceData: brebSource(choice.keyType, source) };
  }
  const { bank, bankName } = choice;
  const pse = source && {
    bank,
    bankName,
    pseUrl: valid(source.pseUrl, webAddress),
    cus: valid(source.cus, CUS),
  };
  return { ...payin, rail: choice.rail, sourceData: pse ?? null };
}

function brebSource(keyType: 'SINGLE_USE' | 'QR_CODE', source: SourceRecord | undefined) {
  if (source === undefined || source.keyString === null) return null;
  const { keyString, qrString, qrText } = source;
  return { keyType, keyString, qrString, qrText, checkoutUrl: valid(source.checkoutUrl, webAddress) };
}

/** The verdict as this attempt's payer sees it: an order with too little money is still open to its other attempts. */
function settlement(record: OrderRecord, { id }: AttemptRecord): Attempt['settlement'] {
  const { state, by, duplicate, isComplete, paidInCents, orderAmountInCents } = verdictOn(record);
  const simple = state !== 'AMOUNT_DIFFERS' && record.payments.length < 2;
  if (simple || orderAmountInCents === null) return { state, by, duplicate };
  const payments = record.payments
    .slice(-MOST_PAYMENTS)
    .map(({ reference, amountInCents, at }) => ({ reference, amountInCents, at: isoTime(at) }));
  if (state !== 'AMOUNT_DIFFERS') return { state, by, duplicate, orderAmountInCents, payments };
  const amounts = { paidInCents, orderAmountInCents, payments };
  if (isComplete) return { state, by, duplicate, ...amounts };
  return record.payments.some(({ attempt }) => attempt === id)
    ? { state, by: id, duplicate, ...amounts }
    : { state: 'OPEN', by: null, duplicate, ...amounts };
}

/** As many as the wire takes. */
const MOST_PAYMENTS = 64;

const ERROR_CODE = text(128);
const CUS = text(64);

/** The service's text when it fits the wire's rules; otherwise it counts as absent. */
function valid(value: string | null | undefined, schema: typeof webAddress | typeof CUS): string | null {
  const reading = read(schema, value);
  return reading.ok ? reading.value : null;
}
