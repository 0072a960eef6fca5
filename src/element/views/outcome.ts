import { type TemplateResult, css, html, nothing } from 'lit';
import type { Offer } from '../../contract/backend.js';
import { intlLocale } from '../../contract/intl-locale.js';
import { formatMoney } from '../../contract/money.js';
import type { DeclineReason, ReceiptState } from '../../locales/messages.js';
import type {
  Lapsed,
  Pending,
  Preparing,
  Redirecting,
  Settled,
  State,
  Unpaid,
  Verifying,
} from '../../machine/state.js';
import { printReceipt } from '../print-receipt.js';
import type { ViewContext } from '../view-context.js';
import { ALERT, type Drawn, help, icon, mainButton, notice, sideButton, title } from './common.js';
import { bankName, receipt } from './receipt.js';

const CHECK = 'm5 12.5 4.5 4.5L19 7.5';
const CROSS = 'M7 7l10 10M17 7 7 17';
const CLOCK = 'M12 3.5a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17zM12 7.5V12l3 2';

type Outcome = Preparing | Redirecting | Verifying | Pending | Lapsed | Settled | Unpaid;

/** Everything between "the payment exists" and its end that is not paid from this screen. */
export function renderOutcome(screen: Outcome, state: State, context: ViewContext): TemplateResult {
  switch (screen.phase) {
    case 'preparing':
      return preparing(screen, context);
    case 'redirecting':
      return redirecting(screen, context);
    case 'verifying':
      return verifying(screen, context);
    case 'pending':
      return pending(screen, context);
    case 'lapsed':
      return lapsed(screen, context);
    case 'confirmed':
    case 'amount-differs':
    case 'duplicate':
      return settled(screen, state, context);
    case 'declined':
    case 'canceled':
      return unpaid(screen, context);
    default:
      throw new TypeError(`Unknown outcome ${JSON.stringify(screen satisfies never)}`);
  }
}

type Look = 'positive' | 'negative' | 'caution' | 'calm';

function result(look: Look, path: string | null, words: string, lead: unknown): TemplateResult {
  return html`<div class="result">
    <span class="badge ${look}">${path === null ? html`<span class="spin"></span>` : icon(path)}</span>
    ${title(words, lead)}
  </div>`;
}

function preparing(screen: Preparing, context: ViewContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, stalled } = screen;
  const breb = attempt.rail === 'BRE_B' && attempt.kind === 'PAYIN';
  if (!stalled) {
    return html`<div class="body narrow" part="body">
      ${result('calm', null, breb ? messages.creatingBreb : messages.preparingTitle, breb ? nothing : messages.preparingLead)}
    </div>`;
  }
  return html`<div class="body narrow" part="body">
    ${
      breb
        ? result('caution', CLOCK, messages.stalledBrebTitle, messages.stalledBrebLead)
        : result('caution', CLOCK, messages.stalledTitle, messages.stalledLead)
    }
    <div class="row">
      ${anotherMethod(screen, context)}
      ${mainButton(messages.retry, () => send({ type: 'retry', idempotencyKey: context.newKey() }))}
    </div>
    ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

function redirecting({ attempt, offer, url }: Redirecting, context: ViewContext): TemplateResult {
  const { messages } = context;
  const address = context.safeAddress(url);
  const bank = bankName(attempt, offer);
  return html`<div class="body narrow" part="body">
    ${result('calm', null, messages.redirectingTitle(bank ?? messages.methodLink), messages.redirectingLead)}
    ${
      address === null
        ? nothing
        : html`<a class="btn" part="button" href=${address}
            >${attempt.kind === 'PAYMENT_LINK' ? messages.goToLink : messages.redirectLink}</a
          >`
    }
    <div class="also">${sideButton(messages.back, () => context.send({ type: 'back' }))}</div>
  </div>`;
}

function verifying(screen: Verifying, { messages }: ViewContext): TemplateResult {
  const { attempt, offer } = screen;
  return html`<div class="body narrow" part="body">
    ${result('calm', null, messages.verifyingTitle, messages.verifyingLead)}
    ${receipt(attempt, offer, 'PENDING', messages)} ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

function pending(screen: Pending, context: ViewContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, offer, url, blocked, check } = screen;
  const { supportPhone: phone, supportEmail: email } = attempt.merchant;
  const cus = attempt.sourceData?.cus ?? null;
  const asking = check === 'ASKING' ? messages.checking : null;
  const retryAt = blocked?.retryAtMs ?? null;
  return html`<div class="body narrow" part="body">
    ${
      blocked && retryAt !== null
        ? notice(messages.pseLocked(formatTime(retryAt, messages.locale)), 'caution')
        : nothing
    }
    ${blocked && retryAt === null ? notice(messages.inProgress, 'caution') : nothing}
    ${result('caution', CLOCK, messages.pendingTitle, messages.pendingLead)}
    ${receipt(attempt, offer, 'PENDING', messages)}
    <p class="rule">
      ${messages.pendingPse({ reference: attempt.reference, phone, email, cus })}
      <b>${messages.pendingCheckDebit}.</b>
    </p>
    ${check === 'NOTHING_YET' ? notice(messages.stillPending) : nothing}
    ${check === 'UNREACHABLE' ? notice(messages.trouble, 'caution') : nothing}
    ${mainButton(messages.checkStatus, () => send({ type: 'check' }), asking)}
    <div class="row">
      ${url === null ? nothing : sideButton(messages.continueToBank, () => send({ type: 'follow' }))}
      ${
        blocked
          ? sideButton(messages.notAuthorised, () =>
              send({ type: 'override', idempotencyKey: context.newKey() }),
            )
          : anotherMethod(screen, context)
      }
    </div>
    ${ending(context)} ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

function lapsed(screen: Lapsed, context: ViewContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, checkingUntilMs } = screen;
  const link = attempt.kind === 'PAYMENT_LINK';
  const renew = () => send({ type: 'renew', idempotencyKey: context.newKey() });
  const [heading, lead, again] = link
    ? [messages.linkExpiredTitle, messages.linkExpiredLead, messages.newLink]
    : [
        messages.lapsedTitle,
        messages.lapsedLead,
        attempt.rail === 'PSE' ? messages.tryAgain : messages.newKey,
      ];
  return html`<div class="body narrow" part="body">
    ${
      checkingUntilMs === null
        ? result('caution', CLOCK, heading, lead)
        : result('calm', null, heading, messages.lapseChecking)
    }
    <div class="row">${anotherMethod(screen, context)} ${mainButton(again, renew)}</div>
    <div class="also">${sideButton(messages.alreadyPaid, () => send({ type: 'check' }))}</div>
    ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

