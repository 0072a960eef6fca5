import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Hono } from 'hono';
import type { Checkout } from '../../server/checkout.js';
import { type Console, createConsole } from '../../server/console/console.js';
import { CommandError } from '../command.js';
import { logToStderr, type OpenCheckout } from './checkout.js';

/**
 * The merchant's console beside the checkout: its page and its backend. It is not under `basePath`, so that a proxy
 * that forwards only the checkout does not show it to the world.
 */

/** Built beside the package's modules. A bundler would take `new URL` with this folder for a file to copy. */
const PAGE = join(dirname(fileURLToPath(import.meta.url)), '../../console');

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
};

const HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
  ].join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
};

export function consoleBeside(
  app: Hono,
  opened: Pick<OpenCheckout, 'checkout' | 'config' | 'secrets' | 'database'>,
  host: string,
  page: string = PAGE,
): void {
  if (opened.secrets.console === undefined)
    throw new CommandError(
      'The console needs consoleSecret in the config file: 32 characters or more, for example from: openssl rand -base64 32',
    );
  if (!existsSync(join(page, 'assets')))
    throw new CommandError(`The console's page is not in ${page}: run npm run build first.`);
  const present = presentConsole(opened, host);
  app.get('/console', (context) => context.redirect('/console/'));
  app.all('/console/api/*', (context) => present().fetch(context.req.raw, context.env));
  app.get('/console/', () => file(page, 'index.html', 'no-store'));
  app.get('/console/assets/:name{[\\w.-]+}', (context) =>
    // The name of a built file changes with its content.
    file(page, join('assets', context.req.param('name')), 'public, max-age=31536000, immutable'),
  );
}

/** The console of the present checkout: another takes its place when secrets change. */
function presentConsole(opened: Parameters<typeof consoleBeside>[1], host: string): () => Console {
  let made: { readonly of: Checkout; readonly console: Console } | undefined;
  return () => {
    const { checkout, secrets, config, database } = opened;
    const { merchant, publicUrl = '', trustedProxies, clientAddress } = config.kit;
    if (made?.of === checkout) return made.console;
    const console = createConsole({
      checkout,
      store: database.store,
      secret: secrets.console ?? '',
      name: merchant.name,
      basePath: '/console/api',
      secure: publicUrl.startsWith('https:') || !isLoopback(host),
      ...(trustedProxies !== undefined && { trustedProxies }),
      ...(clientAddress !== undefined && { clientAddress }),
      log: (message, event) =>
        logToStderr({ level: event === 'console_failed' ? 'error' : 'warn', event, message }),
    });
    made = { of: checkout, console };
    return console;
  };
}

async function file(folder: string, name: string, caching: string): Promise<Response> {
  const body = await readFile(join(folder, name)).catch(() => undefined);
  if (body === undefined) return new Response(null, { status: 404 });
  return new Response(new Uint8Array(body), {
    headers: {
      ...HEADERS,
      'content-type': TYPES[extname(name)] ?? 'application/octet-stream',
      'cache-control': caching,
    },
  });
}

/** Without https in front there is none on the way: only a browser on the same machine may come then. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
