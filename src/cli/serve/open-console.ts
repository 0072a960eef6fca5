import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Hono } from 'hono';
import { type Console, createConsole } from '../../console/backend/create-console.js';
import { pageFiles, pageFolder } from '../../node/page-files.js';
import type { Checkout } from '../../server/checkout.js';
import { CommandError } from '../command.js';
import { logToStderr, type OpenCheckout } from './checkout.js';

/**
 * The merchant's console beside the checkout. It is not under `basePath`, so that a proxy that forwards only the
 * checkout does not show it to the world.
 */

const BASE_PATH = '/console';

export function consoleBeside(
  app: Hono,
  opened: Pick<OpenCheckout, 'checkout' | 'config' | 'secrets' | 'service' | 'database'>,
  host: string,
  folder: string = pageFolder('console'),
): Pick<Console, 'changed' | 'close'> {
  if (opened.secrets.console === undefined)
    throw new CommandError(
      'The console needs consoleSecret in the config file: 32 characters or more, for example from: openssl rand -base64 32',
    );
  if (!existsSync(join(folder, 'assets')))
    throw new CommandError(`The console's page is not in ${folder}: run npm run build first.`);
  const present = presentConsole(opened, host, folder);
  for (const path of [BASE_PATH, `${BASE_PATH}/*`])
    app.all(path, (context) => present().fetch(context.req.raw, context.env));
  return { changed: () => present().changed(), close: () => present().close() };
}

/** The console of the present checkout: another takes its place when secrets change. */
function presentConsole(
  opened: Parameters<typeof consoleBeside>[1],
  host: string,
  folder: string,
): () => Console {
  let made: { readonly of: Checkout; readonly console: Console } | undefined;
  return () => {
    const { checkout, secrets, config, service, database } = opened;
    const { merchant, publicUrl = '', trustedProxies, clientAddress } = config.kit;
    if (made?.of === checkout) return made.console;
    made?.console.close();
    const console = createConsole({
      checkout,
      service,
      store: database.store,
      secret: secrets.console ?? '',
      name: merchant.name,
      basePath: BASE_PATH,
      ...(publicUrl !== '' && { siteUrl: new URL(publicUrl).origin }),
      ...(config.own.sandboxUrl !== undefined && { sandboxUrl: config.own.sandboxUrl }),
      page: pageFiles('console', folder),
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

/** Without https in front there is none on the way: only a browser on the same machine may come then. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}
