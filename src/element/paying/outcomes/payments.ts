import { type TemplateResult, css, html, nothing } from 'lit';
import type { Attempt } from '../../../contract/backend.js';
import { isPaid } from '../../../contract/status.js';
import type { Messages } from '../../../locales/messages.js';
import { type Drawn, money } from '../../opening/common.js';
import { formatMoment } from './receipt.js';

export interface Received {
  readonly payments: readonly {
    readonly reference: string;
    readonly amountInCents: number;
    readonly at: string;
  }[];
  readonly totalInCents: number;
  readonly orderAmountInCents: number;
}

/** What reached the order: as a backend lists it, else as this tab has seen it. */
export function receivedFor(attempt: Attempt, older: readonly Attempt[]): Received {
  const { settlement } = attempt;
  const payments =
    settlement.payments ??
    [...older.filter(({ status }) => isPaid(status)), attempt].map((each) => ({
      reference: each.reference,
      amountInCents: each.confirmedAmountInCents ?? each.amountInCents,
      at: each.resultAt ?? each.updatedAt,
    }));
  return {
    payments,
    totalInCents: payments.reduce((sum, { amountInCents }) => sum + amountInCents, 0),
    orderAmountInCents: settlement.orderAmountInCents ?? attempt.amountInCents,
  };
}

/** Every payment with its reference, and what is missing or too much: what a payer names who asks for money back. */
export function paymentList(
  { payments, totalInCents, orderAmountInCents }: Received,
  currency: string,
  messages: Messages,
): Drawn {
  const difference = totalInCents - orderAmountInCents;
  if (payments.length < 2 && difference === 0) return nothing;
  const row = (name: unknown, cents: number, look = ''): TemplateResult =>
    html`<div class=${look}>
      <dt>${name}</dt>
      <dd>${money(cents, currency, messages)}</dd>
    </div>`;
  return html`<section class="payments" part="payments">
    <h3>${messages.paymentsReceived}</h3>
    <dl>
      ${payments.map(({ reference, amountInCents, at }) =>
        row(
          html`<b>${reference}</b> <small>${formatMoment(Date.parse(at), messages.locale, 'long')}</small>`,
          amountInCents,
        ),
      )}
      ${payments.length > 1 ? row(messages.paymentsTotal, totalInCents) : nothing}
      ${row(messages.receiptAsked, orderAmountInCents)}
      ${
        difference === 0
          ? nothing
          : row(
              difference < 0 ? messages.paymentsMissing : messages.paymentsExcess,
              Math.abs(difference),
              'difference',
            )
      }
    </dl>
  </section>`;
}

export const paymentListStyles = css`
  .payments {
    display: grid;
    gap: 8px;
  }
  .payments dt {
    flex: 0 1 auto;
    min-inline-size: 0;
    overflow-wrap: anywhere;
  }
  .payments dt b {
    display: block;
    font-weight: 550;
    color: var(--_text);
  }
  .payments dt small {
    font-size: 0.867em;
  }
  .payments dd {
    flex: none;
  }
  .difference dt,
  .difference dd {
    color: var(--_text);
    font-weight: 700;
  }
`;
