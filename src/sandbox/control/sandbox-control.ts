import { html, LitElement, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { type Content, frame, heading, htmlLanguage, showCurrentSection } from '../../look/parts/parts.js';
import { type Language, LANGUAGES } from '../../look/bilingual.js';
import type { ControlView } from '../api/control-view.js';
import { type Address, hrefOf, readAddress, SECTIONS, UNFILTERED } from './address.js';
import { readRevision, readScenarios, readView, RefusedError, type Scenarios } from './control-client.js';
import { detailPanel } from './detail.js';
import { listSection } from './lists.js';
import type { ControlShell } from './shell.js';
import { activeMishaps, connectionSection, mishapsSection } from './tools.js';
import { CONTROL_WORDS } from './words.js';

const LOOK_EVERY_MS = 1_000;

/**
 * The page where a developer watches and steers the sandbox: address, language, live updates and the frame around the
 * sections. It reads one view for one address, and again whenever the sandbox says that something changed.
 */
export class SandboxControl extends LitElement {
  static override properties = {
    address: { state: true },
    view: { state: true },
    connection: { state: true },
    refusal: { state: true },
    said: { state: true },
  };
  declare protected address: Address;
  declare protected view: ControlView | undefined;
  declare protected connection: 'live' | 'lost';
  declare protected refusal: string;
  declare protected said: string;

  #scenarios: Scenarios | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #turn = 0;
  #isBusy = false;

  constructor() {
    super();
    this.address = readAddress('');
    this.connection = 'live';
    this.refusal = this.said = '';
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.address = readAddress(location.search);
    addEventListener('popstate', this.#moved);
    addEventListener('pageshow', this.#moved);
    document.addEventListener('visibilitychange', this.#seen);
    document.addEventListener('keydown', this.#pressed);
    this.addEventListener('click', this.#clicked);
    void this.#load().then(() => this.#lookSoon());
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('popstate', this.#moved);
    removeEventListener('pageshow', this.#moved);
    document.removeEventListener('visibilitychange', this.#seen);
    document.removeEventListener('keydown', this.#pressed);
    this.removeEventListener('click', this.#clicked);
    clearTimeout(this.#timer);
  }

  get #language(): Language {
    const wanted = [this.address.lang, ...navigator.languages].map((tag) => tag.slice(0, 2).toLowerCase());
    return wanted.map((tag) => LANGUAGES.find((name) => name === tag)).find(Boolean) ?? 'es';
  }

  /** Reads the view of the present address. A newer read that was answered first wins. */
  async #load(): Promise<void> {
    const turn = ++this.#turn;
    try {
      this.#scenarios ??= await readScenarios();
      const view = await readView(hrefOf(this.address));
      if (turn !== this.#turn) return;
      this.view = view;
      this.connection = 'live';
    } catch {
      if (turn === this.#turn) this.connection = 'lost';
    }
    await this.updateComplete;
  }

  #lookSoon(): void {
    if (this.isConnected) this.#timer = setTimeout(() => void this.#look(), LOOK_EVERY_MS);
  }

  async #look(): Promise<void> {
    if (!document.hidden) {
      try {
        const revision = await readRevision(this.address.section);
        if (revision !== this.view?.revision) await this.#load();
        else this.connection = 'live';
      } catch {
        this.connection = 'lost';
      }
    }
    this.#lookSoon();
  }

  readonly #seen = (): void => {
    if (!document.hidden) void this.#load();
  };

  readonly #moved = (): void => {
    this.address = readAddress(location.search);
    this.refusal = '';
    void this.#load();
  };

  readonly #go = async (href: string, how?: 'quiet'): Promise<void> => {
    if (how === 'quiet') history.replaceState(null, '', href);
    else if (href !== location.search) history.pushState(null, '', href);
    this.address = readAddress(href);
    this.refusal = '';
    await this.#load();
  };

  readonly #act = async (work: () => Promise<unknown>): Promise<void> => {
    if (this.#isBusy) return;
    this.#isBusy = true;
    this.refusal = '';
    try {
      await work();
      await this.#load();
    } catch (error) {
      if (error instanceof RefusedError) this.#refuse(this.#refusalOf(error.code));
      else this.connection = 'lost';
    } finally {
      this.#isBusy = false;
    }
  };

  #refusalOf(code: string): string {
    const { refused, webhookBad } = CONTROL_WORDS[this.#language];
    if (code === 'invalid_request' && this.address.section === 'connection') return webhookBad;
    return code === 'already_final' || code === 'not_confirmed' ? refused[code] : refused.other;
  }

  readonly #refuse = (text: string): void => {
    this.refusal = text;
  };

  /** Links within the page change its address without leaving it. */
  readonly #clicked = async (event: MouseEvent): Promise<void> => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('a[href^="?"]');
    const isPlain =
      event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlain) return;
    event.preventDefault();
    const { open } = this.address;
    await this.#go(link.getAttribute('href') ?? '?');
    // On a narrow screen the panel takes the list's place, so the focus goes with it, and back.
    if (link.dataset['row'] !== undefined && this.#isListHidden()) {
      this.querySelector<HTMLElement>('#detail-title')?.focus();
      scrollTo(0, 0);
    }
    if (link.classList.contains('close'))
      this.querySelector<HTMLElement>(`[data-row="${CSS.escape(open)}"]`)?.focus();
  };

  #isListHidden(): boolean {
    return this.querySelector('.listing')?.checkVisibility() === false;
  }

  readonly #pressed = (event: KeyboardEvent): void => {
    const isTyping = (event.target as Element).closest('input, select, textarea') !== null;
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isTyping || !isPlain) return;
    const search = this.querySelector<HTMLElement>('#q');
    if (event.key === '/' && search) {
      event.preventDefault();
      search.focus();
    }
    if (event.key === 'Escape') this.querySelector<HTMLElement>('.detail .close')?.click();
  };

  readonly #announce = (text: string): void => {
    this.said = text;
  };

  readonly #switchLanguage = (): void => {
    void this.#go(hrefOf(this.address, { lang: this.#language === 'es' ? 'en' : 'es' }));
  };

  protected override updated(changed: PropertyValues): void {
    if (!changed.has('address')) return;
    const words = CONTROL_WORDS[this.#language];
    document.documentElement.lang = htmlLanguage(this.#language);
    document.title = `${words.sections[this.address.section]} · ${words.title}`;
    showCurrentSection(this);
  }

  protected override render(): TemplateResult {
    const language = this.#language;
    const words = CONTROL_WORDS[language];
    const { address, view } = this;
    const page = { words, language, announce: this.#announce };
    const counts: Readonly<Record<string, number>> = view?.counts ?? {};
    return frame({
      shell: page,
      title: words.title,
      subtitle: words.subtitle,
      home: hrefOf(readAddress(''), { lang: address.lang }),
      connection: {
        state: this.connection,
        text: this.connection === 'live' ? words.live : words.notLive,
      },
      switchLanguage: this.#switchLanguage,
      sections: SECTIONS.map((section) => ({
        href: hrefOf(address, { ...UNFILTERED, section, open: '' }),
        name: words.sections[section],
        count: counts[section] ?? 0,
        isCurrent: section === address.section,
      })),
      content:
        view === undefined || this.#scenarios === undefined
          ? html`<p class="pending" role="status">${words.loading}</p>`
          : this.#screen({
              ...page,
              address,
              view,
              scenarios: this.#scenarios,
              act: this.#act,
              refuse: this.#refuse,
              go: this.#go,
            }),
      said: this.said,
    });
  }

  #screen(shell: ControlShell): Content {
    const { words, address } = shell;
    const { section } = address;
    const lead =
      section === 'mishaps' ? words.mishapsLead : section === 'connection' ? words.connectionLead : nothing;
    return html`<div>
      ${activeMishaps(shell)}
      ${this.refusal === '' ? nothing : html`<p class="trouble" role="alert">${this.refusal}</p>`}
      ${heading(words.sections[section], lead)}
      <div class="columns ${address.open === '' ? '' : 'has-detail'}">
        <div class="listing">${sectionBody(shell)}</div>
        ${address.open === '' ? nothing : detailPanel(shell)}
      </div>
    </div>`;
  }
}

/** The last view is shown until the one of a new section is here. */
function sectionBody(shell: ControlShell): Content {
  const { section } = shell.address;
  const { list, connection } = shell.view;
  if (section === 'mishaps') return mishapsSection(shell);
  if (section === 'connection') return connection === null ? nothing : connectionSection(shell, connection);
  return list === null ? nothing : listSection(shell, section, list);
}
