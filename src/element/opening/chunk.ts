import type { CSSResult } from 'lit';
import type { LazyChunk, Host } from '../host.js';

/** A connection that hangs is as good as none: after this long the payer is offered another way. */
const PATIENCE_MS = 20_000;

/** A file of the widget could not be fetched. */
export class ChunkError extends Error {}

/** A file of the widget that is not in the first download, with its styles where it has any. */
export class Chunk<Module extends object> implements LazyChunk {
  /** What was fetched; null until it is here. */
  module: Module | null = null;
  readonly #host: Host;
  readonly #fetch: () => Promise<Module>;
  #loading: Promise<Module> | null = null;
  /** Where the file lies, once fetching it has failed. */
  #address: string | null = null;
  #failures = 0;

  constructor(host: Host, fetch: () => Promise<Module>) {
    this.#host = host;
    this.#fetch = fetch;
  }

  /** Fetches it unless it is here or on its way. The element is drawn again when it comes. */
  load(): Promise<Module> {
    this.#loading ??= this.#load().catch((reason: unknown) => {
      this.#loading = null;
      this.#failures++;
      this.#address ??= /https?:\/\/\S+/.exec(String(reason))?.[0] ?? null;
      // A connection that is only slow fails by our own error, and is not asked for more.
      if (this.#address === null && reason instanceof TypeError) forgetPreloads();
      throw new ChunkError(String(reason));
    });
    return this.#loading;
  }

  async #load(): Promise<Module> {
    const fetched = this.#ask().then((module) => {
      // Also when it comes after all, too late for those who waited.
      this.module = module;
      if ('styles' in module) adopt(this.#host.renderRoot, module.styles as CSSResult);
      this.#host.requestUpdate();
      return module;
    });
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error('A part of the widget does not arrive')), PATIENCE_MS);
    });
    try {
      return await Promise.race([fetched, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Chromium up to at least 150 remembers a failed `import()` for the life of the page. Its error names the address;
   * with a query it is another one, and asked for. WebKit, whose errors name none, asks again by itself.
   */
  #ask(): Promise<Module> {
    if (this.#address === null) return this.#fetch();
    const address = new URL(this.#address);
    address.searchParams.set('again', String(this.#failures));
    return import(/* @vite-ignore */ /* webpackIgnore: true */ address.href) as Promise<Module>;
  }
}

/**
 * WebKit answers `import()` with a failed `modulepreload`, which bundlers write, even after a reload; it forgets the
 * failure when the file is fetched by other means.
 */
function forgetPreloads(): void {
  for (const { href } of document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]'))
    fetch(href).catch(() => undefined);
}

function adopt(root: ShadowRoot, { styleSheet }: CSSResult): void {
  const { adoptedStyleSheets } = root;
  if (styleSheet && !adoptedStyleSheets.includes(styleSheet)) adoptedStyleSheets.push(styleSheet);
}