function settled(screen: Settled, { older }: State, context: ViewContext): TemplateResult {
  const { messages } = context;
  const { attempt, offer, phase } = screen;
  const { merchant, currency, amountInCents } = attempt;
  const money = (cents: number) => formatMoney(cents, currency, messages.locale);
  const replaced = older.some(({ id }) => id === attempt.id);
  const lead = replaced
    ? messages.paidByOther
    : screen.late
      ? messages.lateLead(merchant.name)
      : messages.confirmedLead(merchant.name);
  const head = {
    confirmed: () => result('positive', CHECK, messages.confirmedTitle, lead),
    'amount-differs': () =>
      result(
        'caution',
        ALERT,
        messages.differsTitle,
        messages.differsLead(money(attempt.confirmedAmountInCents ?? amountInCents), money(amountInCents)),
      ),
    duplicate: () => result('caution', ALERT, messages.duplicateTitle, messages.duplicateLead(merchant.name)),
  }[phase]();
  return html`<div class="body narrow" part="body">
    ${head} ${phase === 'confirmed' ? html`<slot name="success"></slot>` : nothing}
    ${receipt(attempt, offer, 'APPROVED', messages)} ${ending(context, true)}
    ${phase === 'confirmed' ? nothing : help(merchant, messages, attempt.reference)}
  </div>`;
}

function unpaid(screen: Unpaid, context: ViewContext): TemplateResult {
  const { messages, send } = context;
  const { attempt, offer, phase } = screen;
  const state: ReceiptState = phase === 'declined' ? 'REJECTED' : 'FAILED';
  const lead =
    phase === 'canceled'
      ? messages.canceledLead
      : messages.reasons[reasonOf(attempt.errorCode, messages.reasons)];
  return html`<div class="body narrow" part="body">
    ${result('negative', CROSS, phase === 'declined' ? messages.declinedTitle : messages.canceledTitle, lead)}
    ${receipt(attempt, offer, state, messages)}
    <div class="row">
      ${anotherMethod(screen, context)}
      ${mainButton(messages.tryAgain, () => send({ type: 'renew', idempotencyKey: context.newKey() }))}
    </div>
    ${ending(context)} ${help(attempt.merchant, messages, attempt.reference)}
  </div>`;
}

function reasonOf(code: string | null, reasons: Readonly<Record<DeclineReason, string>>): DeclineReason {
  const known = code?.toLowerCase() ?? '';
  return Object.hasOwn(reasons, known) ? (known as DeclineReason) : 'declined';
}

function anotherMethod({ offer }: { readonly offer: Offer | null }, context: ViewContext): Drawn {
  // Without the offer nobody knows what else there is: asking finds out.
  if (offer && offer.methods.length < 2) return nothing;
  return sideButton(context.messages.otherMethod, () => context.send({ type: 'another-method' }));
}

/** The last buttons: paper, and the way back to the shop. */
function ending({ messages, send }: ViewContext, main = false): TemplateResult {
  const print = (event: Event) => {
    const root = (event.currentTarget as Element).getRootNode();
    if (root instanceof ShadowRoot) printReceipt(root.host);
  };
  const finish = () => send({ type: 'finish' });
  return main
    ? html`<div class="row">${sideButton(messages.print, print)} ${mainButton(messages.finish, finish)}</div>`
    : html`<div class="also">
        ${sideButton(messages.print, print)} ${sideButton(messages.finish, finish)}
      </div>`;
}

/** An hour of the day in Colombia, for a moment of the server's clock. */
function formatTime(epochMs: number, locale: string): string {
  return new Intl.DateTimeFormat(intlLocale(locale), {
    timeStyle: 'short',
    timeZone: 'America/Bogota',
  }).format(epochMs);
}

export const styles = css`
  .narrow > * {
    inline-size: min(100%, 35em);
    margin-inline: auto;
  }
  .positive {
    background: var(--_positive-tint);
    color: var(--_positive);
  }
  .negative {
    background: var(--_negative-tint);
    color: var(--_negative);
  }
  dl {
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    font-size: 0.9375em;
    line-height: 1.45;
  }
  dl div {
    display: flex;
    justify-content: space-between;
    gap: 16px;
    padding: 10px 16px;
  }
  dl div + div {
    border-block-start: 1px solid var(--_border);
  }
  dt {
    flex: none;
    color: var(--_muted);
  }
  dd {
    margin: 0;
    font-weight: 550;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .whole {
    display: inline-block;
  }
  .rule {
    font-size: 0.875em;
    line-height: 1.5;
    color: var(--_muted);
  }
  .rule b {
    display: block;
    margin-block-start: 8px;
    color: var(--_text);
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
    .card {
      border: 0;
      box-shadow: none;
    }
    .btn,
    .notices,
    slot[name='footer'] {
      display: none;
    }
    dl div,
    .result {
      break-inside: avoid;
    }
  }
`;
