import { decimalAmount } from '../../contract/values/money.js';
import { isoTime, isoTimeOrNull } from '../../service/clock.js';
import { qrPngUrl } from '../qr-png.js';
import type { ScenarioName } from './scenarios.js';
import type { LinkRecord, PayinRecord, PayoutRecord, ResourceRecord } from './state.js';

/** Records as JSON on the wire: exactly the interface's fields, changed where a scenario says so. */
export interface ViewContext {
  readonly publicUrl: string;
  readonly organizationId: string;
  applies(name: ScenarioName, record: ResourceRecord): boolean;
}

/** Names a final outcome might have instead, since the interface shows none. */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['CONFIRMED', 'APPROVED'],
  ['DECLINED', 'REJECTED'],
  ['CANCELED', 'CANCELLED'],
]);

export const bankPath = (bankToken: string) => `/bank/${bankToken}`;
export const checkoutPath = (payin: PayinRecord) => `/checkout/${payin.id}?token=${payin.checkoutToken}`;
export const linkPath = (linkId: string) => `/link/${linkId}`;

export function viewPayin(payin: PayinRecord, context: ViewContext) {
  const amounts = {
    amount: amount(payin, payin.amountInCents, context),
    confirmedAmount:
      payin.confirmedAmountInCents === null ? null : amount(payin, payin.confirmedAmountInCents, context),
  };
  const cents = {
    amountInCents: payin.amountInCents,
    confirmedAmountInCents: payin.confirmedAmountInCents,
  };
  return {
    id: payin.id,
    ...amounts,
    ...(context.applies('amount-in-cents-omitted', payin) ? {} : cents),
    currency: payin.currency,
    status: statusName(payin, context),
    settlementStatus: payin.settlementStatus,
    rail: payin.source.rail,
    reference: payin.reference,
    paymentLinkId: payin.paymentLinkId,
    inlineCustomer: payin.inlineCustomer,
    errorCode: payin.errorCode,
    createdAt: isoTime(payin.createdAtMs),
    updatedAt: isoTime(payin.updatedAtMs),
    resultAt: isoTimeOrNull(payin.resultAtMs),
    chargebackAt: isoTimeOrNull(payin.chargebackAtMs),
    organizationId: context.organizationId,
    sourceData: { ...sourceData(payin, context), ...picture(payin) },
    callbackUrl: payin.callbackUrl,
  };
}

/** In lists the customer is a string; here, the customer's JSON. */
export function viewListedPayin(payin: PayinRecord, context: ViewContext) {
  const { inlineCustomer } = payin;
  return {
    ...viewPayin(payin, context),
    inlineCustomer: inlineCustomer === null ? null : JSON.stringify(inlineCustomer),
  };
}

export function viewPayout(payout: PayoutRecord, context: ViewContext) {
  return {
    id: payout.id,
    amount: amount(payout, payout.amountInCents, context),
    currency: payout.currency,
    status: statusName(payout, context),
    rail: 'BRE_B',
    reference: payout.reference,
    inlineCustomer: payout.inlineCustomer,
    errorCode: payout.errorCode,
    createdAt: isoTime(payout.createdAtMs),
    updatedAt: isoTime(payout.updatedAtMs),
    resultAt: isoTimeOrNull(payout.resultAtMs),
    organizationId: context.organizationId,
    sourceData: { keyString: payout.keyString },
  };
}

export function viewLink(link: LinkRecord, context: ViewContext) {
  return {
    paymentLinkId: link.id,
    paymentLinkUrl: context.publicUrl + linkPath(link.id),
    status: link.status,
    createdAt: isoTime(link.createdAtMs),
    expiresAt: isoTime(link.expiresAtMs),
    completedAt: isoTimeOrNull(link.completedAtMs),
    rail: link.rail,
    inlineCustomer: link.inlineCustomer,
  };
}

/** The `data` of a webhook about a record. */
export function viewEventData(record: ResourceRecord, context: ViewContext) {
  switch (record.kind) {
    case 'payin':
      return {
        ...transaction(record, context),
        rail: record.source.rail,
        // A picture in every webhook would only make them heavy; the payin itself has it.
        sourceData: sourceData(record, context),
      };
    case 'payout':
      return { ...transaction(record, context), rail: 'BRE_B', sourceData: { keyString: record.keyString } };
    case 'link':
      return {
        paymentLinkId: record.id,
        reference: record.reference,
        amount: amount(record, record.amountInCents, context),
        currency: record.currency,
        status: record.status,
        createdAt: isoTime(record.createdAtMs),
        updatedAt: isoTime(record.updatedAtMs),
        expiresAt: record.status === 'COMPLETED' ? null : isoTime(record.expiresAtMs),
        completedAt: isoTimeOrNull(record.completedAtMs),
      };
    default:
      return record satisfies never;
  }
}

function transaction(record: PayinRecord | PayoutRecord, context: ViewContext) {
  return {
    id: record.id,
    reference: record.reference,
    amount: amount(record, record.amountInCents, context),
    currency: record.currency,
    status: statusName(record, context),
    errorCode: record.errorCode,
    createdAt: isoTime(record.createdAtMs),
    updatedAt: isoTime(record.updatedAtMs),
    resultAt: isoTimeOrNull(record.resultAtMs),
    organizationId: context.organizationId,
  };
}

function sourceData(payin: PayinRecord, context: ViewContext) {
  const { source } = payin;
  switch (source.rail) {
    case 'BRE_B':
      return {
        keyType: source.keyType,
        keyString: source.keyString,
        checkoutUrl: context.publicUrl + checkoutPath(payin),
      };
    case 'PSE':
      return {
        pseUrl: source.ready ? context.publicUrl + bankPath(source.bankToken) : null,
        bank: source.bank,
        ...(source.cus === null ? {} : { cus: source.cus }),
      };
    default:
      return source satisfies never;
  }
}

function picture({ source }: PayinRecord) {
  return source.rail === 'BRE_B' && source.qrText !== null ? { qrString: qrPngUrl(source.qrText) } : {};
}

function statusName(record: PayinRecord | PayoutRecord, context: ViewContext): string {
  return (context.applies('renamed-statuses', record) && OTHER_NAMES.get(record.status)) || record.status;
}

/** `amount` is pesos, as in most samples of the service, or cents under the scenario `amount-as-cents`. */
function amount(record: ResourceRecord, amountInCents: number, context: ViewContext): number {
  return context.applies('amount-as-cents', record) ? amountInCents : Number(decimalAmount(amountInCents));
}
