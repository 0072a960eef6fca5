import { type TemplateResult, css, html, nothing } from 'lit';
import type { Merchant } from '../../contract/offer.js';
import { formatMoney } from '../../contract/values/money.js';
import { currentOf, offerOf } from '../../machine/current.js';
import type { Screen, State } from '../../machine/state.js';
import type { ViewContext } from '../host.js';
import { renderChoose } from './choose.js';
import { type Drawn, money, notice } from './common.js';
import { renderFailed } from './failed.js';

/** The whole card: who is paid and how much, what to do now, and what else the payer should know. */
export function renderScreen(state: State, context: ViewContext): Drawn {
  const { screen } = state;
  if (screen.phase === 'idle') return nothing;
  const facts = factsOf(screen);
  const { messages } = context;
  // A group and not a region: several checkouts on one page would be landmarks of one name. The direction is that of
  // the words, whatever the page's: Spanish on a right-to-left page still reads from the left.
  return html`<div
    class="card"
    part="card"
    role="group"
    dir=${/^(ar|fa|he|ur)\b/.test(messages.locale) ? 'rtl' : 'ltr'}
    aria-label=${facts ? messages.checkoutLabel(facts.merchant.name) : messages.loading}
    aria-busy=${screen.phase === 'loading' || screen.phase === 'returning' ? 'true' : 'false'}
  >
    ${summary(facts, screen, context)} ${(context.paying?.notices ?? offlineNotice)(state, context)}
    ${body(state, context)}
    <slot name="footer"></slot>
  </div>`;
}

interface Facts {
  readonly merchant: Merchant;
  readonly description: string | null;
  readonly amountInCents: number;
  readonly currency: string;
}

/** An attempt keeps what was true when it was made; before there is one, the offer speaks. */
function factsOf(screen: Screen): Facts | null {
  if (!('attempt' in screen)) return offerOf(screen) ?? currentOf(screen);
  const { attempt } = screen;
  const { state, orderAmountInCents } = attempt.settlement;
  // Once the rest was paid too, the order's price and not the rest is what was paid.
  return state === 'OPEN' || !orderAmountInCents
    ? attempt
    : { ...attempt, amountInCents: orderAmountInCents };
}

function summary(facts: Facts | null, screen: Screen, { messages }: ViewContext): Drawn {
  if (!facts && screen.phase === 'failed') return html`<slot name="header"></slot>`;
  return html`<div class="summary" part="header">
    <slot name="header"></slot>
    ${facts ? line(facts, messages) : skeletonLine}
  </div>`;
}

function line({ merchant, description, amountInCents, currency }: Facts, messages: ViewContext['messages']) {
  const spelled = formatMoney(amountInCents, currency, messages.locale).includes(currency);
  return html`<div class="line">
    <slot name="logo"
      ><span class="logo" part="logo" aria-hidden="true">${initials(merchant.name)}</span></slot
    >
    <div class="who">
      <b part="merchant">${merchant.name}</b>
      ${description ? html`<span part="description" title=${description}>${description}</span>` : nothing}
    </div>
    <p class="total" part="amount">
      <span class="sr">${messages.total}: </span>${money(amountInCents, currency, messages)}${
        spelled ? nothing : html`<small aria-hidden="true">${currency}</small>`
      }
    </p>
  </div>`;
}

const skeletonLine = html`<div class="line" aria-hidden="true">
  <span class="logo bone"></span>
  <div class="who tight"><span class="bone third"></span><span class="bone half"></span></div>
  <p class="total"><span class="bone sum"></span></p>
</div>`;

/** Two letters at most, for who has no logo here. */
export function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toLocaleUpperCase();
}

/** Before there is a payment. What the machine announces is said by the live region, not by this. */
function offlineNotice({ screen, connection }: State, { messages }: ViewContext): Drawn {
  if (connection !== 'OFFLINE' || (screen.phase === 'failed' && screen.reason === 'network')) return nothing;
  return html`<div class="notices">${notice(messages.offline, 'caution')}</div>`;
}

function body(state: State, context: ViewContext): Drawn {
  const { screen, hint } = state;
  switch (screen.phase) {
    case 'loading':
    case 'returning':
      return skeleton(context.messages.loading);
    case 'choosing':
      return renderChoose(screen, hint, context);
    default:
      if (screen.phase === 'failed' && screen.doing.step === 'LOAD') return renderFailed(screen, context);
      return context.paying?.body(state, context) ?? skeleton(context.messages.loading);
  }
}

function skeleton(text: string): TemplateResult {
  return html`<div class="body" part="body">
    <p class="sr">${text}</p>
    <span class="bone half heading"></span>
    <div class="methods"><span class="bone tall"></span><span class="bone tall"></span></div>
    <span class="bone button"></span>
    <span class="bone"></span>
  </div>`;
}

export const screenStyles = css`
  .card {
    container-type: inline-size;
    overflow-wrap: anywhere;
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) + 4px);
    box-shadow: var(--pay-shadow, 0 1px 2px rgb(16 24 40/0.05), 0 8px 24px -12px rgb(16 24 40/0.18));
  }
  .summary {
    padding: calc(var(--_space) * 5) var(--_pad);
    border-block-end: 1px solid var(--_border);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 12px;
    align-items: center;
  }
  .logo {
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: var(--_inner);
    background: var(--_text);
    color: var(--_surface);
    font-size: 16px;
    font-weight: 650;
  }
  .who {
    flex: 1 1 9em;
    min-inline-size: 0;
  }
  .who b {
    line-height: 1.3;
  }
  .who span {
    font-size: 0.875em;
    line-height: 1.4;
    color: var(--_text-muted);
  }
  .who > * {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: clip;
  }
  .total {
    margin-inline-start: auto;
    font-size: 1.25em;
    font-weight: 650;
    line-height: 1.2;
    letter-spacing: -0.01em;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .total small {
    display: block;
    font-size: 0.6em;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--_text-muted);
  }
  @container (max-width: 24em) {
    .total {
      flex-basis: 100%;
      margin-inline-start: 0;
      text-align: start;
    }
    .total small {
      display: inline;
      margin-inline-start: 4px;
    }
  }
  .bone {
    display: block;
    border-radius: 6px;
    background: var(--_border);
    block-size: 1em;
    animation: breathe 1.6s ease-in-out infinite;
  }
  .bone.logo {
    block-size: 40px;
  }
  .tight {
    gap: 8px;
  }
  .sum {
    inline-size: 6em;
    block-size: 1.2em;
  }
  .heading {
    block-size: 1.4625em;
  }
  .tall {
    block-size: 84px;
    border-radius: var(--_radius);
  }
  .bone.button {
    block-size: 48px;
    border-radius: calc(var(--_radius) - 2px);
  }
  .third {
    inline-size: 34%;
  }
  .half {
    inline-size: 60%;
  }
`;
