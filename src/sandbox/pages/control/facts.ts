import { html } from 'hono/html';
import { formatTimestamp } from '../../../contract/dates.js';
import { formatMoney } from '../../../contract/money.js';
import { addressOf, type ControlView, copyable, UNFILTERED } from './view.js';
import { facts, type Html, returnAddress } from '../layout.js';
import { bankName } from '../payer/parts.js';
import type { LinkRecord, PayinRecord, ResourceRecord } from '../../service/state.js';

type FactRow = readonly [string, Html | string | null];

/** Everything known of a record, under the names a developer finds in the interface. */
export function factsFor(view: ControlView, record: ResourceRecord): Html {
  const { words, language } = view;
  const names = words.facts;
  const moment = (atMs: number | null) =>
    atMs === null ? null : formatTimestamp(new Date(atMs).toISOString(), language);
  const rows: FactRow[] = [
    [names.id, copyableFact(names.id, record.id, view)],
    [names.reference, copyableFact(names.reference, record.reference, view)],
    ...ownFacts(view, record, moment),
    [names.customer, record.inlineCustomer?.name ?? null],
    [
      names.document,
      record.inlineCustomer && `${record.inlineCustomer.idType} ${record.inlineCustomer.idNumber}`,
    ],
    [names.created, moment(record.createdAtMs)],
    [names.updated, moment(record.updatedAtMs)],
  ];
  return facts(rows.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const])));
}

function ownFacts(
  view: ControlView,
  record: ResourceRecord,
  moment: (atMs: number | null) => string | null,
): FactRow[] {
  switch (record.kind) {
    case 'payin':
      return payinFacts(view, record, moment);
    case 'payout':
      return [
        [view.words.facts.key, copyableFact(view.words.facts.key, record.keyString, view)],
        [view.words.facts.error, record.errorCode],
        [view.words.facts.result, moment(record.resultAtMs)],
      ];
    case 'link':
      return linkFacts(view, record, moment);
    default:
      return record satisfies never;
  }
}

function payinFacts(
  view: ControlView,
  payin: PayinRecord,
  moment: (atMs: number | null) => string | null,
): FactRow[] {
  const names = view.words.facts;
  const { source } = payin;
  const confirmed = payin.confirmedAmountInCents;
  const linkId = payin.paymentLinkId;
  return [
    [names.confirmed, confirmed === null ? null : formatMoney(confirmed, 'COP', view.language)],
    [names.rail, source.rail === 'PSE' ? 'PSE' : `BRE_B · ${source.keyType}`],
    ...(source.rail === 'PSE'
      ? ([
          [names.bank, `${bankName(source.bank)} (${source.bank})`],
          [names.personType, source.personType],
          ['CUS', source.cus],
        ] as const)
      : ([[names.key, copyableFact(names.key, source.keyString, view)]] as const)),
    [names.error, payin.errorCode],
    [names.settlement, payin.settlementStatus],
    [names.chargeback, moment(payin.chargebackAtMs)],
    [
      names.link,
      linkId === null
        ? null
        : html`<a href="${addressOf(view, { section: 'links', openId: linkId, ...UNFILTERED })}"
            >${linkId}</a
          >`,
    ],
    [names.callback, callback(payin.callbackUrl)],
    [names.result, moment(payin.resultAtMs)],
  ];
}

function linkFacts(
  view: ControlView,
  link: LinkRecord,
  moment: (atMs: number | null) => string | null,
): FactRow[] {
  const names = view.words.facts;
  return [
    [names.rail, link.rail],
    [names.bank, link.bank === null ? null : bankName(link.bank)],
    [names.expires, moment(link.expiresAtMs)],
    [names.completed, moment(link.completedAtMs)],
    [names.callback, callback(link.callbackUrl)],
  ];
}

function callback(url: string | null): Html | string | null {
  const checked = returnAddress(url);
  return checked === undefined ? url : html`<a href="${checked}" rel="noreferrer">${checked}</a>`;
}

function copyableFact(name: string, value: string, view: ControlView): Html {
  return html`<span class="mono">${value}</span>${copyable(name, value, view.words)}`;
}
