import { type TemplateResult, html, nothing } from 'lit';
import type { Merchant } from '../../contract/backend.js';
import { formatMoney } from '../../contract/money.js';
import { amountChanged, currentOf, isOpen, offerOf } from '../../machine/attempts.js';
import type { Hint } from '../../machine/input.js';
import type { Screen, State } from '../../machine/state.js';
import type { ViewContext } from '../host.js';
import { renderChoose } from './choose.js';
import { type Drawn, creatingWords, money, notice, result, withMoney } from './common.js';
import { renderFailed, renderMissing } from './failed.js';
// Outcomes are drawn by the entry: who paid sees it even when the part for paying never arrives.
import { renderOutcome } from './outcomes/outcome.js';
import { PaymentPart } from './payment-part.js';
import type { PaymentScreen } from './payment.js';

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
    ${summary(facts, screen, context)} ${notices(state, context)} ${body(state, context)}
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
  return 'attempt' in screen ? screen.attempt : (offerOf(screen) ?? currentOf(screen));
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

/** Two letters for a merchant without a logo. */
function initials(name: string): string {
  const words = name.match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .slice(0, 2)
    .map((word) => [...word][0])
    .join('')
    .toLocaleUpperCase();
}

/** Facts that may accompany any screen. What the machine announces is said by the live region, not by these. */
function notices(state: State, { messages }: ViewContext): Drawn {
  const { screen, connection } = state;
  const shown: Drawn[] = [];
  const said = screen.phase === 'failed' && screen.reason === 'network';
  if (connection === 'OFFLINE' && !said) {
    shown.push(notice(screen.phase === 'paying' ? messages.offlinePaying : messages.offline, 'caution'));
  } else if (connection === 'TROUBLE' && !('check' in screen && screen.check === 'UNREACHABLE'))
    shown.push(notice(messages.trouble, 'caution'));
  if ('attempt' in screen && screen.attempt.replaced && isOpen(screen.attempt)) {
    shown.push(notice(messages.replacedElsewhere, 'caution'));
  }
  if ('alreadyInProgress' in screen && screen.alreadyInProgress) shown.push(notice(messages.inProgress));
  const offer = offerOf(screen);
  if (offer && (amountChanged(state) || ('changed' in screen && screen.changed))) {
    const { amountInCents, currency } = offer;
    const changed = messages.amountChanged(formatMoney(amountInCents, currency, messages.locale));
    shown.push(notice(withMoney(changed, [amountInCents], currency, messages), 'caution'));
  }
  const current = currentOf(screen);
  const { paidInCents, state: verdict } = current?.settlement ?? {};
  if (current && paidInCents !== undefined && (verdict === 'OPEN' || !('attempt' in screen))) {
    const received = messages.payingRest(formatMoney(paidInCents, current.currency, messages.locale));
    shown.push(notice(withMoney(received, [paidInCents], current.currency, messages)));
  }
  if (screen.phase === 'creating' && screen.slowAtMs === null) shown.push(notice(messages.creatingSlow));
  if ('check' in screen && state.older.some(isOpen)) shown.push(notice(messages.earlierWatched));
  return shown.length > 0 ? html`<div class="notices">${shown}</div>` : nothing;
}

function body(state: State, context: ViewContext): Drawn {
  const { screen, hint } = state;
  switch (screen.phase) {
    case 'idle':
      return nothing;
    case 'loading':
    case 'returning':
      return skeleton(context.messages.loading);
    case 'choosing':
      return renderChoose(screen, hint, context);
    case 'creating': {
      const { choice, replacing } = screen;
      const again = replacing && replacing.kind === choice.kind && replacing.rail === choice.rail;
      if (again) return waiting(creatingWords(choice, context.messages));
      const filled = choice.kind === 'PAYIN' && (choice.rail === 'PSE' || choice.customer);
      return filled ? payment(screen, hint, context) : renderChoose(screen, hint, context);
    }
    case 'details':
    case 'paying':
    case 'redirecting':
    case 'verifying':
    case 'pending':
    case 'link':
      return payment(screen, hint, context);
    case 'preparing':
    case 'lapsed':
    case 'confirmed':
    case 'amount-differs':
    case 'duplicate':
    case 'declined':
    case 'canceled':
      return renderOutcome(screen, state, context);
    case 'failed':
      return renderFailed(screen, context);
    default:
      throw new TypeError(`Unknown screen: ${JSON.stringify(screen satisfies never)}`);
  }
}

/** A screen that is in another part than this one, or what can be shown until it is here. */
function payment(screen: PaymentScreen, hint: Hint | null, context: ViewContext): Drawn {
  const { module, failed } = context.keep(PaymentPart);
  if (module) return module.renderPayment(screen, hint, context);
  return failed ? renderMissing(screen, context) : skeleton(context.messages.loading);
}

function waiting(text: string): TemplateResult {
  return html`<div class="body" part="body">${result('calm', null, text)}</div>`;
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
