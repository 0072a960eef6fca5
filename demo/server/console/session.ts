import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import { ConsoleError } from './http.js';
import type { ShopDatabase } from '../database.js';

/**
 * Who may use the console: holders of the token that `npm start` prints. A session is a cookie that scripts
 * cannot read; the database has only its digest, so that sessions survive a restart and a stolen file opens none.
 */

const COOKIE = 'cafe_andino_console';
const PATH = '/api/console';
const LIFE_MS = 12 * 3_600_000;

export const SESSION_TABLES = [
  'create table if not exists console_sessions (digest text primary key, expires_at text not null)',
];

export interface Session {
  /** A digest of the secret, which names the session and opens nothing. */
  readonly name: string;
  readonly csrf: string;
}

export interface SessionOptions {
  readonly token: string;
  readonly secure: boolean;
  readonly now: () => number;
}

export function openSessions(database: ShopDatabase, { token, secure, now }: SessionOptions) {
  const ofSecret = (secret: string): Session => ({
    name: digest(`session ${secret}`),
    csrf: digest(`csrf ${secret}`),
  });

  return {
    async enter(context: Context, given: unknown): Promise<Session> {
      if (typeof given !== 'string' || !same(given, token)) throw new ConsoleError('wrong_token');
      const secret = randomBytes(32).toString('base64url');
      const session = ofSecret(secret);
      await database.run('delete from console_sessions where expires_at < $1', iso(now()));
      await database.run(
        'insert into console_sessions (digest, expires_at) values ($1, $2)',
        session.name,
        iso(now() + LIFE_MS),
      );
      setCookie(context, COOKIE, secret, {
        path: PATH,
        httpOnly: true,
        sameSite: 'Strict',
        secure,
        maxAge: LIFE_MS / 1_000,
      });
      return session;
    },

    /** The session of a request, or a refusal. */
    async require(context: Context): Promise<Session> {
      const secret = getCookie(context, COOKIE);
      if (secret === undefined || secret.length > 64) throw new ConsoleError('unauthenticated');
      const session = ofSecret(secret);
      const found = await database.all(
        'select digest from console_sessions where digest = $1 and expires_at > $2',
        session.name,
        iso(now()),
      );
      if (found.length === 0) throw new ConsoleError('unauthenticated');
      return session;
    },

    async leave(context: Context, session: Session): Promise<void> {
      await database.run('delete from console_sessions where digest = $1', session.name);
      deleteCookie(context, COOKIE, { path: PATH, secure });
    },
  };
}

/** Pages of other sites and ports may neither read nor subscribe. */
export function requireOwnReader(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none') throw new ConsoleError('forbidden');
}

/**
 * Another port of this machine counts as the same site for cookies, so the cookie alone proves nothing. A change must
 * come from a page of this very host, as JSON, with the CSRF token that only such a page can read.
 */
export function requireOwnPage(request: Request): void {
  const origin = request.headers.get('origin');
  const site = request.headers.get('sec-fetch-site');
  const own =
    origin === null
      ? site === null || site === 'same-origin'
      : URL.canParse(origin) && new URL(origin).host === request.headers.get('host');
  const json = /^application\/json\s*(?:;|$)/i.test(request.headers.get('content-type') ?? '');
  if (!own || !json) throw new ConsoleError('forbidden');
}

export function requireCsrf(request: Request, session: Session): void {
  if (!same(request.headers.get('x-console-csrf') ?? '', session.csrf)) throw new ConsoleError('forbidden');
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function same(left: string, right: string): boolean {
  return timingSafeEqual(Buffer.from(digest(left)), Buffer.from(digest(right)));
}

const iso = (atMs: number) => new Date(atMs).toISOString();
