import { PSE_BANKS } from '../../contract/payer/bank-list.js';
import { buildEmvQr } from '../../contract/qr/emv-build.js';
import type { KeyType, PersonType } from '../../contract/kinds.js';
import type { CreatePaymentLink, CreatePayin, CreatePayout } from '../../contract/service/requests.js';
import type { InlineCustomer } from '../../contract/service/resources.js';
import { isFinal } from '../../contract/status.js';
import type { EngineContext } from './context.js';
import { keyKind } from './keys.js';
import { EngineError } from './engine-error.js';
import { OUTCOME_SCENARIOS } from './scenarios.js';
import type { LinkRecord, Outcome, PayinRecord, PayoutRecord, ResourceRecord } from './state.js';
import { LINK_LIFETIME_MS } from './timings.js';
import { viewEventData } from './views.js';

/** What a payer gives on the hosted page of a link. */
export type LinkPayment = (
  | { readonly rail: 'BRE_B'; readonly keyType: KeyType }
  | { readonly rail: 'PSE'; readonly bank: string; readonly personType: PersonType }
) & { readonly inlineCustomer?: InlineCustomer };

/** Document numbers that decide the outcome, as in the service's test environment; any other confirms. */
export const MAGIC_DOCUMENTS: ReadonlyMap<string, Outcome> = new Map([
  ['1000000001', 'CONFIRMED'],
  ['1000000003', 'DECLINED'],
  ['1000000005', 'CANCELED'],
]);

const SUPPORTED_BANKS = new Set(PSE_BANKS.map(({ code }) => code));
/** A QR payload has thirteen characters for its amount: 9999999999.99. */
const MAX_QR_AMOUNT_IN_CENTS = 999_999_999_999;
const MERCHANT_NAME = 'COMERCIO DE PRUEBA';
const MERCHANT_CITY = 'BOGOTA';

export function createPayin(context: EngineContext, input: CreatePayin): PayinRecord {
  const repeated = context.references.has(input.reference);
  if (repeated && !context.mishaps.awaits('repeated-references')) throw new EngineError('reference_taken');
  const payment =
    input.rail === 'BRE_B'
      ? { rail: input.rail, keyType: input.breb.keyType }
      : { rail: input.rail, bank: input.pse.bank, personType: input.pse.personType };
  check(payment, input.amountInCents);
  const payin = startPayin(context, payment, {
    amountInCents: input.amountInCents,
    reference: input.reference,
    inlineCustomer: input.inlineCustomer ?? null,
    callbackUrl: input.callbackUrl ?? null,
    link: null,
  });
  context.references.add(payin.reference);
  if (payin.status === 'PROCESSING') context.notify('payin.processing', payin);
  forgeEvents(context, payin, 'payin.confirmed', { status: 'CONFIRMED' });
  return payin;
}

/** Starts a payin for a link. The link's own scenarios go with it. */
export function payLink(context: EngineContext, link: LinkRecord, payment: LinkPayment): PayinRecord {
  if (link.status !== 'PENDING') throw new EngineError('link_not_payable');
  if (link.rail !== null && link.rail !== payment.rail) throw new EngineError('rail_not_allowed');
  check(payment, link.amountInCents);
  return startPayin(context, payment, {
    amountInCents: link.amountInCents,
    reference: link.reference,
    inlineCustomer: link.inlineCustomer ?? payment.inlineCustomer ?? null,
    callbackUrl: link.callbackUrl,
    link,
  });
}

export function createPayout(context: EngineContext, input: CreatePayout): PayoutRecord {
  const { keyString } = input.breb;
  if (!keyKind(keyString)) throw new EngineError('key_malformed');
  if (!context.lookedUpKeys.has(keyString)) throw new EngineError('key_not_looked_up');
  const payout = context.payouts.put({
    ...newResource(context, context.payouts.nextSequence(), input),
    kind: 'payout',
    status: 'PROCESSING',
    inlineCustomer: input.inlineCustomer,
    keyString,
    errorCode: null,
    resultAtMs: null,
    mishaps: context.mishaps.take(),
  });
  scheduleOutcome(context, payout);
  context.notify('payout.processing', payout);
  forgeEvents(context, payout, 'payout.confirmed', { status: 'CONFIRMED' });
  return payout;
}

export function createLink(context: EngineContext, input: CreatePaymentLink): LinkRecord {
  if (input.pse && !SUPPORTED_BANKS.has(input.pse.bank)) throw new EngineError('bank_unknown');
  const nowMs = context.clock.now();
  const link = context.links.put({
    ...newResource(context, context.links.nextSequence(), input),
    kind: 'link',
    status: 'PENDING',
    callbackUrl: input.callbackUrl,
    rail: input.rail ?? null,
    bank: input.pse?.bank ?? null,
    inlineCustomer: input.inlineCustomer ?? null,
    expiresAtMs: nowMs + LINK_LIFETIME_MS,
    completedAtMs: null,
    mishaps: context.mishaps.take(),
  });
  const lifeMs = context.mishaps.applies('expired', link) ? context.timings.outcomeDelayMs : LINK_LIFETIME_MS;
  context.jobs.schedule({ kind: 'expire-link', linkId: link.id }, nowMs + lifeMs);
  forgeEvents(context, link, 'paymentlink.completed', { status: 'COMPLETED' });
  return link;
}

