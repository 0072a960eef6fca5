import { type TemplateResult, css, html, nothing } from 'lit';
import type { DeclineReason, ReceiptState } from '../../../locales/messages.js';
import type { Settled, State, Unpaid } from '../../../machine/state.js';
import type { PayingContext, Words } from '../context.js';
import { ALERT, finishButton, help, mainButton, result, sideButton } from '../../opening/common.js';
import { anotherMethod } from '../ways.js';
import { receiptActions } from './ending.js';
import { methodName, receipt } from './receipt.js';
import { paid } from './paid.js';

const CROSS = 'M7 7l10 10M17 7 7 17';

/**
 * What became of a payment, and its receipt: on paper, as a picture, as a list of payments. It is shown for every method,
 * and needs none of the files that draw open payments (`key`, `bank`, `link`).
 */
export function renderOutcome(
  screen: Settled | Unpaid,
  state: State,
  context: PayingContext,
): TemplateResult {
  switch (screen.phase) {
    case 'confirmed':
    case 'amount-differs':
    case 'duplicate':
      return paid(screen, state, context);
    case 'declined':
    case 'canceled':
      return unpaid(screen, context);
  }
}

function unpaid(screen: Unpaid, context: PayingContext): TemplateResult {
  const { messages, send, others } = context;
  const { attempt, offer, phase } = screen;
  const state: ReceiptState = phase === 'declined' ? 'REJECTED' : 'CANCELED';
  const notStarted = attempt.started === false;
  const reason = reasonOf(attempt, messages);
  const lead = notStarted
    ? `${messages.notStartedLead(methodName(attempt, messages))} ${messages.payAgain(others)}`
    : phase === 'canceled'
      ? messages.canceledLead
      : declinedLead(attempt, reason, context);
  const heading = phase === 'declined' ? messages.declinedTitle : messages.canceledTitle;
  const again = mainButton(messages.tryAgain, () =>
    send({ type: 'renew', idempotencyKey: context.newKey() }),
  );
  // The same amount would be refused again.
  const hopeless = reason === 'limit_exceeded';
  const finish = hopeless && !others ? nothing : finishButton(context);
  return html`<div class="body narrow" part="body">
    ${notStarted ? result('caution', ALERT, messages.notStartedTitle, lead) : result('negative', CROSS, heading, lead)}
    <div class="row">
      ${finish === nothing ? finishButton(context, true) : hopeless ? nothing : again}
      ${anotherMethod(attempt, context, hopeless ? mainButton : sideButton)}
    </div>
    ${notStarted ? nothing : receipt(attempt, offer, state, context)}
    ${notStarted ? html`<div class="also">${finish}</div>` : receiptActions(attempt, context, finish)}
    ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

function reasonOf({ errorCode }: Unpaid['attempt'], { reasons }: Words): DeclineReason {
  const code = errorCode?.toLowerCase() ?? '';
  return Object.hasOwn(reasons, code) ? (code as DeclineReason) : 'declined';
}

/** Most reasons are sentences that PSE prescribes, and say nothing true of a payment by Bre-B. */
function declinedLead(
  { rail }: Unpaid['attempt'],
  reason: DeclineReason,
  { messages, others }: PayingContext,
): string {
  const { reasons } = messages;
  if (rail !== 'BRE_B' && reason !== 'declined') return reasons[reason];
  if (reason === 'limit_exceeded') return `${messages.brebTooMuch} ${messages.payElsewhere(others)}`;
  if (reason === 'service_refused') return `${messages.brebRefused} ${messages.payElsewhere(others)}`;
  return `${reasons.declined} ${messages.payAgain(others)}`;
}

export const outcomeStyles = css`
  .also {
    display: flex;
    flex-wrap: wrap;
    justify-content: center;
    gap: 0 8px;
    margin-block: -8px;
  }
  .also .btn {
    inline-size: auto;
    min-block-size: 44px;
    padding-inline: 12px;
    border: 0;
    background: none;
    color: var(--_text-muted);
    font-size: 0.875em;
    text-decoration: underline;
    text-decoration-color: var(--_border-strong);
    text-underline-offset: 3px;
  }
  .also .btn:hover {
    color: var(--_text);
  }
  .narrow > * {
    inline-size: min(100%, 35em);
    margin-inline: auto;
  }
  .positive {
    background: var(--_positive-tint);
    color: var(--_positive);
  }
  .positive path {
    stroke-dasharray: 21;
    animation: draw 0.35s ease-out;
  }
  @keyframes draw {
    from {
      stroke-dashoffset: 21;
    }
  }
  .negative {
    background: var(--_negative-tint);
    color: var(--_negative);
  }
  .receipt {
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
  }
  dl,
  .receipt summary {
    font-size: 0.9375em;
    line-height: 1.45;
  }
  dl div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    padding: 10px 16px;
  }
  dl div + div,
  details dl,
  .receipt summary {
    border-block-start: 1px solid var(--_border);
  }
  .receipt summary {
    padding: 11px 16px;
    font-weight: 550;
    cursor: pointer;
  }
  dt,
  .payments dd {
    flex: none;
  }
  .payments dt {
    flex: 0 1 auto;
  }
  dt {
    color: var(--_text-muted);
  }
  dt b {
    display: block;
    color: var(--_text);
  }
  dt small {
    font-size: 0.867em;
  }
  .difference > * {
    color: var(--_text);
    font-weight: 700;
  }
  dd {
    font-weight: 550;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  @container (max-width: 22em) {
    dl div {
      display: block;
    }
    dd {
      text-align: start;
    }
  }
  @media print {
    :host {
      color-scheme: light;
    }
    .stable {
      min-block-size: 0 !important;
    }
    .card {
      border: 0;
      box-shadow: none;
    }
    .btn,
    .notices,
    summary,
    slot[name='footer'] {
      display: none;
    }
    dl div,
    .result {
      break-inside: avoid;
    }
  }
`;
