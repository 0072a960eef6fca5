import { type TemplateResult, html, nothing } from 'lit';
import type { Attempt, Offer } from '../../../contract/backend.js';
import { formatMoment } from '../../../contract/values/moment.js';
import { formatMoney } from '../../../contract/values/money.js';
import type { ReceiptState } from '../../../locales/messages.js';
import { Folds } from './folds.js';
import type { PayingContext, Words } from '../context.js';
import { money } from '../../opening/common.js';
import type { Received } from './payments.js';

type Row = readonly [name: unknown, value: unknown, look?: string];

/**
 * The fields that PSE's rules ask of a receipt in every state, for every rail. What a payer names who asks about the
 * payment is there to be seen; what the payer knows anyway is folded until it is opened or printed.
 */
export function receipt(
  attempt: Attempt,
  offer: Offer | null,
  state: ReceiptState,
  { messages, helper }: PayingContext,
  received: Received | null = null,
): TemplateResult {
  helper(Folds);
  const { merchant, currency } = attempt;
  const written = (cents: number) => {
    const spelled = formatMoney(cents, currency, messages.locale).includes(currency);
    return html`${money(cents, currency, messages)}${
      spelled ? nothing : html`<span aria-hidden="true"> ${currency}</span>`
    }`;
  };
  const day = (at: string) => formatMoment(Date.parse(at), messages.locale, 'long');
  const cus = attempt.kind === 'PAYIN' && attempt.rail === 'PSE' ? attempt.sourceData?.cus : null;
  const plain: Row[] = [
    [messages.receiptAmount, written(attempt.amountInCents)],
    [messages.receiptReference, attempt.reference],
    [messages.receiptCus, cus],
    [messages.receiptDate, day(attempt.resultAt ?? attempt.createdAt)],
  ];
  const summed = received !== null && !isPlain(received);
  const rows = summed
    ? [...sums(received, written, day, messages), [messages.receiptCus, cus] as Row]
    : plain;
  const folded: Row[] = [
    [messages.receiptMethod, methodName(attempt, messages)],
    [messages.receiptBank, bankName(attempt, offer)],
    [
      messages.receiptMerchant,
      html`${merchant.name}${merchant.taxId ? html`<br /><span class="amount">${messages.taxId(merchant.taxId)}</span>` : nothing}`,
    ],
    [messages.receiptDescription, attempt.description],
  ];
  return html`<div class="receipt" part="receipt" role="group" aria-label=${messages.receipt}>
    ${list([[messages.receiptState, messages.states[state]], ...rows], summed)}
    <details>
      <summary>${messages.receiptMore}</summary>
      ${list(folded)}
    </details>
  </div>`;
}

/** One payment of exactly the order's price. */
const isPlain = ({ payments, totalInCents, orderAmountInCents }: Received): boolean =>
  payments.length < 2 && totalInCents === orderAmountInCents;

/** Every payment with its reference, their sum, the order's price, and what is missing or too much. */
function sums(
  { payments, totalInCents, orderAmountInCents }: Received,
  written: (cents: number) => TemplateResult,
  day: (at: string) => string,
  messages: Words,
): Row[] {
  const difference = totalInCents - orderAmountInCents;
  return [
    ...payments.map(({ reference, amountInCents, at }): Row => [
      html`<b>${reference}</b> <small>${day(at)}</small>`,
      written(amountInCents),
    ]),
    [messages.paymentsTotal, payments.length > 1 && written(totalInCents)],
    [messages.receiptAsked, written(orderAmountInCents)],
    [
      difference < 0 ? messages.paymentsMissing : messages.paymentsExcess,
      difference !== 0 && written(Math.abs(difference)),
      'difference',
    ],
  ];
}

function list(rows: readonly Row[], summed = false): TemplateResult {
  const drawn = rows.map(([name, value, look = nothing]) =>
    value
      ? html`<div class=${look}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`
      : nothing,
  );
  return summed ? html`<dl class="payments" part="payments">${drawn}</dl>` : html`<dl>${drawn}</dl>`;
}

/** The bank's name as the payer knows it; its code where no name is given. */
export function bankName(attempt: Attempt, offer: Offer | null): string | null {
  if (attempt.kind !== 'PAYIN' || attempt.rail !== 'PSE' || !attempt.sourceData) return null;
  const { bank, bankName: name } = attempt.sourceData;
  if (name) return name;
  const listed = offer?.methods.flatMap((method) => ('banks' in method ? method.banks : []));
  return listed?.find(({ code }) => code === bank)?.name ?? bank;
}

export function methodName(attempt: Attempt, messages: Words): string {
  if (attempt.kind === 'PAYMENT_LINK') return messages.methodLink;
  if (attempt.rail === 'PSE') return messages.methodPse;
  return attempt.sourceData?.keyType === 'QR_CODE' ? messages.methodQr : messages.methodKey;
}
