import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { SessionView } from '../../contract/merchant/console.js';
import { Api, problemOf } from './api.js';
import { listen, type LiveHandlers } from './live.js';
import { type Content, frame, htmlLanguage, showCurrentSection } from '../../look/parts/parts.js';
import type { Language } from '../../look/bilingual.js';
import { readRoute, type Route, toRoute } from './route.js';
import { defineScreens, groupOf, GROUPS, screenOf } from './sections.js';
import type { Shell } from './screen.js';
import { WORDS } from './words/words.js';

/**
 * The merchant's console: session, route, language and live updates. Each screen is an element in `screens`, its texts
 * are in `words`; what several screens use stays in this folder.
 */

const LANGUAGE = 'pay-checkout-console-language';
const ENTRY = /^#entrada=([\w-]{1,128})$/;
const RETRY_MS = 1_500;
/** Long enough to be read out. */
const SAID_MS = 10_000;

type Phase = 'opening' | 'signed-out' | 'signed-in';

export class MerchantConsole extends LitElement {
  static override properties = {
    api: { type: String },
    phase: { state: true },
    session: { state: true },
    route: { state: true },
    language: { state: true },
    pulse: { state: true },
    connection: { state: true },
    said: { state: true },
  };
  /** The address of the console's backend, from the page's own. */
  declare api: string;
  declare protected phase: Phase;
  declare protected session: SessionView | undefined;
  declare protected route: Route;
  declare protected language: Language;
  declare protected pulse: number;
  declare protected connection: 'live' | 'lost';
  declare protected said: string;

