import type { ReactiveController } from 'lit';
import type { Messages } from '../locales/messages.js';
import { createMemory } from '../transport/memory.js';
import { sheetOf } from './css.js';
import { learnSpanish } from './controllers/locale-controller.js';
import type { ViewHost } from './host.js';

interface Chunk {
  readonly styles: string;
  readonly words: Partial<Messages>;
}

/** Each is a chunk of its own: what is drawn, with the styles and words it needs, and what works behind it. */
const chunks = {
  attempts: () => import('./attempts.js'),
  modal: () => import('./views/modal.js'),
  breb: () => import('./views/breb.js'),
  phone: () => import('./views/phone.js'),
  link: () => import('./views/link.js'),
  pse: () => import('./pse.js'),
} satisfies Record<string, () => Promise<Chunk>>;

/** `attempts` and one rail in one file, for who has neither: compressed together they are smaller than apart. */
const payments = {
  breb: () => import('./breb-payment.js'),
  pse: () => import('./pse-payment.js'),
};
const RAILS = ['breb', 'pse'] as const;

export type ViewName = keyof typeof chunks;
type Loaded<Name extends ViewName> = Awaited<ReturnType<(typeof chunks)[Name]>>;

const FIRST_RETRY_MS = 1_000;
const LONGEST_RETRY_MS = 15_000;

/**
 * The views that are not in the first download, and what views keep for one element (a half-filled form, a drawn
 * picture). Chunks are asked for after a render, never during one, and asked for again when the network fails.
 */
export class LazyViews implements ReactiveController {
  readonly #host: ViewHost;
  readonly #loaded: { [Name in ViewName]?: Loaded<Name> } = {};
  readonly #loading = new Map<ViewName, Promise<void>>();
  readonly #wanted = new Set<ViewName>();
  /** Some are controllers. */
  readonly #kept = new Map<unknown, ReactiveController>();
  /** Which payment's file the tab has asked for: to a payer who comes back from a bank it costs nothing again. */
  readonly #whole = createMemory(
    // No order has this name.
    '',
    (kept) => RAILS.find((rail) => rail === kept) ?? null,
    () => sessionStorage,
  );
  #retryMs = FIRST_RETRY_MS;
  #retryTimer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ViewHost) {
    this.#host = host;
    host.addController(this);
  }

  /** The view, or undefined while it is on its way: the element renders again when it is there. */
  get<Name extends ViewName>(name: Name): Loaded<Name> | undefined {
    this.want(name);
    return this.#loaded[name];
  }

  /** Fetches in the background what the payer will see next. */
  want(...names: ViewName[]): void {
    for (const name of names) if (!this.#loaded[name]) this.#wanted.add(name);
  }

  /** Resolves when all are here; rejects when one cannot be fetched now. */
  async ready(names: readonly ViewName[]): Promise<void> {
    if (names.includes('attempts') && !this.#loading.has('attempts')) {
      const rail = this.#whole.recall() ?? RAILS.find((each) => names.includes(each));
      if (rail && !this.#loading.has(rail)) {
        this.#whole.remember(rail);
        void this.#load(['attempts', rail], payments[rail]);
      }
    }
    await Promise.all(names.map((name) => this.#loading.get(name) ?? this.#load([name], chunks[name])));
  }

  /** Draws again what a view keeps. */
  redraw(): void {
    this.#host.requestUpdate();
  }

  announce(text: string): void {
    this.#host.announce(text);
  }

  /** The one instance of a helper for this element, made when first asked for. */
  keep<Kept extends object>(Type: new (host: ViewHost) => Kept): Kept {
    let kept = this.#kept.get(Type);
    if (!kept) this.#kept.set(Type, (kept = new Type(this.#host)));
    return kept as Kept;
  }

  /** Another order, another payer: nothing typed is carried over. */
  forget(): void {
    for (const kept of this.#kept.values()) {
      kept.hostDisconnected?.();
      this.#host.removeController(kept);
    }
    this.#kept.clear();
  }

  hostConnected(): void {
    if (this.#wanted.size > 0) this.#host.requestUpdate();
  }

  hostUpdated(): void {
    if (this.#retryTimer !== undefined || this.#wanted.size === 0) return;
    const names = [...this.#wanted];
    this.#wanted.clear();
    this.ready(names).then(
      () => (this.#retryMs = FIRST_RETRY_MS),
      () => {
        this.want(...names);
        // Removed meanwhile: asked for again when it is put back.
        if (!this.#host.renderRoot.isConnected) return;
        this.#retryTimer = setTimeout(() => {
          this.#retryTimer = undefined;
          this.hostUpdated();
        }, this.#retryMs);
        this.#retryMs = Math.min(this.#retryMs * 2, LONGEST_RETRY_MS);
      },
    );
  }

  hostDisconnected(): void {
    clearTimeout(this.#retryTimer);
    this.#retryTimer = undefined;
  }

  #load(names: readonly ViewName[], fetch: () => Promise<Chunk>): Promise<void> {
    const loading = fetch().then(
      (module) => {
        this.#host.renderRoot.adoptedStyleSheets.push(sheetOf(module.styles));
        learnSpanish(module.words);
        for (const name of names) this.#loaded[name] = module as never;
        this.#host.requestUpdate();
      },
      (reason: unknown) => {
        for (const name of names) this.#loading.delete(name);
        throw reason;
      },
    );
    for (const name of names) this.#loading.set(name, loading);
    return loading;
  }
}
