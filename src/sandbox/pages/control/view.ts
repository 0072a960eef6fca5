import { html } from 'hono/html';
import type { Engine } from '../../service/engine.js';
import type { IconName } from '../icons.js';
import type { Html } from '../layout.js';
import { icon } from '../icons.js';
import type { ControlWords } from './words.js';
import type { Language } from '../words.js';
import type { DeliveryRecord, LinkRecord, PayinRecord } from '../../service/state.js';

/** What the control page shows is in its address, so that it can be reloaded, linked to and gone back from. */

export const SECTIONS = ['payins', 'payouts', 'links', 'events', 'mishaps', 'connection'] as const;
export type Section = (typeof SECTIONS)[number];

export interface ControlView {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly language: Language;
  readonly words: ControlWords;
  readonly section: Section;
  readonly search: string;
  readonly status: string;
  readonly openId: string;
  readonly show: number;
  /** Why the last action was refused. */
  readonly refusal: string | undefined;
  /** Set when the address overrides the browser's language. */
  readonly askedLanguage: Language | undefined;
}

/** What a developer copies into their server. */
export interface Connection {
  readonly apiKey: string;
  readonly accessToken: string;
}

export const FIRST_SHOW = 50;

export type ViewChange = Partial<Pick<ControlView, 'section' | 'search' | 'status' | 'openId' | 'show'>>;

/** The address of this view with something else in it. */
export function addressOf(view: ControlView, change: ViewChange): string {
  const next = { ...view, ...change };
  const query = new URLSearchParams({ section: next.section });
  if (next.search !== '') query.set('q', next.search);
  if (next.status !== '') query.set('status', next.status);
  if (next.openId !== '') query.set('open', next.openId);
  if (next.show !== FIRST_SHOW) query.set('show', String(next.show));
  if (next.askedLanguage !== undefined) query.set('lang', next.askedLanguage);
  return `?${query.toString()}`;
}

/** A form that does one thing to one record and comes back to this view. */
export function action(view: ControlView, action: string, content: Html, id = ''): Html {
  return html`<form method="post" action="${addressOf(view, {})}" class="act">
    <input type="hidden" name="do" value="${action}" />
    ${id === '' ? '' : html`<input type="hidden" name="id" value="${id}" />`} ${content}
  </form>`;
}

export function time(atMs: number, language: Language): Html {
  const iso = new Date(atMs).toISOString();
  return html`<time datetime="${iso}" title="${iso}">${clockText(atMs, language)}</time>`;
}

export function clockText(atMs: number, language: Language): string {
  return (language === 'es' ? SHORT_TIMES.es : SHORT_TIMES.en).format(atMs);
}

const SHORT_TIMES = {
  es: shortTime('es-CO'),
  en: shortTime('en'),
};

function shortTime(locale: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat(locale, {
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZone: 'America/Bogota',
  });
}

type Tone = 'open' | 'positive' | 'negative' | 'caution';

const PILLS = {
  PENDING: ['clock', 'open'],
  PROCESSING: ['clock', 'open'],
  CONFIRMED: ['check', 'positive'],
  COMPLETED: ['check', 'positive'],
  DECLINED: ['cross', 'negative'],
  CANCELED: ['minus', 'negative'],
  EXPIRED: ['alert', 'caution'],
} as const satisfies Record<PayinRecord['status'] | LinkRecord['status'], readonly [IconName, Tone]>;

const DELIVERY_PILLS = {
  WAITING: ['clock', 'open'],
  DELIVERED: ['check', 'positive'],
  LOST: ['minus', 'caution'],
  GIVEN_UP: ['cross', 'negative'],
} as const satisfies Record<DeliveryRecord['state'], readonly [IconName, Tone]>;

export function statusPill(status: keyof typeof PILLS, words: ControlWords): Html {
  const [picture, tone] = PILLS[status];
  return pill(picture, tone, words.statuses[status]);
}

export function deliveryPill(state: DeliveryRecord['state'], words: ControlWords): Html {
  const [picture, tone] = DELIVERY_PILLS[state];
  return pill(picture, tone, words.deliveryStates[state]);
}

export function pill(picture: IconName, tone: Tone, word: string): Html {
  return html`<span class="pill ${tone}">${icon(picture)}${word}</span>`;
}

/** A value to copy; the button appears with the script that makes it work. */
export function copyable(name: string, value: string, words: ControlWords): Html {
  return html`<button type="button" class="copy" data-copy="${value}" hidden>
    ${icon('copy')}<span data-label class="visually-hidden" aria-live="polite">${words.copy}</span
    ><span class="visually-hidden"> ${name}</span>
  </button>`;
}
