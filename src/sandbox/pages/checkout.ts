import type { Context } from 'hono';
import { html } from 'hono/html';
import { formatMoney, plainAmount } from '../../contract/values/money.js';
import { isFinal } from '../../contract/status.js';
import type { Language } from '../../look/bilingual.js';
import { qrPngUrl } from '../qr-png.js';
import type { Engine } from '../service/engine.js';
import type { PayinRecord } from '../service/state.js';
import { icon } from './icons.js';
import { type Html, returnAddress, seeOther, sentForm } from './layout.js';
import { centsFromTyped } from './typed-amount.js';
import { choice, missingPage, money, renderPayerPage, summary } from './parts.js';
import { decide, ifStillOpen, keepLanguage, result, statusAnswer, watchOf } from './payin.js';
import { languageOf, type Words, WORDS } from './words.js';

/** The page behind `checkoutUrl`: the payer's instructions, beside buttons that play the bank's app. */
export function checkoutPage(engine: Engine, context: Context, amountRefused = false): Promise<Response> {
  const language = languageOf(context.req.raw);
  const words = WORDS[language];
  const payin = visitedCheckout(engine, context);
  if (payin?.source.rail !== 'BRE_B') return missingPage(language, words);
  const leavesTo = returnAddress(payin.callbackUrl);
  const open = !isFinal(payin.status);
  const hasQr = payin.source.qrText !== null;
  const token = `token=${encodeURIComponent(payin.checkoutToken)}`;
  return renderPayerPage({
    language,
    words,
    title: words.payTitle,
    query: token,
    leavesTo,
    roomy: open && hasQr,
    ...(amountRefused ? { status: 422 } : {}),
    watch: watchOf(payin, `${payin.id}/status?${token}`),
    card: html`${summary({
        icon: 'key',
        name: engine.merchant,
        detail: payin.reference,
        record: payin,
        language,
      })}
      <div class="body">
        ${
          open
            ? html`<div>
                  <h1>${words.payTitle}</h1>
                  <p class="lead">${hasQr ? words.payLead : words.payLeadKey}</p>
                </div>
                ${instructions(payin.source, payin.amountInCents, language, words)}
                <p class="rule">${words.simulate}</p>
                ${pretendedApp(payin, amountRefused, language, words)}`
            : result(payin, leavesTo, language, words)
        }
      </div>
      ${
        open
          ? html`<footer class="wait">
              <span class="pulse"></span>
              <div>${words.waiting}<small>${words.waitingMore}</small></div>
            </footer>`
          : ''
      }`,
  });
}

type BrebSource = Extract<PayinRecord['source'], { rail: 'BRE_B' }>;

/** On a phone the key and the amount come first, because a phone cannot scan its own screen. */
function instructions(source: BrebSource, amountInCents: number, language: Language, words: Words): Html {
  return html`<div class="split ${source.qrText === null ? '' : 'has-qr'}">
    <div class="stack">
      ${copyRow('key', words.key, html`<span class="value" id="key">${source.keyString}</span>`, source.keyString, words)}
      ${copyRow(
        'amount',
        words.exactAmount,
        html`<span class="value money" id="amount">${money(amountInCents, language)}</span>`,
        plainAmount(amountInCents),
        words,
      )}
      <p class="notice">${words.exactNotice(formatMoney(amountInCents, 'COP', language))}</p>
      <p class="note">${icon('lock')}${words.neverPassword}</p>
    </div>
    ${
      source.qrText === null
        ? ''
        : html`<div class="qr"><img src="${qrPngUrl(source.qrText)}" alt="${words.qrAlt}" /></div>`
    }
  </div>`;
}

/** The button is hidden until the script that makes it work is there. */
function copyRow(id: string, name: string, value: Html, text: string, words: Words): Html {
  return html`<div class="copyrow">
    <div><span class="name">${name}</span>${value}</div>
    <button type="button" class="button ghost small" data-copy="${text}" data-of="${id}" hidden>
      <span data-label aria-live="polite">${words.copy}</span><span class="visually-hidden"> ${name}</span>
    </button>
  </div>`;
}

function pretendedApp(payin: PayinRecord, amountRefused: boolean, language: Language, words: Words): Html {
  return html`<form method="post" class="stack">
      ${choice({
        value: 'approve',
        icon: 'check',
        tone: 'positive',
        title: words.payExact(formatMoney(payin.amountInCents, 'COP', language)),
        what: words.payExactWhat,
      })}
      <div class="row two">
        ${choice({
          value: 'reject',
          icon: 'cross',
          tone: 'negative',
          title: words.payReject,
          what: words.payRejectWhat,
        })}
        ${choice({ value: 'cancel', icon: 'minus', title: words.payCancel, what: words.payCancelWhat })}
      </div>
      ${choice({
        value: 'pending',
        icon: 'clock',
        tone: 'caution',
        title: words.payPending,
        what: words.payPendingWhat,
      })}
    </form>
    <form method="post" class="other">
      <label for="pesos">${words.payOther}</label>
      <div class="line">
        <input
          class="input"
          id="pesos"
          name="pesos"
          inputmode="decimal"
          autocomplete="off"
          required
          maxlength="16"
          placeholder="${plainAmount(payin.amountInCents)}"
          ${amountRefused ? html`aria-invalid="true" aria-describedby="pesos-hint" autofocus` : ''}
        />
        <button class="button" name="action" value="other">${words.payOtherButton}</button>
      </div>
      ${amountRefused ? html`<p class="hint bad" id="pesos-hint">${words.badAmount}</p>` : ''}
    </form>`;
}

/** Handles the buttons of the played bank's app. */
export async function checkoutAnswer(engine: Engine, context: Context): Promise<Response> {
  const payin = visitedCheckout(engine, context);
  if (payin?.source.rail !== 'BRE_B') return checkoutPage(engine, context);
  const fields = await sentForm(context);
  if (fields.get('action') === 'other') {
    const paidInCents = centsFromTyped(fields.get('pesos') ?? '');
    if (paidInCents === null) return checkoutPage(engine, context, true);
    ifStillOpen(() => engine.settle(payin.id, 'CONFIRMED', { confirmedAmountInCents: paidInCents }));
  } else {
    decide(engine, payin, fields.get('action'));
  }
  const here = `${payin.id}?token=${encodeURIComponent(payin.checkoutToken)}`;
  return seeOther(returnAddress(payin.callbackUrl) ?? keepLanguage(here, context));
}

export function checkoutStatus(engine: Engine, context: Context): Response {
  return statusAnswer(visitedCheckout(engine, context));
}

function visitedCheckout(engine: Engine, context: Context): PayinRecord | undefined {
  return engine.visitCheckout(context.req.param('id') ?? '', context.req.query('token') ?? '');
}
