import { PSE_BANKS } from '../../contract/bank-list.js';
import { buildEmvQr } from '../../contract/emv-build.js';
import type { PersonType } from '../../contract/identity.js';
import type { CreatePaymentLink, CreatePayin, CreatePayout } from '../../contract/service-requests.js';
import type { InlineCustomer, KeyType } from '../../contract/service-resources.js';
import { isFinal } from '../../contract/status.js';
import type { Core } from './context.js';
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

export function createPayin(core: Core, input: CreatePayin): PayinRecord {
  const repeated = core.references.has(input.reference);
  if (repeated && !core.mishaps.awaits('repeated-references')) throw new EngineError('reference_taken');
  const payment =
    input.rail === 'BRE_B'
      ? { rail: input.rail, keyType: input.breb.keyType }
      : { rail: input.rail, bank: input.pse.bank, personType: input.pse.personType };
  check(payment, input.amountInCents);
  const payin = startPayin(core, payment, {
    amountInCents: input.amountInCents,
    reference: input.reference,
    inlineCustomer: input.inlineCustomer ?? null,
    callbackUrl: input.callbackUrl ?? null,
    link: null,
  });
  core.references.add(payin.reference);
  if (payin.status === 'PROCESSING') core.tell('payin.processing', payin);
  forgeIfTold(core, payin, 'payin.confirmed', { status: 'CONFIRMED' });
  return payin;
}

/** Starts a payin for a link. The link's own scenarios go with it. */
export function payLink(core: Core, link: LinkRecord, payment: LinkPayment): PayinRecord {
  if (link.status !== 'PENDING') throw new EngineError('link_not_payable');
  if (link.rail !== null && link.rail !== payment.rail) throw new EngineError('rail_not_allowed');
  check(payment, link.amountInCents);
  return startPayin(core, payment, {
    amountInCents: link.amountInCents,
    reference: link.reference,
    inlineCustomer: link.inlineCustomer ?? payment.inlineCustomer ?? null,
    callbackUrl: link.callbackUrl,
    link,
  });
}

export function createPayout(core: Core, input: CreatePayout): PayoutRecord {
  const { keyString } = input.breb;
  if (!keyKind(keyString)) throw new EngineError('key_malformed');
  if (!core.lookedUpKeys.has(keyString)) throw new EngineError('key_not_looked_up');
  const nowMs = core.clock.now();
  const payout = core.payouts.put({
    kind: 'payout',
    id: core.random.uuid(),
    sequence: core.payouts.nextSequence(),
    amountInCents: input.amountInCents,
    currency: input.currency,
    status: 'PROCESSING',
    reference: input.reference,
    inlineCustomer: input.inlineCustomer,
    keyString,
    errorCode: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    resultAtMs: null,
    mishaps: core.mishaps.take(),
  });
  scheduleOutcome(core, payout);
  core.tell('payout.processing', payout);
  forgeIfTold(core, payout, 'payout.confirmed', { status: 'CONFIRMED' });
  return payout;
}

