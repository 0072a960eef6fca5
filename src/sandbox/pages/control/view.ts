import { html } from 'hono/html';
import type { Engine } from '../../service/engine.js';
import type { IconName } from '../icons.js';
import type { Html } from '../layout.js';
import { icon } from '../icons.js';
import type { ControlWords } from './words.js';
import type { RequestLog } from '../../api/request-log.js';
import type { Language } from '../words.js';
import type { DeliveryRecord, LinkRecord, PayinRecord } from '../../service/state.js';

/** What the control page shows is in its address, so that it can be reloaded, linked to and gone back from. */

export const SECTIONS = [
  'payins',
  'payouts',
  'links',
  'events',
  'requests',
  'mishaps',
  'connection',
] as const;
export type Section = (typeof SECTIONS)[number];

/** What the control page shows and steers. */
export interface SandboxParts {
  readonly engine: Engine;
  readonly connection: Connection;
  readonly requests: RequestLog;
}

export interface ControlView extends SandboxParts {
  readonly language: Language;
  readonly words: ControlWords;
  readonly section: Section;
  readonly search: string;
  readonly status: string;
  readonly rail: string;
  /** Days in Colombia, as `2026-08-31`; empty without a bound. */
  readonly from: string;
  readonly to: string;
  readonly openId: string;
  /** Counted from 1. */
  readonly page: number;
  /** Why the last action was refused. */
  readonly refusal: string | undefined;
  /** Set when the address overrides the browser's language. */
  readonly askedLanguage: Language | undefined;
}

/** One line of a list. */
export interface Row {
  readonly id: string;
  readonly pill: Html;
  readonly title: string;
  readonly detail: readonly string[];
  readonly atMs: number;
  readonly amountInCents?: number;
  readonly marked: boolean;
}

/** What a developer copies into their server. */
export interface Connection {
  readonly apiKey: string;
  readonly accessToken: string;
}

export type ViewChange = Partial<
  Pick<ControlView, 'section' | 'search' | 'status' | 'rail' | 'from' | 'to' | 'openId' | 'page'>
>;

/** Everything of a section, from its first page on. */
export const UNFILTERED = { search: '', status: '', rail: '', from: '', to: '', page: 1 } as const;

/** The address of this view with something else in it. */
export function addressOf(view: ControlView, change: ViewChange): string {
  const next = { ...view, ...change };
  const query = new URLSearchParams({ section: next.section });
  if (next.search !== '') query.set('q', next.search);
  if (next.status !== '') query.set('status', next.status);
  if (next.rail !== '') query.set('rail', next.rail);
  if (next.from !== '') query.set('from', next.from);
  if (next.to !== '') query.set('to', next.to);
  if (next.openId !== '') query.set('open', next.openId);
  if (next.page !== 1) query.set('page', String(next.page));
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

/** With the day, unless it is today. */
export function time(atMs: number, { engine, language }: ControlView): Html {
  const iso = new Date(atMs).toISOString();
  const day = dayOf(atMs) === dayOf(engine.clock.now()) ? '' : `${FORMATS[language].day.format(atMs)}, `;
  return html`<time datetime="${iso}" title="${iso}">${day}${clockText(atMs, language)}</time>`;
}

export function clockText(atMs: number, language: Language): string {
  return FORMATS[language].clock.format(atMs);
}

/** The day in Colombia, as `2026-08-31`. */
export function dayOf(atMs: number): string {
  return DAYS.format(atMs);
}

const timeZone = 'America/Bogota';
const DAYS = new Intl.DateTimeFormat('en-CA', { timeZone });
const FORMATS = { es: formatsIn('es-CO'), en: formatsIn('en') } as const satisfies Record<Language, object>;

function formatsIn(locale: string) {
  return {
    day: new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone }),
    clock: new Intl.DateTimeFormat(locale, {
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
      hourCycle: 'h23',
      timeZone,
    }),
  };
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
