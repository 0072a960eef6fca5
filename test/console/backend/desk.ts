import type { SessionView } from '../../../src/contract/merchant/console.js';
import { type ConsoleOptions, createConsole } from '../../../src/console.js';
import { openWorld, SHOP, type World, type WorldOptions } from '../../server/world.js';
import './shared-keys.js';

/** The console’s backend, asked as its page asks. */

let world: World | undefined;

/** To be called after each test. */
export async function close(): Promise<void> {
  await world?.close();
  world = undefined;
}

export const SECRET = 'a secret that only the merchant knows';

export const BASE = '/console';

export async function open(options?: WorldOptions, secure = true, more: Partial<ConsoleOptions> = {}) {
  const opened = (world = await openWorld(options));
  const [checkout] = opened.checkouts;
  if (checkout === undefined) throw new Error('A world has a checkout');
  const make = () =>
    createConsole({
      checkout,
      store: opened.store,
      secret: SECRET,
      name: 'Café Andino',
      basePath: BASE,
      secure,
      service: opened.service,
      clock: opened.clock,
      ...more,
    });
  let desk = make();
  const ask = (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
    init: RequestInit = {},
    env?: unknown,
  ) =>
    desk.fetch(
      new Request(`${SHOP}${BASE}/api${path}`, {
        ...init,
        method,
        headers: {
          host: 'shop.test',
          ...(method === 'GET' ? {} : { origin: SHOP, 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
      env,
    );
  const entered = await ask('POST', '/session', { token: SECRET });
  const session = (await entered.json()) as SessionView;
  const setCookie = entered.headers.get('set-cookie') ?? '';
  const headers = { cookie: setCookie.split(';')[0] ?? '', 'x-console-csrf': session.csrf };
  return {
    ...opened,
    checkout,
    ask,
    session,
    setCookie,
    headers,
    restart: () => (desk = make()),
    get: async <Answer>(path: string) =>
      (await (await ask('GET', path, undefined, headers)).json()) as Answer,
    post: (path: string, body: object) => ask('POST', path, body, headers),
  };
}
