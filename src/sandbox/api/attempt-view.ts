import type { Attempt, Offer, Settlement } from '../../contract/backend.js';
import type { Method } from '../../contract/offer.js';
import { CUSTOMER_FIELDS } from '../../contract/offer.js';
import { PSE_BANKS } from '../../contract/payer/bank-list.js';
import { sortBanks } from '../../contract/payer/banks.js';
import { isFinal } from '../../contract/status.js';
import { isoTime, isoTimeOrNull } from '../../service/clock.js';
import type { Engine } from '../service/engine.js';
import { personTypeOf } from './customer.js';
import type { LinkRecord, PayinRecord } from '../service/state.js';
import { viewPayin } from '../service/views.js';

/** A payment link as the widget on its page knows it: the link is the order, its payins are the attempts. */

export function linkOffer(engine: Engine, link: LinkRecord): Offer {
  const payins = payinsOf(engine, link);
  const current = currentPayin(payins);
  return {
    version: '1',
    amountInCents: link.amountInCents,
    currency: link.currency,
    description: null,
    merchant: merchantOf(engine),
    methods: methodsOf(link),
    hints: link.inlineCustomer ? { personType: personTypeOf(link.inlineCustomer.idType) } : {},
    attempt: current ? linkAttempt(engine, link, current) : null,
    now: isoTime(engine.clock.now()),
  };
}

export function linkAttempt(engine: Engine, link: LinkRecord, payin: PayinRecord): Attempt {
  const { source } = payin;
  const payins = payinsOf(engine, link);
  const base = {
    id: payin.id,
    kind: 'PAYIN',
    order: link.id,
    reference: payin.reference,
    status: payin.status,
    amountInCents: payin.amountInCents,
    confirmedAmountInCents: payin.confirmedAmountInCents,
    currency: payin.currency,
    errorCode: payin.errorCode,
    createdAt: isoTime(payin.createdAtMs),
    updatedAt: isoTime(payin.updatedAtMs),
    resultAt: isoTimeOrNull(payin.resultAtMs),
    expiresAt: isoTime(link.expiresAtMs),
    late: false,
    stalled: false,
    merchant: merchantOf(engine),
    description: null,
    settlement: settlementOf(payins),
    version: linkVersion(link, payins),
    now: isoTime(engine.clock.now()),
    waited: false,
  } as const;
  const shown = viewPayin(payin, engine.view).sourceData;
  if (source.rail === 'PSE') {
    const pseUrl = 'pseUrl' in shown ? shown.pseUrl : null;
    return {
      ...base,
      rail: 'PSE',
      sourceData: { bank: source.bank, bankName: bankName(source.bank), pseUrl, cus: source.cus },
    };
  }
  const { keyType, keyString } = source;
  const qrString = ('qrString' in shown ? shown.qrString : undefined) ?? null;
  const checkoutUrl = 'checkoutUrl' in shown ? shown.checkoutUrl : null;
  return { ...base, rail: 'BRE_B', sourceData: { keyType, keyString, qrString, qrText: null, checkoutUrl } };
}

export function bankName(code: string): string {
  return PSE_BANKS.find((bank) => bank.code === code)?.name ?? code;
}

/** Newest first. */
export function payinsOf(engine: Engine, link: LinkRecord): PayinRecord[] {
  return engine.payins.filter(({ paymentLinkId }) => paymentLinkId === link.id);
}

/** The one that paid, else the newest while it is open. */
export function currentPayin(payins: readonly PayinRecord[]): PayinRecord | undefined {
  const paid = payins.findLast(({ status }) => status === 'CONFIRMED');
  return paid ?? payins.slice(0, 1).find(({ status }) => !isFinal(status));
}

/** Changes with anything the payer can see. Bounded in length, however many attempts there are. */
export function linkVersion(link: LinkRecord, payins: readonly PayinRecord[]): string {
  const latestMs = Math.max(link.updatedAtMs, ...payins.map(({ updatedAtMs }) => updatedAtMs));
  const statuses = payins.slice(0, 30).map(({ status }) => status[0] + status.slice(-1));
  return `${payins.length}.${latestMs}.${statuses.join('')}`.slice(0, 64);
}

function settlementOf(payins: readonly PayinRecord[]): Settlement {
  const paid = payins.filter(({ status }) => status === 'CONFIRMED');
  const first = paid.at(-1);
  if (!first) return { state: 'OPEN', by: null, duplicate: false };
  const exact = first.confirmedAmountInCents === first.amountInCents;
  const verdict = { by: first.id, duplicate: paid.length > 1 } as const;
  if (exact && paid.length === 1) return { state: 'PAID', ...verdict };
  const payments = paid
    .slice(0, 64)
    .toReversed()
    .map(({ reference, amountInCents, confirmedAmountInCents, resultAtMs, updatedAtMs }) => ({
      reference,
      amountInCents: confirmedAmountInCents ?? amountInCents,
      at: isoTime(resultAtMs ?? updatedAtMs),
    }));
  return { state: exact ? 'PAID' : 'AMOUNT_DIFFERS', ...verdict, payments };
}

function methodsOf(link: LinkRecord): Method[] {
  const requires = link.inlineCustomer === null ? [...CUSTOMER_FIELDS] : [];
  const banks = sortBanks(PSE_BANKS.filter(({ code }) => link.bank === null || link.bank === code)).map(
    ({ code, name, aliases }) => ({ code, name, ...(aliases && { aliases: [...aliases] }) }),
  );
  const all: Method[] = [
    { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE', requires },
    { kind: 'PAYIN', rail: 'BRE_B', keyType: 'SINGLE_USE', requires },
    { kind: 'PAYIN', rail: 'PSE', banks, requires },
  ];
  return all.filter(({ rail }) => link.rail === null || link.rail === rail);
}

function merchantOf({ merchant: name }: Engine): Offer['merchant'] {
  return { name, taxId: null, supportEmail: null, supportPhone: null, payeeName: null };
}
