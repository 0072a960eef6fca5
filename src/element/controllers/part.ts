import type { Host } from '../host.js';

/** A connection that hangs is as good as none: after this long the payer is offered another way. */
const PATIENCE_MS = 20_000;

/**
 * A part of the widget that is not in the first download. Chromium up to at least 150 remembers a failed `import()`
 * for the life of the page, so there asking again cannot help and only a reload does; other browsers ask anew.
 */
export class Part<Module> {
  /** What was fetched; null until it is here. */
  module: Module | null = null;
  /** It could not be fetched, and nothing is on its way. */
  failed = false;
  readonly #host: Host;
  readonly #fetch: () => Promise<Module>;
  #loading: Promise<Module> | null = null;

  constructor(host: Host, fetch: () => Promise<Module>) {
    this.#host = host;
    this.#fetch = fetch;
  }

  /** Fetches it unless it is here or on its way. The element is drawn again with whatever comes of it. */
  load(): Promise<Module> {
    this.#loading ??= this.#load().catch((reason: unknown) => {
      this.#loading = null;
      this.failed = true;
      this.#host.requestUpdate();
      throw reason;
    });
    return this.#loading;
  }

  async #load(): Promise<Module> {
    this.failed = false;
    this.#host.requestUpdate();
    const fetched = this.#fetch().then((module) => {
      // Also when it comes after all, too late for those who waited.
      this.module = module;
      this.failed = false;
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
}
