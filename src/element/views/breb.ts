import { type TemplateResult, css, html, nothing } from 'lit';
import { formatMoney, plainAmount, spokenMoney } from '../../contract/money.js';
import type { Paying } from '../../machine/state.js';
import { QrPictures } from '../controllers/qr-pictures.js';
import type { ViewContext } from '../host.js';
import { anotherMethod, icon, notice, sideButton, strong, title } from './common.js';
import { copyRow } from './copy-row.js';
import { renderPhone } from './phone.js';
import { payableQr } from './qr.js';
import { waitLine } from './wait-line.js';

const ONWARDS = 'm9 6 6 6-6 6';

/** Whether the payer opened or closed "continúa en tu celular": its code is drawn only when it is open. */
class PhoneCode {
  open: boolean | null = null;
}

/** The key, the exact amount and the code together. The order on screen is the stylesheet's, by width and pointer. */
export function renderBreb(screen: Paying, context: ViewContext): TemplateResult {
  const { messages, keep, send, newKey } = context;
  const { attempt, source } = screen;
  const { amountInCents, currency } = attempt;
  const amount = formatMoney(amountInCents, currency, messages.locale);
  const picture = keep(QrPictures).payment(attempt);
  const scannable = picture.state === 'READY' || picture.state === 'DRAWING';
  const phone = onPhone(screen, !scannable, context);
  const aside = scannable || phone !== nothing;
  return html`<div class="body ${context.touch ? 'touch' : ''}" part="body">
      ${title(
        messages.brebTitle,
        scannable
          ? html`<span class="far">${messages.brebLeadQr}</span
              ><span class="near">${messages.brebLeadKey}</span>`
          : messages.brebLeadKey,
      )}
      <div class="split ${aside ? '' : 'alone'}">
        <div class="rows">
          ${copyRow(
            {
              label: messages.key,
              shown: source.keyString,
              text: source.keyString,
              action: messages.copyKey,
              done: messages.keyCopied,
            },
            context,
          )}
          ${copyRow(
            {
              label: messages.exactAmount,
              shown: amount,
              text: plainAmount(amountInCents),
              action: messages.copyAmount,
              done: messages.amountCopied,
              look: 'money',
            },
            context,
          )}
          ${notice(strong(messages.sendExactly(amount), amount), 'caution')}
          ${picture.state === 'FAILED' ? notice(messages.qrFailed) : nothing}
        </div>
        ${
          !aside
            ? nothing
            : html`<div class="scan">
                ${
                  scannable
                    ? payableQr(
                        picture,
                        messages.qrAlt(spokenMoney(amountInCents, currency, messages.locale)),
                        amount,
                        `bre-b-${attempt.reference}`,
                        context,
                      )
                    : nothing
                }
                ${phone}
              </div>`
        }
        <div class="how">
          <h3>${messages.steps}</h3>
          <ol class="steps">
            <li><span>${strong(messages.stepOpen, 'Bre-B')}</span></li>
            <li>${scannable ? messages.stepPay : messages.stepPayKey}</li>
            <li>
              <span
                >${strong(messages.stepConfirm(attempt.merchant.payeeName), attempt.merchant.payeeName)}</span
              >
            </li>
          </ol>
        </div>
      </div>
      <div class="also">
        ${anotherMethod(screen, context)}
        ${sideButton(messages.newKey, () => send({ type: 'renew', idempotencyKey: newKey() }))}
      </div>
    </div>
    ${waitLine(screen, context, messages)}`;
}

/**
 * For a payer at a computer whose bank's app is on the phone: a code that opens this payment there. Closed beside a
 * payable code, so that nobody scans the wrong one; its code is drawn when it is opened.
 */
function onPhone({ source }: Paying, unasked: boolean, context: ViewContext) {
  const { keyType, checkoutUrl } = source;
  const { messages, keep, redraw, touch } = context;
  if (keyType !== 'SINGLE_USE' || touch || !checkoutUrl || !/^https?:/i.test(checkoutUrl)) return nothing;
  const code = keep(PhoneCode);
  const open = code.open ?? unasked;
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
  .how {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_space) * 5);
  }
  .rows {
    gap: 12px;
  }
  .how {
    gap: 12px;
    align-content: start;
  }
  h3 {
    font-size: 0.9375em;
    font-weight: 600;
  }
  .scan {
    display: grid;
    justify-items: center;
    gap: 12px;
    margin-inline: calc(var(--_pad) * -1);
  }
  .steps {
    display: grid;
    gap: 10px;
    padding: 0;
    list-style: none;
    counter-reset: step;
  }
  .steps li {
    counter-increment: step;
    display: grid;
    grid-template-columns: 24px minmax(0, 1fr);
    gap: 12px;
    font-size: 0.9375em;
    line-height: 1.45;
  }
  .steps li:first-child b {
    white-space: nowrap;
  }
  .steps li::before {
    content: counter(step);
    inline-size: 24px;
    block-size: 24px;
    border: 1px solid var(--_border);
    border-radius: 50%;
    background: var(--_surface-sunken);
    font-size: 0.867em;
    font-weight: 600;
    display: grid;
    place-items: center;
  }
  .far,
  .hidden,
  .phone {
    display: none;
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
  .phone svg {
    inline-size: 18px;
    block-size: 18px;
    transition: transform 0.15s;
  }
  .phone[open] svg {
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
      grid-template: 'scan rows' auto 'scan how' 1fr/336px minmax(0, 1fr);
      column-gap: calc(var(--_space) * 7);
    }
    .rows {
      grid-area: rows;
    }
    .how {
      grid-area: how;
    }
    .scan {
      grid-area: scan;
      align-content: start;
      margin: 0;
    }
    .alone {
      grid-template: 'rows how' auto / minmax(0, 1fr) minmax(0, 1fr);
    }
    .touch .split:not(.alone) {
      grid-template: 'rows scan' auto 'how scan' 1fr / minmax(0, 1fr) 336px;
    }
    .phone {
      display: block;
      inline-size: 100%;
    }
    .far {
      display: inline;
    }
    .near {
      display: none;
    }
  }
  @container (max-width: 43.99em) {
    .touch .scan > .qr,
    .touch .inline {
      display: none;
    }
    .touch .hidden {
      display: inline;
    }
  }
`;