/** What a payin, a payout and a link begin with. */
function newResource(
  { clock, random }: EngineContext,
  sequence: number,
  { amountInCents, reference }: { readonly amountInCents: number; readonly reference: string },
) {
  const nowMs = clock.now();
  return {
    id: random.uuid(),
    sequence,
    amountInCents,
    currency: 'COP',
    reference,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  } as const;
}

type Payment =
  | { readonly rail: 'BRE_B'; readonly keyType: KeyType }
  | { readonly rail: 'PSE'; readonly bank: string; readonly personType: PersonType };

interface PayinStart {
  readonly amountInCents: number;
  readonly reference: string;
  readonly inlineCustomer: InlineCustomer | null;
  readonly callbackUrl: string | null;
  readonly link: LinkRecord | null;
}

function startPayin(context: EngineContext, payment: Payment, start: PayinStart): PayinRecord {
  const nowMs = context.clock.now();
  const payin = context.payins.put({
    ...newResource(context, context.payins.nextSequence(), start),
    kind: 'payin',
    confirmedAmountInCents: null,
    // The service is seen to start with either name: a key waits for money, a bank's page is still to come.
    status: payment.rail === 'BRE_B' ? 'PROCESSING' : 'PENDING',
    settlementStatus: null,
    paymentLinkId: start.link?.id ?? null,
    inlineCustomer: start.inlineCustomer,
    errorCode: null,
    resultAtMs: null,
    chargebackAtMs: null,
    callbackUrl: start.callbackUrl,
    checkoutToken: context.random.letters(24),
    source: newSource(context, payment, start.amountInCents),
    mishaps: start.link ? [...start.link.mishaps] : context.mishaps.take(),
  });
  if (payment.rail === 'PSE') {
    context.jobs.schedule({ kind: 'show-pse-url', payinId: payin.id }, nowMs + context.timings.pseUrlDelayMs);
  }
  scheduleOutcome(context, payin);
  return payin;
}

function newSource(context: EngineContext, payment: Payment, amountInCents: number): PayinRecord['source'] {
  if (payment.rail === 'PSE') {
    const { bank, personType } = payment;
    return { rail: 'PSE', bank, personType, bankToken: context.random.letters(24), ready: false, cus: null };
  }
  const { keyType } = payment;
  const keyString = `@${context.random.letters(19)}`;
  const qrText =
    keyType === 'QR_CODE'
      ? buildEmvQr({
          key: { kind: 'ALPHANUMERIC', value: keyString },
          amountInCents,
          merchantName: MERCHANT_NAME,
          merchantCity: MERCHANT_CITY,
          transactionId: context.random.digits(19),
        })
      : null;
  return { rail: 'BRE_B', keyType, keyString, qrText };
}

/** Schedules the outcome that comes without a click, if there is one. */
export function scheduleOutcome(context: EngineContext, record: PayinRecord | PayoutRecord): void {
  context.jobs.cancel('decide', record.id);
  const byScenario = outcomeByScenario(context, record);
  const outcome = byScenario === undefined ? outcomeByDocument(context, record) : byScenario;
  if (outcome === null || isFinal(record.status)) return;
  const { outcomeDelayMs, documentDelayMs = outcomeDelayMs } = context.timings;
  const dueAtMs = record.createdAtMs + (byScenario === undefined ? documentDelayMs : outcomeDelayMs);
  context.jobs.schedule({ kind: 'decide', id: record.id, outcome }, dueAtMs);
}

/** Null when a scenario leaves it open, undefined when no scenario decides it. */
export function outcomeByScenario(
  context: EngineContext,
  record: ResourceRecord,
): Outcome | null | undefined {
  const name = OUTCOME_SCENARIO_NAMES.find((each) => context.mishaps.applies(each, record));
  return name && OUTCOME_SCENARIOS[name];
}

const OUTCOME_SCENARIO_NAMES = Object.keys(OUTCOME_SCENARIOS) as (keyof typeof OUTCOME_SCENARIOS)[];

function outcomeByDocument(context: EngineContext, record: PayinRecord | PayoutRecord): Outcome | null {
  const document = record.inlineCustomer?.idNumber;
  const automatic =
    context.autoOutcome === 'always' || (context.autoOutcome === 'document' && document !== undefined);
  return automatic ? (MAGIC_DOCUMENTS.get(document ?? '') ?? 'CONFIRMED') : null;
}

function forgeEvents(
  context: EngineContext,
  record: ResourceRecord,
  event: string,
  claim: { status: string },
): void {
  const data = { ...viewEventData(record, context.view), ...claim };
  if (context.mishaps.applies('webhooks-forged', record)) context.webhooks.forge(event, record, data, false);
  if (context.mishaps.applies('webhooks-forged-with-secret', record)) {
    context.webhooks.forge(event, record, data, true);
  }
}

function check(payment: Payment, amountInCents: number): void {
  if (payment.rail === 'PSE' && !SUPPORTED_BANKS.has(payment.bank)) throw new EngineError('bank_unknown');
  const hasQr = payment.rail === 'BRE_B' && payment.keyType === 'QR_CODE';
  if (hasQr && amountInCents > MAX_QR_AMOUNT_IN_CENTS) throw new EngineError('amount_too_large');
}
