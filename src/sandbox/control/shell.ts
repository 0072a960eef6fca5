import { html, type TemplateResult } from 'lit';
import { colombianDay } from '../../contract/values/moment.js';
import { clockTime, moment } from '../../look/parts/format.js';
import type { Content, PageShell, Tone } from '../../look/parts/parts.js';
import type { ControlView } from '../api/control-view.js';
import type { Address } from './address.js';
import type { Scenarios } from './control-client.js';
import type { ControlWords } from './words.js';

/** What every part of the control page gets from the page around it. */
export interface ControlShell extends PageShell {
  readonly words: ControlWords;
  readonly address: Address;
  readonly view: ControlView;
  readonly scenarios: Scenarios;
  /** Does something at the sandbox and shows what became of it, or why it was refused. */
  readonly act: (work: () => Promise<unknown>) => Promise<void>;
  /** Says why nothing was done. */
  readonly refuse: (text: string) => void;
  /** Goes to another view; `quiet` leaves no entry in the history. */
  readonly go: (href: string, how?: 'quiet') => Promise<void>;
}

export const isoTime = (epochMs: number) => new Date(epochMs).toISOString();

/** With the day, unless it is today. */
export function time(at: string, { language, view }: ControlShell): Content {
  const day = (text: string) => colombianDay(Date.parse(text));
  const shown = day(at) === day(view.now) ? clockTime(at, language) : moment(at, language);
  return html`<time datetime=${at} title=${at}>${shown}</time>`;
}

/** The tone of a state that only the sandbox has. */
export function toneOf(state: string): Tone | undefined {
  if (/^[1-5]\d\d$/.test(state)) return state < '400' ? 'good' : state < '500' ? 'care' : 'bad';
  return state === 'FORGED' || state === 'EXPIRED' || state === 'LOST' ? 'care' : undefined;
}

/** A button that does one thing. */
export function button(label: Content, press: () => void, tone = ''): TemplateResult {
  return html`<button class="button plain small ${tone}" type="button" @click=${press}>${label}</button>`;
}

/** Fields of a form that was sent, by name. */
export function fieldsOf(event: SubmitEvent): (name: string) => string {
  event.preventDefault();
  const data = new FormData(event.currentTarget as HTMLFormElement);
  return (name) => String(data.get(name) ?? '').trim();
}
