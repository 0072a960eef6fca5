import type { Context } from 'hono';
import { html } from 'hono/html';
import { formatMoney, plainAmount } from '../../../contract/money.js';
import { isFinal } from '../../../contract/status.js';
import type { Engine } from '../../service/engine.js';
import { EngineError } from '../../service/engine-error.js';
import { type Html, icon, returnAddress, seeOther } from '../layout.js';
import { centsFromTyped } from '../typed-amount.js';
import {
  bankName,
  choice,
  money,
  missingPage,
  outcome,
  payinFacts,
  renderPayerPage,
  summary,
  wayBack,
} from './parts.js';
import { type Language, languageOf, type Words, wordsIn } from './words.js';
import { qrPngUrl } from '../../qr-png.js';
import type { Outcome, PayinRecord } from '../../service/state.js';

/** The page behind `pseUrl`, where the payer decides what the bank answers. */
export function bankPage(engine: Engine, context: Context): Promise<Response> {
  const language = languageOf(context.req.raw);
  const words = wordsIn(language);
  const payin = engine.visitBank(context.req.param('token') ?? '');
  if (payin?.source.rail !== 'PSE') return missingPage(language, words);
  const leavesTo = returnAddress(payin.callbackUrl);
  return renderPayerPage({
    language,
    words,
    title: words.bankName,
    leavesTo,
    watch: watchOf(payin, `${payin.source.bankToken}/status`),
    card: html`${summary({
        icon: 'bank',
        name: words.bankName,
        detail: words.bankPlays(bankName(payin.source.bank)),
        record: payin,
        language,
      })}
      <div class="body">
        ${
          isFinal(payin.status)
            ? result(payin, leavesTo, language, words)
            : html`<div>
                  <h1>${words.bankTitle}</h1>
                  <p class="lead">${words.bankLead}</p>
                </div>
                ${payinFacts(payin, language, words)}
                <form method="post" class="stack">${bankChoices(words)}</form>
                <p class="note">${icon('lock')}${words.neverPassword}</p>`
        }
      </div>`,
  });
}

function bankChoices(words: Words): Html {
  return html`${choice({
    value: 'approve',
    icon: 'check',
    tone: 'positive',
    title: words.bankApprove,
    what: words.bankApproveWhat,
  })}${choice({
    value: 'reject',
    icon: 'cross',
    tone: 'negative',
    title: words.bankReject,
    what: words.bankRejectWhat,
  })}${choice({
    value: 'pending',
    icon: 'clock',
    tone: 'caution',
    title: words.bankPending,
    what: words.bankPendingWhat,
  })}${choice({ value: 'cancel', icon: 'minus', title: words.bankCancel, what: words.bankCancelWhat })}${choice(
    { value: 'back', icon: 'back', title: words.bankBack, what: words.bankBackWhat },
  )}`;
}

/** The payer pressed a button at the bank. */
export async function bankAnswer(engine: Engine, context: Context): Promise<Response> {
  const language = languageOf(context.req.raw);
  const payin = engine.visitBank(context.req.param('token') ?? '');
  if (payin?.source.rail !== 'PSE') return missingPage(language, wordsIn(language));
  decide(engine, payin, (await form(context)).get('action'));
  return seeOther(returnAddress(payin.callbackUrl) ?? keepLanguage(payin.source.bankToken, context));
}

/** The page behind `checkoutUrl`: what a payer would see, beside a bank's app that is only pretended. */
export function checkoutPage(engine: Engine, context: Context, amountRefused = false): Promise<Response> {
  const language = languageOf(context.req.raw);
  const words = wordsIn(language);
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
        name: words.linkMerchant,
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

/** On a phone the key and the amount come first, because nobody can scan their own screen. */
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
      ${amountRefused ? html`<p class="hint bad" id="pesos-hint">${words.payOtherBad}</p>` : ''}
    </form>`;
}

/** The payer did something in the pretended app. */
export async function checkoutAnswer(engine: Engine, context: Context): Promise<Response> {
  const payin = visitedCheckout(engine, context);
  if (payin?.source.rail !== 'BRE_B') return checkoutPage(engine, context);
  const fields = await form(context);
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

export function bankStatus(engine: Engine, context: Context): Response {
  return statusAnswer(engine.visitBank(context.req.param('token') ?? ''));
}

export function checkoutStatus(engine: Engine, context: Context): Response {
  return statusAnswer(visitedCheckout(engine, context));
}

function visitedCheckout(engine: Engine, context: Context): PayinRecord | undefined {
  return engine.visitCheckout(context.req.param('id') ?? '', context.req.query('token') ?? '');
}

function statusAnswer(payin: PayinRecord | undefined): Response {
  const headers = { 'cache-control': 'no-store' };
  if (!payin) return Response.json({ status: null }, { status: 404, headers });
  return Response.json({ status: payin.status }, { headers });
}

function watchOf(payin: PayinRecord, path: string) {
  return { path, status: payin.status };
}

function result(payin: PayinRecord, checked: string | undefined, language: Language, words: Words): Html {
  return html`${outcome(payin.status, words)} ${payinFacts(payin, language, words)}
  ${wayBack(payin.callbackUrl, checked, words)}`;
}

const DECISIONS: ReadonlyMap<string, Outcome> = new Map([
  ['approve', 'CONFIRMED'],
  ['reject', 'DECLINED'],
  ['cancel', 'CANCELED'],
]);

/** Leaving it pending, going back, or sending nonsense decides nothing. */
function decide(engine: Engine, payin: PayinRecord, action: string | null): void {
  const decision = DECISIONS.get(action ?? '');
  if (decision) ifStillOpen(() => engine.decide(payin.id, decision));
}

/** Two tabs can answer the same payin; the second finds it answered, which its next page shows. */
function ifStillOpen(act: () => void): void {
  try {
    act();
  } catch (error) {
    if (!(error instanceof EngineError)) throw error;
  }
}

export async function form(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await context.req.text());
}

function keepLanguage(address: string, context: Context): string {
  const asked = context.req.query('lang');
  if (asked !== 'es' && asked !== 'en') return address;
  return `${address}${address.includes('?') ? '&' : '?'}lang=${asked}`;
}
