/**
 * `Request` and `Response` with nothing but what goes between a page, the kit and the service's events: no streams, no
 * copies of signals. The platform's own cost more than everything else that is simulated.
 */
type HeaderInit = Readonly<Record<string, string>> | LightHeaders;

class LightHeaders {
  readonly #values = new Map<string, string>();

  constructor(init: HeaderInit = {}) {
    if (init instanceof LightHeaders) for (const [name, value] of init.#values) this.#values.set(name, value);
    else
      for (const name in init)
        this.#values.set(name.toLowerCase(), (init as Record<string, string>)[name] ?? '');
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
}

const encoder = new TextEncoder();
const NEVER_ABORTED = new AbortController().signal;

interface RequestOptions {
  readonly method?: string;
  readonly headers?: HeaderInit;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

class LightRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: LightHeaders;
  readonly signal: AbortSignal;
  readonly #text: string;

  constructor(
    url: string,
    { method = 'GET', headers, body = '', signal = NEVER_ABORTED }: RequestOptions = {},
  ) {
    this.url = url;
    this.method = method;
    this.headers = new LightHeaders(headers);
    this.signal = signal;
    this.#text = body;
  }

  async arrayBuffer(): Promise<ArrayBufferLike> {
    return encoder.encode(this.#text).buffer;
  }

  clone(): LightRequest {
    const { method, headers, signal } = this;
    return new LightRequest(this.url, { method, headers, signal, body: this.#text });
  }
}

class LightResponse {
  readonly status: number;
  readonly headers: LightHeaders;
  readonly body = { cancel: () => Promise.resolve() };
  readonly #text: string;

  constructor(
    text: string | null,
    { status = 200, headers }: { status?: number; headers?: HeaderInit } = {},
  ) {
    this.status = status;
    this.headers = new LightHeaders(headers);
    this.#text = text ?? '';
  }

  get ok(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  async text(): Promise<string> {
    return this.#text;
  }
}

export function lightenHttp(): void {
  Object.assign(globalThis, { Request: LightRequest, Response: LightResponse });
}
