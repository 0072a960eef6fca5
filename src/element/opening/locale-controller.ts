import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { esOpening } from '../../locales/es/opening.js';
import type { Messages, OpeningMessages } from '../../locales/messages.js';

export interface LocaleHost extends ReactiveControllerHost, HTMLElement {
  readonly locale: string | null;
  readonly messages: Partial<Messages> | null;
}

/** Languages other than the first, fetched when a page asks for them. */
const LOADERS: ReadonlyMap<string, () => Promise<Messages>> = new Map([
  ['en', () => import('../../locales/en.js').then((module) => module.en)],
]);

const loaded = new Map<string, Messages>();

/**
 * The words in use: by the `locale` attribute, else by the nearest `lang` around the element, live. Until another
 * language has arrived, or when it cannot be fetched, Spanish stands in: a payer is never without words.
 */
export class LocaleController implements ReactiveController {
  readonly #host: LocaleHost;
  /** Asked for once: a language that did not arrive is not asked for at every render. */
  readonly #asked = new Set<string>();
  readonly #missing = new Set<string>();
  #observer: MutationObserver | undefined;

  constructor(host: LocaleHost) {
    this.#host = host;
    host.addController(this);
  }

  get messages(): OpeningMessages {
    const { messages } = this.#host;
    // A screen reader says nothing of loading in a language that is about to be replaced.
    const standIn = this.arriving ? { ...esOpening, loading: '' } : esOpening;
    return { ...(loaded.get(this.#language()) ?? standIn), ...messages };
  }

  /** Whether the page's language is still on its way. */
  get arriving(): boolean {
    const language = this.#language();
    return LOADERS.has(language) && !loaded.has(language) && !this.#missing.has(language);
  }

  hostConnected(): void {
    // Put elsewhere, the nearest language may be another.
    this.#host.requestUpdate();
    this.#observer = new MutationObserver(() => this.#host.requestUpdate());
    for (const element of hostsOf(this.#host)) {
      this.#observer.observe(element.getRootNode(), { subtree: true, attributeFilter: ['lang'] });
    }
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  hostUpdate(): void {
    const language = this.#language();
    const load = LOADERS.get(language);
    if (!load || loaded.has(language) || this.#asked.has(language)) return;
    this.#asked.add(language);
    load().then(
      (messages) => {
        loaded.set(language, messages);
        this.#host.requestUpdate();
      },
      () => {
        this.#missing.add(language);
        this.#host.requestUpdate();
      },
    );
  }

  #language(): string {
    const tag = (this.#host.locale ?? nearestLanguage(this.#host)).toLowerCase();
    return tag.split(/[-_]/, 1)[0] ?? tag;
  }
}

/** The element, and every element in whose shadow it stands. */
function hostsOf(element: Element): Element[] {
  const root = element.getRootNode();
  return [element, ...(root instanceof ShadowRoot ? hostsOf(root.host) : [])];
}

function nearestLanguage(element: Element): string {
  const [nearest] = hostsOf(element).flatMap((host) => host.closest('[lang]') ?? []);
  return nearest?.getAttribute('lang') ?? '';
}
