import { html } from 'hono/html';
import { formatMoment } from '../../contract/values/moment.js';
import { formatMoney, spokenMoney } from '../../contract/values/money.js';
import { isFinal } from '../../contract/status.js';
import type { Language } from '../../look/bilingual.js';
import type { IconName } from '../../look/icons.js';
import { bankName } from '../../contract/payer/bank-list.js';
import { icon } from './icons.js';
import { facts, type Html, type Page, renderPage } from './layout.js';
import type { LinkRecord, PayinRecord } from '../service/state.js';
import { type Words, WORDS } from './words.js';

/** What the payer's pages are built from. A file of this room is one page, or what they share: words, style, script. */

/** Every page of the payer lies one folder deep. */
const ROOT = '../_/';

export interface PayerPage {
  readonly language: Language;
  readonly words: Words;
  /** The page's own query without its language, for the link to the other one. */
  readonly query?: string;
  readonly title: string;
  readonly card: Html;
  readonly roomy?: boolean;
  /** Where the page asks whether something changed, and what it was when it was drawn. */
  readonly watch?: { readonly path: string; readonly status: string };
  readonly leavesTo?: string | undefined;
  readonly status?: number;
}

export function renderPayerPage(page: PayerPage): Promise<Response> {
  const { words } = page;
  const otherLanguage = page.language === 'es' ? 'en' : 'es';
  const otherAddress = `?${page.query === undefined ? '' : `${page.query}&`}lang=${otherLanguage}`;
  const shell: Page = {
    language: page.language,
    title: `${page.title} · ${words.sandbox}`,
    root: ROOT,
    style: 'page.css',
    script: 'payer.js',
    ...(page.leavesTo === undefined ? {} : { leavesTo: page.leavesTo }),
    ...(page.status === undefined ? {} : { status: page.status }),
    body: html`<body
      data-watch="${page.watch?.path ?? ''}"
      data-status="${page.watch?.status ?? ''}"
      data-copied="${words.copied}"
      data-copy-failed="${words.copyFailed}"
    >
      <header class="test-strip">
        ${icon('flask')}<span><b>${words.testStrip}</b> ${words.testStripMore}</span>
      </header>
      <main class="payer">
        <section class="card ${page.roomy ? 'roomy' : ''}">${page.card}</section>
        <p class="foot">
          <a href="${ROOT}">${words.controlPage}</a>
          <a href="${otherAddress}" lang="${otherLanguage}" hreflang="${otherLanguage}"
            >${words.otherLanguage}</a
          >
        </p>
      </main>
    </body>`,
  };
  return renderPage(shell);
}

export interface SummaryContent {
  readonly icon: IconName;
  readonly name: string;
  readonly detail: string;
  readonly record: PayinRecord | LinkRecord;
  readonly language: Language;
}

/** The merchant, the reference and the amount, at the top of every page. */
export function summary({ icon: name, name: who, detail, record, language }: SummaryContent): Html {
  return html`<header class="summary">
    <span class="tile">${icon(name)}</span>
    <div class="who"><b>${who}</b><span>${detail}</span></div>
    <div class="total">${money(record.amountInCents, language)}<small aria-hidden="true">COP</small></div>
  </header>`;
}

/** Money for the eyes, with the words a screen reader should say instead of "dollars". */
export function money(amountInCents: number, language: Language): Html {
  return html`<span aria-hidden="true">${formatMoney(amountInCents, 'COP', language)}</span
    ><span class="visually-hidden">${spokenMoney(amountInCents, 'COP', language)}</span>`;
}

export interface ChoiceContent {
  readonly value: string;
  readonly icon: IconName;
  readonly tone?: 'positive' | 'negative' | 'caution' | '';
  readonly title: string;
  readonly what: string;
}

/** A button that says what will happen, sent as the form's `action`. */
export function choice({ value, icon: name, tone, title, what }: ChoiceContent): Html {
  return html`<button class="choice ${tone ?? ''}" name="action" value="${value}">
    <span class="ico">${icon(name)}</span>
    <span><b>${title}</b><span class="what">${what}</span></span>
    <span class="chevron">${icon('chevron')}</span>
  </button>`;
}

const OUTCOME_BADGES = {
  CONFIRMED: ['check', 'positive'],
  COMPLETED: ['check', 'positive'],
  DECLINED: ['cross', 'negative'],
  CANCELED: ['minus', 'negative'],
  EXPIRED: ['clock', 'caution'],
} as const satisfies Record<string, readonly [IconName, string]>;

/** The result: a badge, a title and a sentence. */
export function outcome(status: PayinRecord['status'] | LinkRecord['status'], words: Words): Html {
  const ended = status !== 'PENDING' && status !== 'PROCESSING' ? status : undefined;
  const [picture, tone] = ended ? OUTCOME_BADGES[ended] : (['clock', 'caution'] as const);
  return html`<div class="result">
    <span class="badge ${tone}">${icon(picture)}</span>
    <h1>${words.resultTitle[ended ?? 'open']}</h1>
    <p class="lead">${words.resultLead[ended ?? 'open']}</p>
  </div>`;
}

/** The way back to the shop, or why there is none. */
export function wayBack(callbackUrl: string | null, checked: string | undefined, words: Words): Html {
  if (checked !== undefined) return html`<a class="button wide" href="${checked}">${words.backToShop}</a>`;
  if (callbackUrl !== null) return html`<p class="notice">${words.badReturn}</p>`;
  return html`<p class="note">${words.noReturn}</p>`;
}

/** What is known of a payin; once it is over, all that a receipt shows. */
export function payinFacts(payin: PayinRecord, language: Language, words: Words): Html {
  const over = isFinal(payin.status);
  const rows: (readonly [string, Html | string])[] = [[words.status, words.outcomes[payin.status]]];
  if (over) rows.push([words.amount, money(payin.amountInCents, language)]);
  const confirmed = payin.confirmedAmountInCents;
  if (confirmed !== null && confirmed !== payin.amountInCents) {
    rows.push([words.confirmedAmount, money(confirmed, language)]);
  }
  rows.push([words.reference, payin.reference]);
  if (payin.source.rail === 'PSE') {
    rows.push([words.method, `PSE · ${bankName(payin.source.bank)}`]);
    if (payin.source.cus !== null && over) rows.push(['CUS', payin.source.cus]);
  } else {
    rows.push([words.method, 'Bre-B'], [words.key, payin.source.keyString]);
  }
  if (payin.resultAtMs !== null) {
    rows.push([words.date, formatMoment(payin.resultAtMs, language, 'long')]);
  }
  return facts(rows);
}

export function missingPage(language: Language, words: Words): Promise<Response> {
  return messagePage(404, language, words.missingTitle, words.missingLead);
}

export function foreignPage(language: Language): Promise<Response> {
  const { foreignTitle, foreignLead } = WORDS[language];
  return messagePage(403, language, foreignTitle, foreignLead);
}

/** In the place of the control page, when this sandbox was made without its files. */
export function noControlPage(language: Language): Promise<Response> {
  const { noControlTitle, noControlLead } = WORDS[language];
  return messagePage(404, language, noControlTitle, noControlLead);
}

function messagePage(status: number, language: Language, title: string, lead: string) {
  const words = WORDS[language];
  return renderPayerPage({
    language,
    words,
    title,
    status,
    card: html`<div class="body">
      <div class="result">
        <span class="badge caution">${icon('alert')}</span>
        <h1>${title}</h1>
        <p class="lead">${lead}</p>
      </div>
    </div>`,
  });
}