  readonly #api = new Api(
    () => this.api,
    () => this.#signedOut(),
  );
  #stopListening: (() => void) | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #quiet: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    defineScreens();
    this.api = 'api';
    this.phase = 'opening';
    this.language = readLanguage();
    this.pulse = 0;
    this.connection = 'lost';
    this.said = '';
    this.route = readRoute('');
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const token = ENTRY.exec(location.hash)?.[1];
    // The token stays neither in the address nor in the history.
    if (token !== undefined) history.replaceState(null, '', '#/');
    this.route = readRoute(location.hash);
    addEventListener('hashchange', this.#moved);
    addEventListener('pageshow', this.#shown);
    void this.#open(token);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#moved);
    removeEventListener('pageshow', this.#shown);
    clearTimeout(this.#retry);
    clearTimeout(this.#quiet);
    this.#stopListening?.();
    this.#stopListening = undefined;
  }

  async #open(token: string | undefined): Promise<void> {
    try {
      this.#signedIn(token === undefined ? await this.#api.open() : await this.#api.signIn(token));
    } catch (error) {
      const problem = problemOf(error);
      if (problem === 'unauthenticated' || problem === 'wrong_token') this.phase = 'signed-out';
      // The backend may be starting.
      else if (this.isConnected) this.#retry = setTimeout(() => void this.#open(token), RETRY_MS);
    }
  }

  #signedIn(session: SessionView): void {
    this.session = session;
    this.phase = 'signed-in';
    const handlers: LiveHandlers = {
      changed: () => (this.pulse += 1),
      connection: (state) => (this.connection = state),
    };
    this.#stopListening ??= listen(`${this.api}/live`, handlers);
  }

  #signedOut(): void {
    this.#stopListening?.();
    this.#stopListening = undefined;
    if (this.phase === 'signed-in') this.phase = 'signed-out';
  }

  readonly #leave = async (): Promise<void> => {
    await this.#api.send('DELETE', '/session').catch(() => undefined);
    this.#signedOut();
  };

  readonly #moved = async (): Promise<void> => {
    const token = ENTRY.exec(location.hash)?.[1];
    if (token !== undefined) {
      history.replaceState(null, '', '#/');
      await this.#open(token);
    }
    this.route = readRoute(location.hash);
    await this.updateComplete;
    // A new screen: readers start at its beginning, whatever they use to read.
    scrollTo({ top: 0 });
    this.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
  };

  /** A page that the browser kept shows what it knew when it was left. */
  readonly #shown = ({ persisted }: PageTransitionEvent): void => {
    if (persisted) this.pulse += 1;
  };

  readonly #switchLanguage = (): void => {
    this.language = this.language === 'es' ? 'en' : 'es';
    try {
      localStorage.setItem(LANGUAGE, this.language);
    } catch {
      // A private window: the choice lives as long as the page.
    }
  };

  get #shell(): Shell {
    const { name: merchant = '', siteUrl = '', sandboxUrl = '' } = this.session ?? {};
    return {
      api: this.#api,
      words: WORDS[this.language],
      language: this.language,
      merchant,
      siteUrl,
      sandboxUrl,
      announce: (text) => void this.#announce(text),
      go: (hash, how) => {
        if (how !== 'quiet') location.hash = hash;
        else {
          history.replaceState(null, '', hash);
          this.route = readRoute(hash);
        }
      },
    };
  }

  /** Clears the text first: a live region whose text does not change is not read out again. */
  async #announce(text: string): Promise<void> {
    clearTimeout(this.#quiet);
    this.said = '';
    await this.updateComplete;
    this.said = text;
    // A screen reader that comes to it later must not read old news.
    this.#quiet = setTimeout(() => (this.said = ''), SAID_MS);
  }

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('language') && !changed.has('route') && !changed.has('phase')) return;
    const words = WORDS[this.language];
    document.documentElement.lang = htmlLanguage(this.language);
    const where = this.phase === 'signed-in' ? words.sections[this.route.section] : words.title;
    document.title = [where, this.session?.name].filter(Boolean).join(' · ');
    showCurrentSection(this);
  }

  protected override render(): TemplateResult {
    const shell = this.#shell;
    const { words } = shell;
    const { name, sandboxUrl } = this.session ?? {};
    const isSignedIn = this.phase === 'signed-in';
    return frame({
      shell,
      ...(sandboxUrl !== undefined && { note: html`${words.testNote} <a href="../">${words.demo}</a>` }),
      title: name ?? words.title,
      subtitle: name === undefined ? '' : words.title,
      home: '#/',
      connection: isSignedIn ? { state: this.connection, text: words[this.connection] } : null,
      switchLanguage: this.#switchLanguage,
      ...(isSignedIn && {
        tools: html`<button class="button plain small" type="button" @click=${this.#leave}>
          ${words.signOut}
        </button>`,
      }),
      ...(isSignedIn && { search: this.#searchBox() }),
      sections: (isSignedIn ? GROUPS : []).map((group) => ({
        href: toRoute(group.sections[0]),
        name: words.groups[group.name],
        isCurrent: group === groupOf(this.route.section),
      })),
      content: html`${isSignedIn ? this.#tabs() : nothing} ${this.#screen()}`,
      said: this.said,
    });
  }

  /** One search on every page, for anything that a customer can quote. */
  #searchBox(): Content {
    const { words } = this.#shell;
    const { section, query } = this.route;
    return html`<form class="find" role="search" @submit=${this.#find}>
      <label class="sr" for="find">${words.find.label}</label>
      <input
        id="find"
        name="search"
        type="search"
        maxlength="128"
        autocomplete="off"
        spellcheck="false"
        placeholder=${words.find.hint}
        .value=${section === 'attempts' ? (query.get('search') ?? '') : ''}
      />
      <button class="button plain small" type="submit">${words.find.submit}</button>
    </form>`;
  }

  readonly #find = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    location.hash = toRoute('attempts', '', { search: String(data.get('search') ?? '').trim() });
  };

  /** The tabs of a group with several sections. */
  #tabs(): Content {
    const { words, sandboxUrl } = this.#shell;
    const group = groupOf(this.route.section);
    if (group.sections.length < 2 || this.route.id !== '') return nothing;
    // The sandbox knows what it sent; a real service has no list of its webhooks.
    const webhooks = group.name === 'technical' && sandboxUrl !== '';
    return html`<nav class="tabs" aria-label=${words.groups[group.name]}>
      ${group.sections.map(
        (section) =>
          html`<a href=${toRoute(section)} aria-current=${section === this.route.section ? 'page' : nothing}
            >${words.sections[section]}</a
          >`,
      )}
      ${
        webhooks
          ? html`<a href=${`${sandboxUrl}/_/?section=events`} target="_blank" rel="noopener"
              >${words.webhooks}</a
            >`
          : nothing
      }
    </nav>`;
  }

  #screen(): Content {
    const shell = this.#shell;
    const { pulse, route } = this;
    switch (this.phase) {
      case 'opening':
        return html`<p class="pending" role="status">${shell.words.signIn.opening}</p>`;
      case 'signed-out':
        return html`<console-sign-in
          .shell=${shell}
          .onSession=${(session: SessionView) => this.#signedIn(session)}
        ></console-sign-in>`;
      case 'signed-in':
        // A screen about one thing is another screen for another thing.
        return html`${keyed(`${route.section}/${route.id}`, screenOf(shell, route, pulse))}`;
      default:
        throw new TypeError(`Unknown phase: ${String(this.phase satisfies never)}`);
    }
  }
}

function readLanguage(): Language {
  try {
    return localStorage.getItem(LANGUAGE) === 'en' ? 'en' : 'es';
  } catch {
    return 'es';
  }
}
