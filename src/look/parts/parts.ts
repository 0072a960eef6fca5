import { html, nothing, type TemplateResult } from 'lit';
import { type IconName, ICONS } from '../icons.js';
import { pageColours } from '../palette.js';
import type { Language } from '../bilingual.js';
import type { CommonWords } from '../words.js';

/** Pieces that the pages of the console and of the sandbox are made of. Their style sheets are in `look/styles`. */

export type Content = TemplateResult | readonly TemplateResult[] | string | typeof nothing;

/** What the pieces need of the page around them. */
export interface PageShell {
  readonly words: Omit<CommonWords, 'statuses'> & { readonly statuses: Readonly<Record<string, string>> };
  readonly language: Language;
  /** Has screen readers say something. */
  readonly announce: (text: string) => void;
}

/** Gives the document the palette. A poster is light in every theme, so its colours are settled on it. */
export function adoptPalette(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`:root,.poster{${pageColours()}}`);
  document.adoptedStyleSheets.push(sheet);
}

export type Tone = 'good' | 'wait' | 'care' | 'bad';

const TONES: Readonly<Record<string, Tone>> = {
  CONFIRMED: 'good',
  COMPLETED: 'good',
  DELIVERED: 'good',
  PAGADO: 'good',
  PENDING: 'wait',
  PROCESSING: 'wait',
  SENDING: 'wait',
  CREATING: 'wait',
  WAITING: 'wait',
  ABIERTO: 'wait',
  DRAFT: 'care',
  UNCLEAR: 'care',
  OTRO_VALOR: 'care',
  DECLINED: 'bad',
  CANCELED: 'bad',
  REFUSED: 'bad',
  EXPIRED: 'bad',
  LOST: 'bad',
  GIVEN_UP: 'bad',
  CHARGED_BACK: 'bad',
};

/** A status that the page does not know is shown by its own name, as something that is still open. */
export function chip(status: string, { words }: PageShell, tone: Tone = TONES[status] ?? 'wait'): Content {
  return html`<span class="chip ${tone}">${words.statuses[status] ?? status}</span>`;
}

/** Decorative: always beside text. */
export function icon(name: IconName): TemplateResult {
  return html`<svg class="picture" viewBox="0 0 24 24" aria-hidden="true">
    <path d=${ICONS[name]}></path>
  </svg>`;
}

/** The first line of a screen. It takes the focus when the reader arrives. */
export function heading(title: Content, lead: Content = nothing, action: Content = nothing): Content {
  return html`<div class="heading">
    <div>
      <h1 tabindex="-1">${title}</h1>
      ${lead === nothing ? nothing : html`<p class="lead">${lead}</p>`}
    </div>
    ${action}
  </div>`;
}

/** Names and values; what has no value is left out. */
export function factList(
  list: readonly (readonly [name: string, value: Content | null | undefined, isWide?: boolean])[],
): Content {
  const given = list.filter(([, value]) => value !== null && value !== undefined && value !== '');
  return html`<dl class="facts">
    ${given.map(
      ([name, value, isWide]) =>
        html`<div class=${isWide === true ? 'wide' : nothing}>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

/** A text to copy, by the name of what it is; `shown` stands for it where it is more than itself, such as a link. */
export function copyable(
  shell: PageShell,
  name: string,
  text: string | null | undefined,
  shown?: Content,
): Content | null {
  return text === null || text === undefined || text === ''
    ? null
    : html`<page-copy .shell=${shell} .name=${name} .text=${text} .shown=${shown}></page-copy>`;
}

export function empty(title: string, hint: Content, action: Content = nothing): Content {
  return html`<div class="empty">
    <p><b>${title}</b></p>
    ${hint === nothing ? nothing : html`<p>${hint}</p>`} ${action}
  </div>`;
}

/** Which part of a list this is, and the ways to the parts before and after it. */
export function turns(
  { words }: PageShell,
  shown: { readonly first: number; readonly last: number; readonly total: number },
  ways: { readonly newer: string | null; readonly older: string | null },
): Content {
  if (ways.newer === null && ways.older === null) return nothing;
  const way = (name: 'newer' | 'older') =>
    ways[name] === null
      ? nothing
      : html`<a class="button plain" rel=${name === 'older' ? 'next' : 'prev'} href=${ways[name]}
          >${words[name]}</a
        >`;
  return html`<nav class="turns" aria-label=${words.pages}>
    <span role="status">${words.rowsOf(shown.first, shown.last, shown.total)}</span>
    ${way('newer')} ${way('older')}
  </nav>`;
}

/** What a delivery went through, one line an attempt. */
export function attemptLines(
  attempts: readonly { readonly at: string; readonly status: number | null; readonly what: string }[],
  time: (at: string) => string,
): Content {
  return html`<ol>
    ${attempts.map(
      ({ at, status, what }) =>
        html`<li class=${status !== null && status < 300 ? 'good' : 'bad'}>${time(at)} · ${what}</li>`,
    )}
  </ol>`;
}

export interface Frame {
  readonly shell: PageShell;
  /** Above everything: that no money moves here. */
  readonly note?: Content;
  readonly title: string;
  readonly subtitle: string;
  readonly home: string;
  /** Null before there is a connection to speak of. */
  readonly connection: { readonly state: 'live' | 'lost'; readonly text: string } | null;
  readonly switchLanguage: () => void;
  readonly search?: Content;
  readonly tools?: Content;
  readonly sections: readonly {
    readonly href: string;
    readonly name: string;
    readonly count?: number;
    readonly isCurrent: boolean;
  }[];
  readonly content: Content;
  /** What is read out now. */
  readonly said: string;
}

/** The page around a screen: who it is, where one is, and whether it is live. */
export function frame({ shell, sections, connection, ...page }: Frame): TemplateResult {
  const { words, language } = shell;
  return html`<a class="skip" href="#content" @click=${skip}>${words.skip}</a>
    <header class="top">
      ${page.note === undefined ? nothing : html`<p class="test-note">${page.note}</p>`}
      <div class="wrap">
        <a class="brand" href=${page.home}
          ><span>${page.title} <small>${page.subtitle}</small></span></a
        >
        ${page.search ?? nothing}
        <div class="tools">
          ${
            connection === null
              ? nothing
              : html`<span class="light ${connection.state}" role="status">${connection.text}</span>`
          }
          <button
            class="button plain small"
            type="button"
            lang=${language === 'es' ? 'en' : 'es'}
            @click=${page.switchLanguage}
          >
            ${words.otherLanguage}
          </button>
          ${page.tools ?? nothing}
        </div>
      </div>
    </header>
    <div class="wrap frame">
      ${
        sections.length === 0
          ? nothing
          : html`<nav class="sections" aria-label=${words.navigation}>
              ${sections.map(
                ({ href, name, count = 0, isCurrent }) =>
                  html`<a href=${href} aria-current=${isCurrent ? 'page' : nothing}
                    >${name}${count > 0 ? html` <span class="tally">${count}</span>` : nothing}</a
                  >`,
              )}
            </nav>`
      }
      <main id="content" tabindex="-1">${page.content}</main>
    </div>
    <p class="sr" role="status">${page.said}</p>`;
}

function skip(event: Event): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

/** Brings the current section into view where a narrow window scrolls their row. */
export function showCurrentSection(page: ParentNode): void {
  const current = page.querySelector<HTMLElement>('.sections [aria-current]');
  // Not scrollIntoView, which would also move the page up to it.
  current?.parentElement?.scrollTo({ left: current.offsetLeft - current.offsetWidth });
}

export function htmlLanguage(language: Language): string {
  return language === 'es' ? 'es-CO' : 'en';
}