export function createLink(core: Core, input: CreatePaymentLink): LinkRecord {
  if (input.pse && !SUPPORTED_BANKS.has(input.pse.bank)) throw new EngineError('bank_unknown');
  const nowMs = core.clock.now();
  const link = core.links.put({
    kind: 'link',
    id: core.random.uuid(),
    sequence: core.links.nextSequence(),
    amountInCents: input.amountInCents,
    currency: 'COP',
    status: 'PENDING',
    reference: input.reference,
    callbackUrl: input.callbackUrl,
    rail: input.rail ?? null,
    bank: input.pse?.bank ?? null,
    inlineCustomer: input.inlineCustomer ?? null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    expiresAtMs: nowMs + LINK_LIFETIME_MS,
    completedAtMs: null,
    mishaps: core.mishaps.take(),
  });
  const lifeMs = core.mishaps.applies('expired', link) ? core.timings.outcomeDelayMs : LINK_LIFETIME_MS;
  core.jobs.schedule({ kind: 'expire-link', linkId: link.id }, nowMs + lifeMs);
  forgeIfTold(core, link, 'paymentlink.completed', { status: 'COMPLETED' });
  return link;
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

function startPayin(core: Core, payment: Payment, start: PayinStart): PayinRecord {
  const nowMs = core.clock.now();
  const payin = core.payins.put({
    kind: 'payin',
    id: core.random.uuid(),
    sequence: core.payins.nextSequence(),
    amountInCents: start.amountInCents,
    confirmedAmountInCents: null,
    currency: 'COP',
    // The service is seen to start with either name: a key waits for money, a bank's page is still to come.
    status: payment.rail === 'BRE_B' ? 'PROCESSING' : 'PENDING',
    settlementStatus: null,
    reference: start.reference,
    paymentLinkId: start.link?.id ?? null,
    inlineCustomer: start.inlineCustomer,
    errorCode: null,
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
    resultAtMs: null,
    chargebackAtMs: null,
    callbackUrl: start.callbackUrl,
    checkoutToken: core.random.letters(24),
    source: newSource(core, payment, start.amountInCents),
    mishaps: start.link ? [...start.link.mishaps] : core.mishaps.take(),
  });
  if (payment.rail === 'PSE') {
    core.jobs.schedule({ kind: 'show-pse-url', payinId: payin.id }, nowMs + core.timings.pseUrlDelayMs);
  }
  scheduleOutcome(core, payin);
  return payin;
}

function newSource(core: Core, payment: Payment, amountInCents: number): PayinRecord['source'] {
  if (payment.rail === 'PSE') {
    const { bank, personType } = payment;
    return { rail: 'PSE', bank, personType, bankToken: core.random.letters(24), ready: false, cus: null };
  }
  const { keyType } = payment;
  const keyString = `@${core.random.letters(19)}`;
  const qrText =
    keyType === 'QR_CODE'
      ? buildEmvQr({
          key: { kind: 'ALPHANUMERIC', value: keyString },
          amountInCents,
          merchantName: MERCHANT_NAME,
          merchantCity: MERCHANT_CITY,
          transactionId: core.random.digits(19),
        })
      : null;
  return { rail: 'BRE_B', keyType, keyString, qrText };
}

/** The outcome that comes when nobody clicks, if any. */
export function scheduleOutcome(core: Core, record: PayinRecord | PayoutRecord): void {
  core.jobs.cancel('decide', record.id);
  const told = outcomeByScenario(core, record);
  const outcome = told === undefined ? outcomeByDocument(core, record) : told;
  if (outcome === null || isFinal(record.status)) return;
  const dueAtMs = record.createdAtMs + core.timings.outcomeDelayMs;
  core.jobs.schedule({ kind: 'decide', id: record.id, outcome }, dueAtMs);
}

/** Null when a scenario leaves it open, undefined when none speaks of it. */
export function outcomeByScenario(core: Core, record: ResourceRecord): Outcome | null | undefined {
  const name = OUTCOME_SCENARIO_NAMES.find((each) => core.mishaps.applies(each, record));
  return name && OUTCOME_SCENARIOS[name];
}

const OUTCOME_SCENARIO_NAMES = Object.keys(OUTCOME_SCENARIOS) as (keyof typeof OUTCOME_SCENARIOS)[];

function outcomeByDocument(core: Core, record: PayinRecord | PayoutRecord): Outcome | null {
  const document = record.inlineCustomer?.idNumber;
  const automatic =
    core.autoOutcome === 'always' || (core.autoOutcome === 'document' && document !== undefined);
  return automatic ? (MAGIC_DOCUMENTS.get(document ?? '') ?? 'CONFIRMED') : null;
}

function forgeIfTold(core: Core, record: ResourceRecord, event: string, claim: { status: string }): void {
  const data = { ...viewEventData(record, core.view), ...claim };
  if (core.mishaps.applies('webhooks-forged', record)) core.webhooks.forge(event, record, data, false);
  if (core.mishaps.applies('webhooks-forged-with-secret', record)) {
    core.webhooks.forge(event, record, data, true);
  }
}

function check(payment: Payment, amountInCents: number): void {
  if (payment.rail === 'PSE' && !SUPPORTED_BANKS.has(payment.bank)) throw new EngineError('bank_unknown');
  const hasQr = payment.rail === 'BRE_B' && payment.keyType === 'QR_CODE';
  if (hasQr && amountInCents > MAX_QR_AMOUNT_IN_CENTS) throw new EngineError('amount_too_large');
}
