import type { Attempt } from '../../contract/backend.js';
import { read, text, webAddress } from '../../contract/schema.js';
import type { LinkStatus, PayinStatus } from '../../contract/status.js';
import {
  type AttemptRecord,
  attemptStatus,
  type OrderRecord,
  type SourceRecord,
  shownCall,
  speakingCall,
} from './record.js';

/** What a payer may see of an attempt: the wire's attempt without what only the moment of asking adds. */
export type AttemptFacts = Facts<Attempt>;
type Facts<Each> = Each extends unknown ? Omit<Each, 'version' | 'now' | 'waited'> : never;

export function attemptFacts(record: OrderRecord, attempt: AttemptRecord): AttemptFacts {
  const call = speakingCall(attempt);
  const { choice } = attempt;
  // Only what was chosen to be shown; a payment found later under another reference stays unseen.
  const source = shownCall(attempt)?.source;
  const base = {
    id: attempt.id,
    order: attempt.token,
    reference: call.reference,
    amountInCents: attempt.amountInCents,
    confirmedAmountInCents: call.confirmedAmountInCents,
    currency: attempt.currency,
    errorCode: sayable(call.errorCode, ERROR_CODE) ?? attempt.ended?.errorCode ?? null,
    createdAt: iso(attempt.createdAt),
    updatedAt: iso(attempt.changedAt),
    resultAt: call.resultAt ?? (attempt.ended === null ? null : iso(attempt.ended.at)),
    expiresAt: attempt.expiresAt === null ? null : iso(attempt.expiresAt),
    late: attempt.late,
    stalled: attempt.stalled,
    merchant: attempt.merchant,
    description: attempt.description,
    settlement: settlement(record),
  };
  if (choice.kind === 'PAYMENT_LINK') {
    return {
      ...base,
      kind: choice.kind,
      status: attemptStatus(attempt) as LinkStatus,
      rail: choice.rail,
      paymentLinkUrl: sayable(source?.paymentLinkUrl, webAddress),
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
    pseUrl: sayable(source.pseUrl, webAddress),
    cus: sayable(source.cus, CUS),
  };
  return { ...payin, rail: choice.rail, sourceData: pse ?? null };
}

function brebSource(keyType: 'SINGLE_USE' | 'QR_CODE', source: SourceRecord | undefined) {
  if (source === undefined || source.keyString === null) return null;
  const { keyString, qrString, qrText } = source;
  return { keyType, keyString, qrString, qrText, checkoutUrl: sayable(source.checkoutUrl, webAddress) };
}

function settlement(record: OrderRecord): Attempt['settlement'] {
  const [first] = record.payments;
  if (first === undefined) return { state: 'OPEN', by: null, duplicate: false };
  const asked = record.attempts.find((each) => each.id === first.attempt)?.amountInCents;
  return {
    state: asked === first.amountInCents ? 'PAID' : 'AMOUNT_DIFFERS',
    by: first.attempt,
    duplicate: record.payments.length > 1,
  };
}

const ERROR_CODE = text(128);
const CUS = text(64);

/** The service's text where the wire takes it; what it does not take is as good as absent. */
function sayable(value: string | null | undefined, schema: typeof webAddress | typeof CUS): string | null {
  const reading = read(schema, value);
  return reading.ok ? reading.value : null;
}

function iso(epochMs: number): string {
  return new Date(epochMs).toISOString();
}
