import { type TemplateResult, css, html, nothing } from 'lit';
import { formatMoney, plainAmount, spokenMoney } from '../../../contract/values/money.js';
import type { Paying } from '../../../machine/state.js';
import { Copier } from './copier.js';
import { QrPictures } from '../codes/pictures.js';
import type { KeyContext } from '../context.js';
import {
  type Drawn,
  icon,
  mainButton,
  money,
  notice,
  sideButton,
  title,
  withMoney,
} from '../../opening/common.js';
import { anotherMethod } from '../ways.js';
import { strong } from './apps.js';
import { type Copyable, copyRow } from './copy-row.js';
import { renderPhone } from './phone.js';
import { payableQr } from './qr.js';
import { waitLine } from './wait-line.js';

const ONWARDS = 'm9 6 6 6-6 6';

/** Whether the payer opened or closed "continúa en tu celular": its code is drawn only when it is open. */
class PhoneCode {
  open: boolean | null = null;
}

/** The key and the exact amount, to be copied. */
export function brebItems({ attempt, source }: Paying, { messages }: KeyContext): [Copyable, Copyable] {
  const { amountInCents, currency } = attempt;
  return [
    {
      label: messages.key,
      shown: source.keyString,
      text: source.keyString,
      action: messages.copyKey,
      done: messages.keyCopied,
    },
    {
      label: messages.exactAmount,
      shown: formatMoney(amountInCents, currency, messages.locale),
      spoken: spokenMoney(amountInCents, currency, messages.locale),
      text: plainAmount(amountInCents),
      action: messages.copyAmount,
      done: messages.amountCopied,
      look: 'money',
    },
  ];
}

/** The payable code, where there is one. */
export function brebCode({ attempt }: Paying, context: KeyContext): Drawn {
  const { messages, helper } = context;
  const { amountInCents, currency } = attempt;
  const picture = helper(QrPictures).payment(attempt, context.qrStyle);
  if (picture.state !== 'READY' && picture.state !== 'DRAWING') return nothing;
  return payableQr(
    picture,
    messages.qrAlt(spokenMoney(amountInCents, currency, messages.locale)),
    money(amountInCents, currency, messages),
    `bre-b-${attempt.reference}`,
    context,
  );
}

/** What is copied, and that it must be exactly this amount. */
export function brebRows(screen: Paying, context: KeyContext): TemplateResult {
  const { messages, helper, touch } = context;
  const { done } = helper(Copier);
  const { amountInCents, currency } = screen.attempt;
  const exactly = messages.sendExactly(formatMoney(amountInCents, currency, messages.locale));
  const bold = (...each: Parameters<typeof money>) => html`<b>${money(...each)}</b>`;
  return html`<div class="rows">
    ${brebItems(screen, context).map((item) => copyRow(item, context, touch && !done.has(item.text)))}
    ${notice(withMoney(exactly, [amountInCents], currency, messages, bold), 'caution')}
    ${helper(QrPictures).payment(screen.attempt, context.qrStyle).state === 'FAILED' ? notice(messages.qrFailed) : nothing}
  </div>`;
}

export function brebSteps(
  { attempt }: Paying,
  { messages }: KeyContext,
  first: unknown,
  second: string,
  last?: string,
): TemplateResult {
  const { payeeName } = attempt.merchant;
  return html`<div class="how">
    <h3>${messages.steps}</h3>
    <ol class="steps">
      <li><span>${first}</span></li>
      <li>${second}</li>
      <li><span>${strong(messages.stepConfirm(payeeName), payeeName)}</span></li>
      ${last ? html`<li>${last}</li>` : nothing}
    </ol>
  </div>`;
}

/** The ways on from this key, unless another one has taken its place. */
export function brebWays({ attempt }: Paying, context: KeyContext): Drawn {
  if (attempt.replaced) return nothing;
  const other = anotherMethod(attempt, context);
  return html`${other === nothing ? nothing : html`<div class="also">${other}</div>`} ${anotherKey(context)}`;
}

/** At a computer: the code is scanned with the phone that has the bank's app, or key and amount are written there. */
export function renderBreb(screen: Paying, context: KeyContext): TemplateResult {
  const { messages } = context;
  const { attempt } = screen;
  const code = brebCode(screen, context);
  const phone = onPhone(screen, context, code === nothing);
  const scan =
    code === nothing && phone === nothing ? nothing : html`<div class="scan">${code} ${phone}</div>`;
  const rows = brebRows(screen, context);
  const lead = html`<span class="inline">${messages.brebLeadQr}</span
    ><span class="hidden">${messages.brebLeadKey}</span>`;
  return html`<div class="body" part="body">
      ${title(messages.brebTitle, code === nothing ? messages.brebLeadKey : lead)}
      ${showCurrent(screen, context)}
      <div
        class="split ${code !== nothing ? 'code' : scan === nothing ? 'alone' : ''}"
        ?inert=${attempt.replaced ?? false}
      >
        ${code === nothing ? [rows, scan] : [scan, rows]}
        ${brebSteps(
          screen,
          context,
          strong(messages.stepOpen, 'Bre-B'),
          code === nothing ? messages.stepPayKey : messages.stepPay,
        )}
      </div>
      ${brebWays(screen, context)}
    </div>
    ${waitLine(screen, context, messages)}`;
}

