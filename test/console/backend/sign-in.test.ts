import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import type { SessionView } from '../../../src/contract/merchant/console.js';
import { createConsole } from '../../../src/console.js';
import './shared-keys.js';
import { close, SECRET, BASE, open } from './desk.js';

afterEach(close);

const from = (remoteAddress: string) => ({ incoming: { socket: { remoteAddress } } });

test('the console lets in who has the secret, by a cookie for itself alone, and refuses all others', async () => {
  const { ask, headers, setCookie, restart } = await open();
  assert.match(setCookie, /HttpOnly; SameSite=Strict; Secure$/);
  assert.match(setCookie, /Path=\/console\/api;/);
  for (const token of ['', 'guess', SECRET.slice(1), null, 7])
    assert.equal((await ask('POST', '/session', { token })).status, 401);
  const paths = [
    '/session',
    '/overview',
    '/overview/7',
    '/review',
    '/orders/x',
    '/attempts',
    '/attempts.csv',
  ];
  for (const path of [...paths, '/nothing']) {
    const answer = await ask('GET', path);
    assert.equal(answer.status, 401, path);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    const foreign = await ask('GET', path, undefined, { ...headers, 'sec-fetch-site': 'same-site' });
    assert.equal(foreign.status, 403, path);
  }
  for (const path of ['/orders/x/handled', '/orders/x/reopen', '/orders/x/repeat', '/reconcile']) {
    for (const forged of [
      { 'x-console-csrf': 'guess' },
      { origin: 'https://elsewhere.test' },
      { 'content-type': 'text/plain' },
    ])
      assert.equal((await ask('POST', path, {}, { ...headers, ...forged })).status, 403, path);
  }
  const status = async (cookie = headers.cookie) =>
    (await ask('GET', '/session', undefined, { cookie })).status;
  const [name = '', until = '', signature = ''] = headers.cookie.split(/[.=]/).slice(1);
  assert.equal(await status(`pay_checkout_console=${name}.${Number(until) + 1}.${signature}`), 401);
  restart();
  assert.equal(await status(), 200, 'a restart ends no session');
  assert.equal((await ask('DELETE', '/session', {}, headers)).status, 204);
  assert.equal(await status(), 401, 'what was left stays left');
  restart();
  assert.equal(await status(), 401, 'also after a restart');
});

/** Tries to sign in, all at once; what came of each try, with how many had it. */
async function guess(
  { ask }: Awaited<ReturnType<typeof open>>,
  tries: number,
  token: string,
  peer: (index: number) => unknown,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  await Promise.all(
    Array.from({ length: tries }, async (_, index) => {
      const answer = await ask('POST', '/session', { token }, {}, {}, peer(index));
      outcomes[answer.status] = (outcomes[answer.status] ?? 0) + 1;
    }),
  );
  return outcomes;
}

test('who guesses is refused after twenty tries a minute and sixty an hour, and the log says so', async () => {
  const said: string[] = [];
  const desk = await open({}, true, { log: (message, event) => said.push(`${event}: ${message}`) });
  const attacker = () => from('203.0.113.9');
  assert.deepEqual(await guess(desk, 100, 'guess', attacker), { 401: 20, 429: 80 });
  assert.equal(said.filter((line) => /sign_in_refused: .*wrong secret/.test(line)).length, 20);
  assert.equal(said.filter((line) => /sign_in_refused: Too many/.test(line)).length, 1);
  assert.ok(!said.join().includes('203.0.113.9'));
  assert.deepEqual(await guess(desk, 1, SECRET, attacker), { 429: 1 }, 'the right one is not looked at');
  assert.deepEqual(
    await guess(desk, 1, SECRET, () => from('198.51.100.4')),
    { 200: 1 },
    'nor are others stopped',
  );
  let looked = 20;
  for (let minute = 1; minute < 10; minute++) {
    await desk.clock.advance(60_000);
    looked += (await guess(desk, 30, 'guess', attacker))[401] ?? 0;
  }
  assert.equal(looked, 60);
  await desk.clock.advance(60_000);
  const late = await desk.ask('POST', '/session', { token: SECRET }, {}, {}, attacker());
  assert.equal(late.status, 429);
  assert.ok(Number(late.headers.get('retry-after')) > 60);
});

test('guesses from many addresses are limited in all, and a forwarding header does not make another client', async () => {
  const desk = await open();
  assert.deepEqual(await guess(desk, 300, 'guess', (index) => from(`10.0.${index}.1`)), {
    401: 99,
    429: 201,
  });
  const other = await open();
  const statuses = await Promise.all(
    Array.from({ length: 30 }, (_, index) =>
      other.ask(
        'POST',
        '/session',
        { token: 'guess' },
        { 'x-forwarded-for': `10.0.0.${index}` },
        {},
        from('::1'),
      ),
    ),
  );
  assert.equal(statuses.filter(({ status }) => status === 401).length, 20);
});

test('a console that is reached without TLS has a cookie that the browser sends there', async () => {
  const { setCookie } = await open({}, false);
  assert.match(setCookie, /HttpOnly; SameSite=Strict$/);
});

test('the secret has 32 characters or more', async () => {
  const { checkout, service, store } = await open();
  const withSecret = (secret: string) => () =>
    createConsole({ checkout, service, store, secret, name: 'Café Andino', basePath: BASE, secure: true });
  assert.throws(withSecret('x'.repeat(31)), /secret must have 32 characters or more.*openssl rand/);
  assert.doesNotThrow(withSecret('x'.repeat(32)));
});

test('a session is found again on each page, and signing out makes the browser forget it', async () => {
  const { ask, get, headers, session } = await open();
  assert.deepEqual(session, { csrf: headers['x-console-csrf'], name: 'Café Andino' });
  assert.deepEqual(await get<SessionView>('/session'), session);
  const left = await ask('DELETE', '/session', {}, headers);
  assert.match(left.headers.get('set-cookie') ?? '', /^pay_checkout_console=; Max-Age=0; /);
});

test('no answer is kept by a cache or taken for another kind of file', async () => {
  const { ask, headers } = await open();
  const foreign = { ...headers, 'sec-fetch-site': 'cross-site' };
  for (const [path, sent, status] of [
    ['/session', headers, 200],
    ['/overview', headers, 200],
    ['/review', headers, 200],
    ['/attempts', headers, 200],
    ['/attempts.csv', headers, 200],
    ['/session', foreign, 403],
  ] as const) {
    const answer = await ask('GET', path, undefined, sent);
    assert.equal(answer.status, status, path);
    assert.deepEqual(
      ['cache-control', 'x-content-type-options'].map((name) => answer.headers.get(name)),
      ['no-store', 'nosniff'],
      path,
    );
  }
});

test('a body that is no JSON does not sign in, and one that is too large is not read', async () => {
  const { ask, headers } = await open();
  const send = (body: string) => ask('POST', '/session', undefined, headers, { body });
  for (const body of ['', 'null', '{', '"x"', '[]']) {
    const answer = await send(body);
    assert.deepEqual([answer.status, await answer.json()], [401, { code: 'wrong_token', errors: [] }], body);
  }
  const padded = (length: number) => JSON.stringify({ token: SECRET }).padEnd(length);
  assert.equal((await send(padded(16_384))).status, 200);
  const tooLarge = await send(padded(16_385));
  assert.deepEqual([tooLarge.status, await tooLarge.json()], [422, { code: 'invalid_input', errors: [] }]);
});
