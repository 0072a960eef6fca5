import { type TemplateResult, html, nothing } from 'lit';
import type { Attempt } from '../../../contract/backend.js';
import { formatMoney } from '../../../contract/values/money.js';
import { restInCents } from '../../../machine/paying/attempts.js';
import type { Settled, State } from '../../../machine/state.js';
import type { PayingContext, Words } from '../context.js';
import { ALERT, finishButton, help, mainButton, result, withMoney } from '../../opening/common.js';
import { receiptActions } from './ending.js';
import { type Received, receivedFor } from './payments.js';
import { receipt } from './receipt.js';

const CHECK = 'm5 12.5 4.5 4.5L19 7.5';

/** Money arrived: what became of it, what to do next, and below them the receipt. */
export function paid(screen: Settled, { older }: State, context: PayingContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, offer, phase } = screen;
  const { merchant, currency } = attempt;
  const received = receivedFor(attempt, older);
  const rest = phase === 'amount-differs' && offer?.methods.length !== 0 ? restInCents(attempt) : 0;
  const state = { confirmed: 'APPROVED', 'amount-differs': 'DIFFERS', duplicate: 'TWICE' } as const;
  return html`<div class="body narrow" part="body">
    ${paidHead(screen, older, received, rest, messages)}
    <div class="row">
      ${
        rest === 0
          ? nothing
          : mainButton(
              html`<span
                >${withMoney(
                  messages.payRest(formatMoney(rest, currency, messages.locale)),
                  [rest],
                  currency,
                  messages,
                )}</span
              >`,
              () => send({ type: 'pay-rest' }),
            )
      }
      ${finishButton(context, rest === 0)}
    </div>
    ${phase === 'confirmed' ? html`<slot name="success"></slot>` : nothing}
    ${phase === 'confirmed' ? nothing : help(merchant, messages, attempt.reference)}
    ${receipt(attempt, offer, state[phase], context, received)} ${receiptActions(attempt, context)}
  </div>`;
}

/** What became of the money, in one sentence. */
function paidHead(
  { attempt, late, phase }: Settled,
  older: readonly Attempt[],
  { orderAmountInCents, totalInCents }: Received,
  rest: number,
  messages: Words,
): TemplateResult {
  const { currency, merchant, createdAt } = attempt;
  if (phase === 'duplicate') {
    return result('caution', ALERT, messages.duplicateTitle, messages.duplicateLead(merchant.name));
  }
  if (phase === 'confirmed') {
    // The payer has asked for another since, which is what was on the screen.
    const lead = older.some((other) => Date.parse(other.createdAt) > Date.parse(createdAt))
      ? messages.paidByOther
      : late
        ? messages.lateLead(merchant.name)
        : messages.confirmedLead(merchant.name);
    return result('positive', CHECK, messages.confirmedTitle, lead);
  }
  const excess = totalInCents - orderAmountInCents;
  const written = (cents: number) => formatMoney(cents, currency, messages.locale);
  const [received, asked] = [written(totalInCents), written(orderAmountInCents)];
  const lead =
    rest > 0
      ? messages.differsLess(received, asked, written(rest))
      : excess > 0
        ? messages.differsMore(received, asked, written(excess), merchant.name)
        : messages.differsLead(received, asked);
  const amounts = [totalInCents, orderAmountInCents, rest, Math.abs(excess)];
  return result('caution', ALERT, messages.differsTitle, withMoney(lead, amounts, currency, messages));
}