/** The way to the key that took this one's place. */
export function showCurrent({ attempt }: Paying, { messages, send }: KeyContext): Drawn {
  return attempt.replaced ? mainButton(messages.showCurrent, () => send({ type: 'show-current' })) : nothing;
}

/** Another key only for a reason that the payer gives, because the one on the screen stays valid. */
function anotherKey({ messages, send, newKey }: KeyContext): TemplateResult {
  return html`<details class="trouble">
    <summary>${messages.keyTrouble}</summary>
    <p>${messages.newKeyLead}</p>
    ${sideButton(messages.newKey, () => send({ type: 'renew', idempotencyKey: newKey() }), 'small')}
  </details>`;
}

/**
 * For a payer at a computer whose bank's app is on the phone: a code that opens this payment there. Beside a payable code
 * it is closed until the payer opens it, so that it is not taken for the payable one; its code is drawn then.
 */
function onPhone({ source }: Paying, context: KeyContext, isOnlyCode: boolean): Drawn {
  const { keyType, checkoutUrl } = source;
  const { messages, helper, redraw } = context;
  if (keyType !== 'SINGLE_USE' || !checkoutUrl || !/^https?:/i.test(checkoutUrl)) return nothing;
  const code = helper(PhoneCode);
  const open = code.open ?? isOnlyCode;
  const toggle = (event: Event) => {
    code.open = (event.currentTarget as HTMLDetailsElement).open;
    redraw();
  };
  return html`<details class="phone" part="phone" .open=${open} @toggle=${toggle}>
    <summary>${icon(ONWARDS)}${messages.phoneTitle}</summary>
    ${open ? renderPhone(checkoutUrl, context) : nothing}
  </details>`;
}

export const brebStyles = css`
  .split,
  .rows,
  .how,
  .scan,
  .steps {
    display: flex;
    flex-direction: column;
    gap: 12px;
  }
  .split {
    gap: calc(var(--_space) * 5);
  }
  .split[inert] {
    opacity: 0.35;
    filter: grayscale(1);
  }
  h3 {
    font-size: 0.9375em;
    font-weight: 600;
  }
  .scan {
    align-items: center;
    margin-inline: calc(var(--_pad) * -1);
  }
  .steps {
    gap: 10px;
    padding: 0;
    list-style: none;
    counter-reset: step;
  }
  .steps li {
    counter-increment: step;
    display: flex;
    gap: 12px;
    font-size: 0.9375em;
    line-height: 1.45;
  }
  .steps li:first-child b {
    white-space: nowrap;
  }
  .steps li::before {
    content: counter(step);
    box-sizing: border-box;
    flex: none;
    inline-size: 24px;
    block-size: 24px;
    border: 1px solid var(--_border);
    border-radius: 50%;
    background: var(--_surface-sunken);
    font-size: 0.867em;
    font-weight: 600;
    display: flex;
    align-items: center;
    justify-content: center;
  }
  .hidden,
  .phone {
    display: none;
  }
  .split:not(.code) .phone {
    display: block;
  }
  .phone summary {
    display: flex;
    align-items: center;
    gap: 8px;
    min-block-size: 44px;
    font-size: 0.875em;
    font-weight: 600;
    cursor: pointer;
  }
  .trouble {
    font-size: 0.875em;
    line-height: 1.45;
    text-align: center;
    color: var(--_text-muted);
    margin-block-start: -12px;
  }
  .trouble summary {
    display: inline-flex;
    align-items: center;
    min-block-size: 44px;
    text-decoration: underline;
    text-decoration-color: var(--_border-strong);
    text-underline-offset: 3px;
    cursor: pointer;
  }
  .trouble p {
    margin-block-end: 8px;
  }
  .trouble .btn {
    margin-inline: auto;
    color: var(--_text);
  }
  .phone summary svg {
    inline-size: 18px;
    block-size: 18px;
    transition: transform 0.15s;
  }
  .phone[open] summary svg {
    transform: rotate(90deg);
  }
  @container (max-width: 337.98px) {
    .scan > .qr,
    .inline {
      display: none;
    }
    .hidden {
      display: inline;
    }
  }
  @container (min-width: 44em) {
    .split {
      display: grid;
      grid-template: 'rows scan' auto 'how scan' 1fr / minmax(0, 1fr) 344px;
      column-gap: calc(var(--_space) * 7);
    }
    .split > .rows {
      grid-area: rows;
    }
    .how {
      grid-area: how;
    }
    .scan {
      grid-area: scan;
      margin: 0;
    }
    .alone {
      grid-template: 'rows how' auto / minmax(0, 1fr) minmax(0, 1fr);
    }
    .split.code {
      grid-template: 'scan rows' auto 'scan how' 1fr / 344px minmax(0, 1fr);
    }
    .phone {
      display: block;
      inline-size: 100%;
    }
  }
`;
