import { equalInConstantTime } from '../../contract/constant-time.js';
import { randomId, toBase64Url } from '../ids.js';

/**
 * Who may use the console: holders of its secret. A session is a signed cookie that scripts cannot read, so every
 * instance knows it and a restart keeps it; one that was left is refused by the process that was asked to end it, and
 * forgotten by its browser. Another secret ends all of them.
 */

const COOKIE = 'pay_checkout_console';
const LIFE_MS = 12 * 3_600_000;

export interface Session {
  /** Names the session and opens nothing. */
  readonly name: string;
  /** Goes back with every change. */
  readonly csrf: string;
}

export interface SessionOptions {
  readonly secret: string;
  /** Only over https. */
  readonly secure: boolean;
  /** The only addresses the cookie goes to. */
  readonly path: string;
  readonly now: () => number;
}

export class Sessions {
  readonly #options: SessionOptions;
  readonly #key: Promise<CryptoKey>;
  /** Sessions that were left, until they would have ended. */
  readonly #left = new Map<string, number>();

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#key = crypto.subtle.importKey(
      'raw',
      new TextEncoder().encode(options.secret),
      { name: 'HMAC', hash: 'SHA-256' },
      false,
      ['sign'],
    );
    this.#key.catch(() => undefined);
  }

  /** A new session with the cookie to set, or undefined when that is not the secret. */
  async enter(given: unknown): Promise<{ session: Session; cookie: string } | undefined> {
    if (typeof given !== 'string' || !(await equalInConstantTime(given, this.#options.secret)))
      return undefined;
    const name = randomId();
    const content = `${name}.${this.#options.now() + LIFE_MS}`;
    const value = `${content}.${await this.#sign(`session ${content}`)}`;
    return { session: await this.#session(name), cookie: this.#cookie(value, LIFE_MS / 1_000) };
  }

  /** The session of a request; undefined when it has none that is still open. */
  async find(request: Request): Promise<Session | undefined> {
    const cookies = request.headers.get('cookie') ?? '';
    const given = cookies.split(/;\s?/).find((each) => each.startsWith(`${COOKIE}=`));
    const [, name = '', until = '', signature = ''] =
      /^\w+=([\w-]{1,64})\.(\d{1,15})\.([\w-]{1,64})$/.exec(given ?? '') ?? [];
    const now = this.#options.now();
    if (name === '' || Number(until) <= now || (this.#left.get(name) ?? 0) > now) return undefined;
    const expected = await this.#sign(`session ${name}.${until}`);
    return (await equalInConstantTime(signature, expected)) ? this.#session(name) : undefined;
  }

  /** Ends it; returns the cookie that makes the browser forget it. */
  leave({ name }: Session): string {
    const now = this.#options.now();
    for (const [each, until] of this.#left) if (until <= now) this.#left.delete(each);
    this.#left.set(name, now + LIFE_MS);
    return this.#cookie('', 0);
  }

  async #session(name: string): Promise<Session> {
    return { name, csrf: await this.#sign(`csrf ${name}`) };
  }

  async #sign(text: string): Promise<string> {
    const bytes = new TextEncoder().encode(`pay-checkout console ${text}`);
    return toBase64Url(new Uint8Array(await crypto.subtle.sign('HMAC', await this.#key, bytes)));
  }

  #cookie(value: string, seconds: number): string {
    const { path, secure } = this.#options;
    return `${COOKIE}=${value}; Max-Age=${seconds}; Path=${path}; HttpOnly; SameSite=Strict${secure ? '; Secure' : ''}`;
  }
}

/** Pages of other sites and ports may neither read nor subscribe. */
export function isOwnReader(request: Request): boolean {
  const site = request.headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

/**
 * Another port of this machine counts as the same site for cookies, so the cookie alone proves nothing. A change must
 * come from a page of this very host, as JSON; the CSRF token is compared beside it.
 */
export function isOwnPage(request: Request): boolean {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const isOwn =
    origin === null
      ? site === null || site === 'same-origin'
      : URL.canParse(origin) && new URL(origin).host === request.headers.get('host');
  return isOwn && /^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '');
}
