import { type TemplateResult, html, nothing } from 'lit';
import type { Attempt, Offer } from '../../../contract/backend.js';
import { intlLocale } from '../../../contract/intl-locale.js';
import { formatMoney } from '../../../contract/money.js';
import { isPaid } from '../../../contract/status.js';
import type { Messages, ReceiptState } from '../../../locales/messages.js';
import { Folds } from '../controllers/folds.js';
import type { PayingContext } from '../context.js';
import { money } from '../../opening/common.js';

type Row = readonly [name: string, value: unknown];

/**
 * The fields that PSE's rules ask of a receipt in every state, for every rail. What a payer names who asks about the
 * payment is there to be seen; what the payer knows anyway is folded until it is opened or printed.
 */
export function receipt(
  attempt: Attempt,
  offer: Offer | null,
  state: ReceiptState,
  { messages, keep }: PayingContext,
): TemplateResult {
  keep(Folds);
  const { locale } = messages;
  const { merchant, currency, amountInCents } = attempt;
  const written = (cents: number) => {
    const spelled = formatMoney(cents, currency, locale).includes(currency);
    return html`${money(cents, currency, messages)}${
      spelled ? nothing : html`<span aria-hidden="true"> ${currency}</span>`
    }`;
  };
  const received = isPaid(attempt.status) ? (attempt.confirmedAmountInCents ?? amountInCents) : amountInCents;
  const bank = bankName(attempt, offer);
  const cus = attempt.kind === 'PAYIN' && attempt.rail === 'PSE' ? attempt.sourceData?.cus : null;
  const shown: Row[] = [
    [messages.receiptState, messages.states[state]],
    [messages.receiptAmount, written(received)],
    [messages.receiptAsked, received === amountInCents ? null : written(amountInCents)],
    [messages.receiptReference, attempt.reference],
    [messages.receiptCus, cus],
    [messages.receiptDate, formatMoment(Date.parse(attempt.resultAt ?? attempt.createdAt), locale, 'long')],
  ];
  const folded: Row[] = [
    [messages.receiptMethod, methodName(attempt, messages)],
    [messages.receiptBank, bank],
    [
      messages.receiptMerchant,
      html`${merchant.name}${merchant.taxId ? html`<br /><span class="whole">${messages.taxId(merchant.taxId)}</span>` : nothing}`,
    ],
    [messages.receiptDescription, attempt.description],
  ];
  return html`<div class="receipt" part="receipt" role="group" aria-label=${messages.receipt}>
    ${list(shown)}
    <details>
      <summary>${messages.receiptMore}</summary>
      ${list(folded)}
    </details>
  </div>`;
}

function list(rows: readonly Row[]): TemplateResult {
  return html`<dl>
    ${rows.map(([name, value]) =>
      value
        ? html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`
        : nothing,
    )}
  </dl>`;
}

/** A moment in Colombia, wherever the payer is: an hour, or with its day. */
export function formatMoment(epochMs: number, locale: string, dateStyle?: 'long'): string {
  const format = new Intl.DateTimeFormat(intlLocale(locale), {
    ...(dateStyle && { dateStyle }),
    timeStyle: 'short',
    timeZone: 'America/Bogota',
  });
  // A receipt with an odd date is better than no receipt.
  return Number.isNaN(epochMs) ? '' : format.format(epochMs);
}

/** The bank's name as the payer knows it; its code when nobody said the name. */
export function bankName(attempt: Attempt, offer: Offer | null): string | null {
  if (attempt.kind !== 'PAYIN' || attempt.rail !== 'PSE' || !attempt.sourceData) return null;
  const { bank, bankName: name } = attempt.sourceData;
  if (name) return name;
  const listed = offer?.methods.flatMap((method) => ('banks' in method ? method.banks : []));
  return listed?.find(({ code }) => code === bank)?.name ?? bank;
}

export function methodName(attempt: Attempt, messages: Messages): string {
  if (attempt.kind === 'PAYMENT_LINK') return messages.methodLink;
  if (attempt.rail === 'PSE') return messages.methodPse;
  return attempt.sourceData?.keyType === 'QR_CODE' ? messages.methodQr : messages.methodKey;
}
