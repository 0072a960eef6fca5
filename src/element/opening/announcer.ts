import type { ReactiveController } from 'lit';
import type { OpeningMessages } from '../../locales/messages.js';
import type { Phase } from '../../machine/state.js';
import { afterFrame } from './after-frame.js';
import type { Host } from '../host.js';

/** Stands for the screen's own words, which are known once it is drawn. */
const SCREEN = Symbol();
/** What was said stays this long: a payer who reads through the page must not come across what is no longer true. */
const SAID_MS = 10_000;

interface SpeakingHost extends Host {
  readonly phase: Phase;
  readonly words: OpeningMessages;
  /** The words in use are about to be replaced by those of the page's language. */
  readonly wordsArriving: boolean;
}

/** Speaks in the live region, and puts the focus where reading goes on when a screen takes the focused button along. */
export class Announcer implements ReactiveController {
  readonly #host: SpeakingHost;
  /** What is said once the next screen is seen. */
  #saying: (string | typeof SCREEN)[] = [];
  #focused = false;
  #waiting = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: SpeakingHost) {
    this.#host = host;
    host.addController(this);
  }

  say(text: string): void {
    this.#saying.push(text);
    this.#host.requestUpdate();
  }

  /** Another screen leaves nothing more to say about the one before. */
  sayScreen(): void {
    this.#saying = [SCREEN];
    this.#host.requestUpdate();
  }

  /** Whether something here has the focus is only known before the screen is replaced. */
  hostUpdate(): void {
    this.#focused ||= Boolean(this.#host.renderRoot.activeElement);
  }

  hostUpdated(): void {
    this.#noteFocus();
    if (this.#waiting || (this.#saying.length === 0 && !this.#focused)) return;
    const isEmpty = /^(idle|loading|returning)$/.test(this.#host.phase);
    if (!this.#focused && (isEmpty || !this.#saying.includes(SCREEN))) return this.#speak(null, false);
    // What a screen shows is known, and can have the focus, once it is laid out.
    this.#waiting = true;
    afterFrame(() => {
      this.#waiting = false;
      const title = this.#host.renderRoot.querySelector<HTMLElement>('[part=body] h2');
      this.#speak(title, this.#keepFocus(title));
    });
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#region?.replaceChildren();
  }

  get #region(): Element | null {
    return this.#host.renderRoot.querySelector('[role=status]');
  }

  /** Nothing is to be done about a focus that is still in here, or that the payer moved elsewhere. */
  #noteFocus(): void {
    if (this.#host.renderRoot.activeElement || document.activeElement !== document.body) {
      this.#focused = false;
    }
  }

  /** Whether the focus went to the title, which a screen reader then reads by itself. */
  #keepFocus(title: HTMLElement | null): boolean {
    this.#noteFocus();
    if (!this.#focused || !title) return false;
    title.focus();
    this.#focused = false;
    return true;
  }

  #speak(title: HTMLElement | null, read: boolean): void {
    const region = this.#region;
    const screen = this.#saying.includes(SCREEN) ? this.#screenText(title, read) : '';
    if (!region?.isConnected || screen === null || this.#saying.length === 0 || this.#host.wordsArriving)
      return;
    const text = this.#saying.map((said) => (said === SCREEN ? screen : said)).join(' ');
    this.#saying = [];
    // Screen readers pass over the same text twice in a row.
    region.textContent = text && text === region.textContent ? `${text}\u00a0` : text;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => (region.textContent = ''), SAID_MS);
  }

  /** What a screen is about: its notices, its title unless that is read, the sentence below. Null until it is drawn. */
  #screenText(title: HTMLElement | null, read: boolean): string | null {
    const { phase, words, renderRoot } = this.#host;
    if (phase === 'loading' || phase === 'returning') return words.loading;
    if (!title) return phase === 'idle' ? '' : null;
    // The screen before stays, with a button that says what is being done.
    const busy = renderRoot.querySelector('[part=body] [part=button][aria-disabled=true]');
    if (phase === 'creating' && busy) return spokenText(busy);
    return [...renderRoot.querySelectorAll('.notices > *'), read ? null : title, title.nextElementSibling]
      .map((part) => (part ? spokenText(part) : ''))
      .map((text) => text.replace(/[^.?!…]$/, '$&.'))
      .join(' ')
      .trim();
  }
}

/** What a screen reader says of an element: an amount in pesos, and not its sign; nothing that is not displayed. */
function spokenText(element: Element): string {
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  const spoken: string[] = [];
  while (walker.nextNode()) {
    const { parentElement, textContent } = walker.currentNode;
    const silent =
      parentElement?.closest('[aria-hidden=true]') ?? parentElement?.getClientRects().length === 0;
    if (!silent) spoken.push(textContent ?? '');
  }
  return spoken.join('').replace(/\s+/g, ' ').trim();
}
