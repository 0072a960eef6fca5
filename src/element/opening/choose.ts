import { type TemplateResult, css, html, nothing } from 'lit';
import type { Offer } from '../../contract/backend.js';
import type { Method } from '../../contract/offer.js';
import { formatMoney } from '../../contract/values/money.js';
import { isPaid } from '../../contract/status.js';
import type { OpeningMessages } from '../../locales/messages.js';
import { hasBothKeys, isAlike } from '../../machine/methods.js';
import type { Hint } from '../../machine/input.js';
import type { Choosing, Creating } from '../../machine/state.js';
import type { ViewContext } from '../host.js';
import {
  type Drawn,
  creatingWords,
  icon,
  isSlow,
  mainButton,
  notice,
  sideButton,
  title,
  withMoney,
} from './common.js';

const QR = 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h3v3m3-3v.01M14 20h3m3-2.5V20';
const KEY = 'M8 10.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM11.2 11.8 20 3m-3.5 3.5L19 9m-5-.5 2 2';
const BANK = 'M3 10 12 4l9 6M5 10v8m4.7-8v8m4.6-8v8M19 10v8M3 20h18';
const PAGE = 'M14 4h6v6m0-6-9 9M10 5H5v14h14v-5';
const LOCK = 'M5 11h14v9H5zM8 11V8a4 4 0 0 1 8 0v3';

/** A QR has thirteen characters for its amount: 9999999999.99. */
const QR_LIMIT_IN_CENTS = 999_999_999_999;

/** The method last ticked, so that going back finds it as it was left. */
export class Ticked {
  index = -1;
  method: Method | undefined;
  /** The attempt that the payer came from then. */
  left: string | undefined;
}

/** The methods of an offer as large choices. While a payment is being created the same screen stays, busy. */
export function renderChoose(
  screen: Choosing | Creating,
  hint: Hint | null,
  context: ViewContext,
): TemplateResult {
  const { messages, helper, redraw, prepare } = context;
  const { methods, offer, replacing } = screen;
  const ticked = helper(Ticked);
  const left = replacing && !isPaid(replacing.status) ? replacing : null;
  if (!methods[ticked.index] || ticked.left !== left?.id) {
    // A payer who wants another method is not offered the one just left.
    const again = methods.findIndex((each) =>
      left ? each.kind !== left.kind || each.rail !== left.rail : hint && isAlike(each, hint.choice),
    );
    const first = methods.findIndex((each) => !isOverCeiling(each, offer));
    ticked.index = Math.max(again < 0 ? first : again, 0);
    ticked.left = left?.id;
  }
  const method = (ticked.method = methods[ticked.index] ?? methods[0]);
  const busy =
    screen.phase === 'creating'
      ? creatingWords(screen.choice, messages)
      : context.waits
        ? messages.creatingPse
        : null;

  const submit = (event: Event) => {
    event.preventDefault();
    if (!busy) context.send({ type: 'choose', method, idempotencyKey: context.newKey() });
  };
  const tick = (index: number) => {
    ticked.index = index;
    ticked.method = methods[index];
    redraw();
    prepare();
  };
  return html`<form class="body" part="body" @submit=${submit}>
    ${context.paying?.stillOpen(screen.replacing, context) ?? nothing}
    ${title(methods.length > 1 ? messages.chooseTitle : messages.chooseOne)}
    <fieldset class="methods" part="methods">
      <legend class="sr">${messages.chooseTitle}</legend>
      ${methods.map((each, index) =>
        methodCard(
          each,
          index,
          index === ticked.index,
          methods.length > 1,
          words(each, offer, messages),
          messages,
          tick,
        ),
      )}
    </fieldset>
    ${isOverCeiling(method, offer) ? overCeiling(method, offer, context) : nothing}
    <div class="row end">
      ${(screen.replacing && !busy) || isSlow(screen) ? sideButton(messages.back, () => context.send({ type: 'back' })) : nothing}
      ${mainButton(goOn(method, messages), null, busy)}
    </div>
    <p class="note">${icon(LOCK)}${messages.neverAskPassword}</p>
  </form>`;
}

type CappedMethod = Method & { readonly ceilingInCents: number };

const isOverCeiling = (method: Method, { amountInCents }: Offer): method is CappedMethod =>
  'ceilingInCents' in method && amountInCents > (method.ceilingInCents ?? Infinity);

