import { type TemplateResult, html, nothing } from 'lit';
import type { Merchant } from '../../contract/offer.js';
import { formatMoney, spokenMoney } from '../../contract/values/money.js';
import type { Choice } from '../../machine/input.js';
import type { OpeningMessages } from '../../locales/messages.js';
import type { ViewContext } from '../host.js';

/** Small things that every screen is made of. */

export type Drawn = TemplateResult | typeof nothing;

/** A line drawing of 24 by 24, in the colour of the text around it; the words beside it say what it means. */
export function icon(path: string): TemplateResult {
  return html`<svg viewBox="0 0 24 24" aria-hidden="true"><path d=${path}></path></svg>`;
}

export const ALERT = 'M12 8v5m0 3v.01M12 3a9 9 0 1 0 0 18 9 9 0 0 0 0-18z';

/** An amount to look at, and the words a screen reader says for it instead of "dollars". */
export function money(amountInCents: number, currency: string, { locale }: OpeningMessages): TemplateResult {
  return html`<span class="amount" aria-hidden="true">${formatMoney(amountInCents, currency, locale)}</span
    ><span class="sr">${spokenMoney(amountInCents, currency, locale)}</span>`;
}

/** A sentence whose amounts are spoken as pesos too. */
export function withMoney(
  sentence: string,
  amountsInCents: readonly number[],
  currency: string,
  messages: OpeningMessages,
  draw = money,
): TemplateResult {
  const amount = amountsInCents.find((each) =>
    sentence.includes(formatMoney(each, currency, messages.locale)),
  );
  if (amount === undefined) return html`${sentence}`;
  const text = formatMoney(amount, currency, messages.locale);
  const at = sentence.indexOf(text);
  const rest = withMoney(sentence.slice(at + text.length), amountsInCents, currency, messages, draw);
  return html`${sentence.slice(0, at)}${draw(amount, currency, messages)}${rest}`;
}

export function title(text: string, lead: unknown = nothing): TemplateResult {
  return html`<div>
    <h2 part="title" tabindex="-1">${text}</h2>
    ${lead === nothing ? nothing : html`<p class="lead" part="lead">${lead}</p>`}
  </div>`;
}

export function notice(text: unknown, tone = ''): TemplateResult {
  return html`<p class="notice ${tone}" part="notice">${icon(ALERT)}<span>${text}</span></p>`;
}

/** The main button of a screen; while it works its words change and pressing it again does nothing. */
export function mainButton(
  label: unknown,
  press: (() => void) | null,
  busy: string | null = null,
): TemplateResult {
  return html`<button
    class="btn"
    part="button"
    type=${press ? 'button' : 'submit'}
    aria-disabled=${busy ? 'true' : 'false'}
    @click=${press && !busy ? press : nothing}
  >
    ${busy ? html`<span class="spin"></span>${busy}` : label}
  </button>`;
}

export function sideButton(label: unknown, press: (event: Event) => void, size = ''): TemplateResult {
  return html`<button class="btn ghost ${size}" part="button-secondary" type="button" @click=${press}>
    ${label}
  </button>`;
}

/** Whether the last button was pressed and the page left it at that. */
export class Ending {
  over = false;
}

/** The way back to the shop; once it was pressed on a page that does nothing with it, that there is nothing left to do. */
export function finishButton({ messages, send, helper }: ViewContext, main = false): Drawn {
  if (helper(Ending).over) return html`<p class="note">${messages.canClose}</p>`;
  const finish = () => send({ type: 'finish' });
  return main ? mainButton(messages.finish, finish) : sideButton(messages.finish, finish);
}

type Look = 'positive' | 'negative' | 'caution' | 'calm';

/** What a screen is about, with its picture; a turning circle where something is still being done. */
export function result(
  look: Look,
  path: string | null,
  words: string,
  lead: unknown = nothing,
): TemplateResult {
  return html`<div class="result">
    <span class="badge ${look}">${path === null ? html`<span class="spin"></span>` : icon(path)}</span>
    ${title(words, lead)}
  </div>`;
}

/** Creating takes longer than it should: the payer may wait or go back. */
export const isSlow = (screen: { readonly phase: string; readonly slowAtMs?: number | null }): boolean =>
  screen.phase === 'creating' && screen.slowAtMs === null;

/** What the screen says while a payment is being created. */
export function creatingWords(choice: Choice, messages: OpeningMessages): string {
  const key = 'keyType' in choice && choice.keyType === 'SINGLE_USE';
  return key ? messages.creatingBreb : messages.creatingPse;
}

/** How to reach the merchant, with what to say. Nothing when the merchant gave no contact. */
export function help(merchant: Merchant, messages: OpeningMessages, reference: string | null = null): Drawn {
  const { supportPhone, supportEmail, supportWhatsapp } = merchant;
  const links: [address: string, words: string][] = [];
  if (supportWhatsapp) links.push([whatsapp(supportWhatsapp, reference), 'WhatsApp']);
  if (supportPhone) links.push([`tel:${supportPhone.replace(/[^\d+]/g, '')}`, supportPhone]);
  if (supportEmail)
    links.push([`mailto:${encodeURIComponent(supportEmail).replace('%40', '@')}`, supportEmail]);
  if (links.length === 0) return nothing;
  return html`<p class="help" part="help">
    ${messages.helpTitle}
    ${links.map(([address, words], index) => html`${index ? ' · ' : nothing}<a href=${address}>${words}</a>`)}
    ${reference === null ? nothing : html`<br />${messages.helpReference(reference)}`}
  </p>`;
}

/** A chat that begins with the reference. WhatsApp takes a number's digits with its country's code. */
function whatsapp(number: string, reference: string | null): string {
  const digits = number.replace(/\D/g, '').replace(/^3\d{9}$/, '57$&');
  return `https://wa.me/${digits}${reference === null ? '' : `?text=${encodeURIComponent(reference)}`}`;
}
