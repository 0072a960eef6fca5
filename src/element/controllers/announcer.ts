import type { ReactiveController } from 'lit';
import type { Messages } from '../../locales/messages.js';
import type { Phase } from '../../machine/state.js';
import type { Host } from '../host.js';

/** Stands for the screen's own words, which are known once it is drawn. */
const SCREEN = Symbol();

interface SpeakingHost extends Host {
  readonly phase: Phase;
  readonly words: Messages;
}

/** Speaks in the live region, and puts the focus where reading goes on when a screen takes the focused button along. */
export class Announcer implements ReactiveController {
  readonly #host: SpeakingHost;
  /** What is said after the next render. */
  #saying: (string | typeof SCREEN)[] = [];
  #focused = false;

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
    const title = this.#host.renderRoot.querySelector<HTMLElement>('[part=body] h2');
    this.#keepFocus(title);
    this.#speak(title);
  }

  #keepFocus(title: HTMLElement | null): void {
    // Somewhere in here, or the payer went elsewhere meanwhile.
    if (this.#host.renderRoot.activeElement || document.activeElement !== document.body) {
      this.#focused = false;
    }
    if (!this.#focused || !title) return;
    title.focus();
    this.#focused = false;
  }

  #speak(title: HTMLElement | null): void {
    const region = this.#host.renderRoot.querySelector('[role=status]');
    const screen = this.#saying.includes(SCREEN) ? this.#screenText(title) : '';
    if (!region || screen === null || this.#saying.length === 0) return;
    const text = this.#saying.map((said) => (said === SCREEN ? screen : said)).join(' ');
    this.#saying = [];
    // Screen readers pass over the same text twice in a row.
    region.textContent = text === region.textContent ? `${text}\u00a0` : text;
  }

  /** What a screen is about: its notices, its title and the sentence below. Null until it is drawn. */
  #screenText(title: HTMLElement | null): string | null {
    const { phase, words, renderRoot } = this.#host;
    if (phase === 'loading' || phase === 'returning') return words.loading;
    if (!title) return phase === 'idle' ? '' : null;
    const notices = renderRoot.querySelector<HTMLElement>('.notices');
    const parts = [notices, title, title.nextElementSibling as HTMLElement | null];
    return parts
      .map((part) => part?.innerText.trim() ?? '')
      .map((text) => text.replace(/[^.?!…]$/, '$&.'))
      .join(' ');
  }
}
