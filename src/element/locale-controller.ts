import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { es } from '../locales/es.js';
import type { Messages } from '../locales/messages.js';

export interface LocaleHost extends ReactiveControllerHost, HTMLElement {
  readonly locale: string | null;
  readonly messages: Partial<Messages> | null;
}

/** Languages other than the first, fetched when a page asks for them. */
const LOADERS: Readonly<Record<string, () => Promise<Messages>>> = {
  en: () => import('../locales/en.js').then((module) => module.en),
};

/** Spanish grows with the parts of the widget: what is drawn has brought its words along. */
let spanish: Messages = es as Partial<Messages> as Messages;
const loaded = new Map<string, Messages>();

export function learnSpanish(words: Partial<Messages>): void {
  spanish = { ...spanish, ...words };
}

/**
 * The words in use: by the `locale` attribute, else by the nearest `lang` around the element, live. Until another
 * language has arrived, or when it cannot be fetched, Spanish stands in: a payer is never without words.
 */
export class LocaleController implements ReactiveController {
  readonly #host: LocaleHost;
  #observer: MutationObserver | undefined;
  #cached: { base: Messages; changes: Partial<Messages> | null; merged: Messages } | undefined;

  constructor(host: LocaleHost) {
    this.#host = host;
    host.addController(this);
  }

  get messages(): Messages {
    const base = loaded.get(this.#language()) ?? spanish;
    const changes = this.#host.messages;
    if (this.#cached?.base !== base || this.#cached.changes !== changes) {
      this.#cached = { base, changes, merged: { ...base, ...changes } };
    }
    return this.#cached.merged;
  }

  hostConnected(): void {
    // Put elsewhere, the nearest language may be another.
    this.#host.requestUpdate();
    this.#observer = new MutationObserver(() => this.#host.requestUpdate());
    for (const root of rootsAround(this.#host)) {
      this.#observer.observe(root, { subtree: true, attributeFilter: ['lang'] });
    }
  }

  hostDisconnected(): void {
    this.#observer?.disconnect();
  }

  hostUpdate(): void {
    const language = this.#language();
    const load = LOADERS[language];
    if (!load || loaded.has(language)) return;
    void load().then(
      (messages) => {
        loaded.set(language, messages);
        this.#host.requestUpdate();
      },
      () => undefined,
    );
  }

  #language(): string {
    const tag = (this.#host.locale ?? nearestLanguage(this.#host)).toLowerCase();
    const language = tag.split(/[-_]/, 1)[0] ?? '';
    return Object.hasOwn(LOADERS, language) ? language : 'es';
  }
}

/** The document and every shadow root between it and the element. */
function* rootsAround(element: Element): Generator<Node> {
  for (let root = element.getRootNode(); ; root = root.host.getRootNode()) {
    yield root;
    if (!(root instanceof ShadowRoot)) return;
  }
}

function nearestLanguage(element: Element): string {
  for (let from: Element | null = element; from;) {
    const found = from.closest('[lang]');
    if (found) return found.getAttribute('lang') ?? '';
    const root = from.getRootNode();
    from = root instanceof ShadowRoot ? root.host : null;
  }
  return '';
}
