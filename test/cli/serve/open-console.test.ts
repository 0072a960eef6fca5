import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'vitest';
import { Hono } from 'hono';
import type { OpenCheckout } from '../../../src/cli/serve/checkout.js';
import { consoleBeside } from '../../../src/cli/serve/open-console.js';
import { openWorld } from '../../server/world.js';
import { cleanup } from '../../support/cleanup.js';

const SECRET = 'a secret that only the merchant knows';

async function open(t: TestContext, secret?: string, host = '127.0.0.1', publicUrl?: string) {
  const world = await openWorld();
  const page = mkdtempSync(join(tmpdir(), 'pay-checkout-page-'));
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<merchant-console api="api"></merchant-console>');
  writeFileSync(join(page, 'assets/index-1a.js'), 'export {};');
  writeFileSync(join(page, 'secret.txt'), 'not to be served');
  cleanup(t, async () => {
    await world.close();
    rmSync(page, { recursive: true, force: true });
  });
  const [checkout] = world.checkouts;
  if (checkout === undefined) throw new Error('A world has a checkout');
  const app = new Hono();
  const opened = {
    checkout,
    secrets: { console: secret },
    database: { store: world.store },
    config: { own: { host: '127.0.0.1' }, kit: { merchant: { name: 'Café Andino' }, publicUrl } },
  } as unknown as OpenCheckout;
  const ask = async (path: string, init?: RequestInit) =>
    app.fetch(new Request(`http://127.0.0.1:4020${path}`, init));
  return {
    opened: opened as { -readonly [Key in keyof OpenCheckout]: OpenCheckout[Key] },
    beside: (folder = page) => consoleBeside(app, opened, host, folder),
    ask,
    signIn: () =>
      ask('/console/api/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token: SECRET }),
      }),
  };
}

test('serve --console serves the page under a strict policy, its files, and its backend', async (t) => {
  const { beside, ask, signIn } = await open(t, SECRET);
  beside();
  const page = await ask('/console/');
  assert.equal(page.status, 200);
  assert.match(await page.text(), /merchant-console/);
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const rule of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", 'trusted-types'])
    assert.ok(policy.includes(rule), rule);
  assert.equal(page.headers.get('cache-control'), 'no-store');
  assert.equal((await ask('/console')).headers.get('location'), '/console/');
  const script = await ask('/console/assets/index-1a.js');
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
  for (const path of ['/console/secret.txt', '/console/assets/..%2fsecret.txt', '/console/assets/none.js'])
    assert.equal((await ask(path)).status, 404, path);
  assert.equal((await ask('/console/api/overview')).status, 401);
  const entered = await signIn();
  assert.equal(entered.status, 200);
  const cookie = entered.headers.get('set-cookie') ?? '';
  assert.match(cookie, /Path=\/console\/api;.*SameSite=Strict$/, 'on this machine alone it may go over http');
  const headers = { cookie: cookie.split(';')[0] ?? '' };
  for (const path of ['overview', 'attempts', 'review', 'links', 'payouts'])
    assert.equal((await ask(`/console/api/${path}`, { headers })).status, 200, path);
});

test('the cookie is Secure unless the address in force is this machine’s and no https is in front', async (t) => {
  const isSecure = async (host: string, publicUrl?: string) => {
    const { beside, signIn } = await open(t, SECRET, host, publicUrl);
    beside();
    return (await signIn()).headers.get('set-cookie')?.endsWith('; Secure');
  };
  for (const host of ['127.0.0.1', '127.0.0.2', '::1', 'localhost'])
    assert.equal(await isSecure(host), false, host);
  assert.equal(await isSecure('127.0.0.1', 'http://127.0.0.1:4020'), false);
  for (const host of ['0.0.0.0', '::', '10.0.0.4']) assert.equal(await isSecure(host), true, host);
  assert.equal(await isSecure('127.0.0.1', 'https://shop.example/checkout'), true, 'behind a TLS proxy');
});

test('a session outlives the change of other secrets, and one that was left does not come back with it', async (t) => {
  const { beside, ask, signIn, opened } = await open(t, SECRET);
  beside();
  const [left, stays] = [await signIn(), await signIn()];
  const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';
  const { csrf } = (await left.json()) as { csrf: string };
  const csv = async (answer: Response) =>
    (await ask('/console/api/attempts.csv', { headers: { cookie: cookieOf(answer) } })).status;
  const leaving = await ask('/console/api/session', {
    method: 'DELETE',
    headers: { cookie: cookieOf(left), 'content-type': 'application/json', 'x-console-csrf': csrf },
  });
  assert.deepEqual([leaving.status, await csv(left), await csv(stays)], [204, 401, 200]);
  // As after a change of another secret: another checkout is in its place.
  opened.checkout = { ...opened.checkout };
  assert.deepEqual([await csv(left), await csv(stays)], [401, 200]);
});

test('open pages of serve --console hear of changes, and are let go when it stops', async (t) => {
  const { beside, ask, signIn } = await open(t, SECRET);
  const desk = beside();
  const cookie = (await signIn()).headers.get('set-cookie')?.split(';')[0] ?? '';
  const stream = await ask('/console/api/live', { headers: { cookie } });
  desk.changed();
  desk.close();
  const told = await stream.text();
  assert.match(told, /event: changed/);
});

test('serve --console says what it lacks', async (t) => {
  const without = await open(t);
  assert.throws(() => without.beside(), /consoleSecret/);
  const unbuilt = await open(t, SECRET);
  assert.throws(() => unbuilt.beside('/nowhere'), /npm run build/);
});