/** Said, never enforced: banks differ. */
function overCeiling(
  { ceilingInCents }: CappedMethod,
  { amountInCents, currency }: Offer,
  { messages, others }: ViewContext,
): Drawn {
  if (amountInCents > QR_LIMIT_IN_CENTS)
    return notice(`${messages.brebTooMuch} ${messages.payElsewhere(others)}`, 'caution');
  const limit = messages.overBrebLimit(formatMoney(ceilingInCents, currency, messages.locale), others);
  return notice(withMoney(limit, [ceilingInCents], currency, messages), 'caution');
}

function methodCard(
  method: Method,
  index: number,
  checked: boolean,
  selectable: boolean,
  { path, name, hint }: Words,
  messages: OpeningMessages,
  tick: (index: number) => void,
): TemplateResult {
  const needs = asked(method, messages);
  const mark =
    method.rail === 'PSE'
      ? html`<slot name="pse-logo">${icon(path)}</slot>`
      : method.rail === 'BRE_B'
        ? html`<slot name="breb-logo">${icon(path)}</slot>`
        : icon(path);
  const inside = html`<span class="ico">${mark}</span>
    <span>
      <b>${name}</b>
      <small>${hint}</small>
      ${needs.length > 0 ? html`<small>${messages.methodNeeds(needs)}</small>` : nothing}
    </span>`;
  if (!selectable) return html`<div class="method" part="method">${inside}</div>`;
  return html`<label class="method" part="method">
    ${inside}
    <input type="radio" name="method" .checked=${checked} @change=${() => tick(index)} />
  </label>`;
}

interface Words {
  readonly path: string;
  readonly name: string;
  readonly hint: string;
}

function words(method: Method, offer: Offer, messages: OpeningMessages): Words {
  if (method.kind === 'PAYMENT_LINK')
    return { path: PAGE, name: messages.methodLink, hint: messages.methodLinkHint };
  if (method.rail === 'PSE') return { path: BANK, name: messages.methodPse, hint: messages.methodPseHint };
  if (method.keyType === 'QR_CODE' && hasBothKeys(offer))
    return { path: QR, name: messages.methodBreb, hint: messages.methodBrebHint };
  return method.keyType === 'QR_CODE'
    ? { path: QR, name: messages.methodQr, hint: messages.methodQrHint }
    : { path: KEY, name: messages.methodKey, hint: messages.methodKeyHint };
}

const asksMore = (method: Method): boolean =>
  method.kind === 'PAYIN' && (method.rail === 'PSE' || method.requires.length > 0);

/** What the payer will be asked for; the two halves of a document are one thing to a payer. */
function asked(method: Method, messages: OpeningMessages): string[] {
  if (method.kind !== 'PAYIN') return [];
  const fields = method.requires
    .filter((field) => field !== 'idType' || !method.requires.includes('idNumber'))
    .map((field) => (field.startsWith('id') ? messages.document : messages.fields[field]).toLowerCase());
  return method.rail === 'PSE' ? [messages.bank.toLowerCase(), ...fields] : fields;
}

function goOn(method: Method, messages: OpeningMessages): string {
  if (asksMore(method)) return messages.continue;
  return method.kind === 'PAYMENT_LINK' ? messages.goToLink : messages.payBreb;
}

export const chooseStyles = css`
  .method b {
    line-height: 1.3;
  }
  .method b,
  .method small {
    display: block;
  }
  .method small {
    font-size: 0.875em;
    line-height: 1.4;
    color: var(--_text-muted);
  }
  .method {
    display: flex;
    gap: 14px;
    align-items: center;
    padding: 14px 16px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface-raised);
  }
  .method > :nth-child(2) {
    flex: 1;
    min-inline-size: 0;
  }
  label.method {
    cursor: pointer;
  }
  label.method:hover {
    border-color: var(--_border-strong);
  }
  .method:has(:checked) {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  .method:focus-within:has(:focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .ico {
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: var(--_inner);
    background: var(--_surface-sunken);
    color: var(--_accent);
  }
  .method input {
    flex: none;
    appearance: none;
    inline-size: 20px;
    block-size: 20px;
    border: 2px solid var(--_border-strong);
    border-radius: 50%;
    cursor: inherit;
  }
  .method :checked {
    border: 6px solid var(--_accent);
  }
  .method :focus-visible {
    outline-offset: 3px;
  }
  @media (forced-colors: active) {
    .method:has(:checked) {
      border: 2px solid Highlight;
    }
    .method :checked {
      border-color: Highlight;
    }
  }
`;
