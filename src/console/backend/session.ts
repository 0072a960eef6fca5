import { equalInConstantTime } from '../../contract/constant-time.js';
import { randomId, toBase64Url } from '../../server/ids.js';
import type { Store } from '../../server/stores/store.js';

/**
 * Who may use the console: holders of its secret. A session is a signed cookie that scripts cannot read, so every
 * instance knows it and a restart keeps it. The store remembers which were left, so that no instance opens one again.
 * Another secret ends all of them.
 */

const COOKIE = 'pay_checkout_console';
const LIFE_MS = 12 * 3_600_000;

export interface Session {
  /** Identifies the session; knowing it opens nothing. */
  readonly name: string;
  /** The page sends it back with every change. */
  readonly csrf: string;
  /** When it ends, in epoch milliseconds. */
  readonly endsAt: number;
}

export interface SessionOptions {
  readonly secret: string;
  /** Only over https. */
  readonly secure: boolean;
  /** The only addresses the cookie goes to. */
  readonly path: string;
  readonly store: Pick<Store, 'hit' | 'count'>;
  readonly now: () => number;
}

export class Sessions {
  readonly #options: SessionOptions;
  readonly #key: Promise<CryptoKey>;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#key = derivedKey(options.secret);
    this.#key.catch(() => undefined);
  }

  /** A new session with the cookie to set, or undefined when that is not the secret. */
  async enter(given: unknown): Promise<{ session: Session; cookie: string } | undefined> {
    if (typeof given !== 'string' || !(await equalInConstantTime(given, this.#options.secret)))
      return undefined;
    const [name, endsAt] = [randomId(), this.#options.now() + LIFE_MS];
    const content = `${name}.${endsAt}`;
    const value = `${content}.${await this.#sign(`session ${content}`)}`;
    return { session: await this.#session(name, endsAt), cookie: this.#cookie(value, LIFE_MS / 1_000) };
  }

  /** The session of a request; undefined when it has none that is still open. */
  async find(request: Request): Promise<Session | undefined> {
    const cookies = request.headers.get('cookie') ?? '';
    const given = cookies.split(/;\s?/).find((each) => each.startsWith(`${COOKIE}=`));
    const [, name = '', until = '', signature = ''] =
      /^\w+=([\w-]{1,64})\.(\d{1,15})\.([\w-]{1,64})$/.exec(given ?? '') ?? [];
    const endsAt = Number(until);
    if (name === '' || endsAt <= this.#options.now()) return undefined;
    const expected = await this.#sign(`session ${name}.${until}`);
    if (!(await equalInConstantTime(signature, expected))) return undefined;
    // Counted in the window that the session ends in, so that it is the same one whenever it is asked for.
    const isLeft = (await this.#options.store.count(leftBucket(name), LIFE_MS, endsAt)) > 0;
    return isLeft ? undefined : this.#session(name, endsAt);
  }

  /** Ends it for ever; returns the cookie that makes the browser forget it. */
  async leave({ name, endsAt }: Session): Promise<string> {
    await this.#options.store.hit(leftBucket(name), LIFE_MS, endsAt);
    return this.#cookie('', 0);
  }

  async #session(name: string, endsAt: number): Promise<Session> {
    return { name, csrf: await this.#sign(`csrf ${name}`), endsAt };
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

function leftBucket(name: string): string {
  return `console left ${name}`;
}

const DERIVATIONS = 6;
/** Edge workers refuse more in one call. */
const ITERATIONS = 100_000;

/**
 * The key that signs, made costly so that a thief of a cookie cannot try secrets against it quickly. PBKDF2 and not
 * scrypt, because Web Crypto has no other and this part runs where there is no Node.
 */
async function derivedKey(secret: string): Promise<CryptoKey> {
  const salt = new TextEncoder().encode('pay-checkout console');
  let bytes = new TextEncoder().encode(secret);
  for (let round = 0; round < DERIVATIONS; round++) {
    const key = await crypto.subtle.importKey('raw', bytes, 'PBKDF2', false, ['deriveBits']);
    const algorithm = { name: 'PBKDF2', hash: 'SHA-256', salt, iterations: ITERATIONS };
    bytes = new Uint8Array(await crypto.subtle.deriveBits(algorithm, key, 256));
  }
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
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
