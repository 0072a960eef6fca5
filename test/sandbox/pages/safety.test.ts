import assert from 'node:assert/strict';
import { test } from 'vitest';
import { directive, HOSTILE, startPages } from './harness.js';

/** Every page there is, each about something with a hostile name. */
function everyPage(started: ReturnType<typeof startPages>): string[] {
  const { engine, brebPayin, psePayin, paymentLink } = started;
  const bank = psePayin({ reference: `${HOSTILE}1` });
  const checkout = brebPayin({ reference: `${HOSTILE}2`, breb: { keyType: 'QR_CODE' } });
  const done = brebPayin({ reference: `${HOSTILE}3`, callbackUrl: `https://shop.example/?a="><script>` });
  engine.settle(done.id, 'CONFIRMED');
  const hosted = paymentLink({ reference: `${HOSTILE}4` });
  const expired = paymentLink({ reference: `${HOSTILE}5` });
  engine.expireLink(expired.id);
  return [
    bank.path,
    checkout.path,
    done.path,
    hosted.path,
    expired.path,
    '/link/nothing',
    '/_/',
    `/_/?q=${encodeURIComponent(HOSTILE)}&status=${encodeURIComponent(HOSTILE)}&open=${encodeURIComponent(HOSTILE)}`,
  ];
}

test('every page is under a policy with no inline code, no other host and no frame', async () => {
  const started = startPages();
  for (const path of everyPage(started)) {
    const { headers } = await started.open(path);
    assert.equal(directive(headers, 'default-src'), "default-src 'none'", path);
    assert.equal(directive(headers, 'script-src'), "script-src 'self'", path);
    assert.equal(directive(headers, 'style-src'), "style-src 'self'", path);
    assert.equal(directive(headers, 'connect-src'), "connect-src 'self'", path);
    assert.equal(directive(headers, 'img-src'), "img-src 'self' data:", path);
    assert.equal(directive(headers, 'frame-ancestors'), "frame-ancestors 'none'", path);
    assert.equal(directive(headers, 'base-uri'), "base-uri 'none'", path);
    assert.equal(headers.get('cache-control'), 'no-store', path);
    assert.equal(headers.get('x-content-type-options'), 'nosniff', path);
  }
});

test('a form may leave the sandbox only on a page that leads back to a shop', async () => {
  const { psePayin, paymentLink, open } = startPages();
  const leaving = psePayin();
  const staying = psePayin({ reference: 'ORDER-2', callbackUrl: undefined });
  const hosted = paymentLink({ reference: 'ORDER-3' });
  const formAction = async (path: string) => directive((await open(path)).headers, 'form-action');
  assert.equal(await formAction(leaving.path), "form-action 'self' http: https:");
  assert.equal(await formAction(hosted.path), "form-action 'self' http: https:");
  assert.equal(await formAction(staying.path), "form-action 'self'");
  assert.equal(await formAction('/_/'), "form-action 'self'");
});

test('hostile text is text on every page, and no page holds inline code', async () => {
  const started = startPages();
  for (const path of everyPage(started)) {
    const { html } = await started.open(path);
    assert.ok(!html.includes('<script>'), `${path}: a script came through`);
    assert.ok(!html.includes('<img src=x'), `${path}: an image came through`);
    assert.doesNotMatch(html, /<[^>]+\sstyle\s*=/i, path);
    assert.doesNotMatch(html, /<style/i, path);
    assert.doesNotMatch(html, /<[a-z][^<>"']*(?:"[^"]*"[^<>"']*)*\son\w+\s*=/i, path);
    for (const [tag] of html.matchAll(/<script\b[^>]*>/gi)) assert.match(tag, /\ssrc="[^":]+"/, path);
    assert.doesNotMatch(html, /(?:src|href)="(?:https?:)?\/\/(?!shop\.example)/i, `${path}: another host`);
  }
});

test('the hostile reference is there, escaped', async () => {
  const { psePayin, open } = startPages();
  const { html } = await open(psePayin({ reference: HOSTILE }).path);
  assert.ok(html.includes('&lt;script&gt;alert(1)&lt;/script&gt;&quot;&#39;&gt;&lt;img src=x'));
});

for (const headers of [
  { origin: 'https://evil.example' },
  { origin: 'null' },
  { origin: 'http://localhost:9999' },
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
]) {
  test(`a form that comes with ${JSON.stringify(headers)} does nothing`, async () => {
    const { psePayin, brebPayin, paymentLink, payin, submit, engine } = startPages();
    const bank = psePayin();
    const checkout = brebPayin({ reference: 'ORDER-2' });
    const hosted = paymentLink({ reference: 'ORDER-3' });
    const before = engine.revision;
    assert.equal((await submit(bank.path, { action: 'approve' }, headers)).status, 403);
    assert.equal((await submit(checkout.path, { action: 'approve' }, headers)).status, 403);
    assert.equal((await submit(hosted.path, { method: 'QR_CODE' }, headers)).status, 403);
    assert.equal(engine.revision, before);
    assert.notEqual(payin(bank.id).status, 'CONFIRMED');
  });
}

test('the control API takes nothing from another site', async () => {
  const { brebPayin, payin, send } = startPages();
  const { id } = brebPayin();
  const settle = (headers: Record<string, string>) =>
    send(`/_/api/payins/${id}/settle`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ outcome: 'CONFIRMED' }),
    });
  assert.equal((await settle({ origin: 'https://evil.example' })).status, 403);
  assert.equal((await settle({ 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.notEqual(payin(id).status, 'CONFIRMED');
  assert.equal((await settle({ origin: 'http://localhost:4010' })).status, 200);
  assert.equal(payin(id).status, 'CONFIRMED');
});

test('a form from the page itself is taken', async () => {
  const { psePayin, payin, submit } = startPages();
  const { id, path } = psePayin();
  await submit(
    path,
    { action: 'approve' },
    { origin: 'http://localhost:4010', 'sec-fetch-site': 'same-origin' },
  );
  assert.equal(payin(id).status, 'CONFIRMED');
});

test('a form larger than any of ours is refused before it is read', async () => {
  const { psePayin, payin, submit } = startPages();
  const { id, path } = psePayin();
  const answer = await submit(path, { action: 'approve', filler: 'x'.repeat(20_000) });
  assert.equal(answer.status, 413);
  assert.notEqual(payin(id).status, 'CONFIRMED');
});

test('styles and scripts are files of the sandbox, under their own type', async () => {
  const { open, psePayin } = startPages();
  const page = await open(psePayin().path);
  const links = [...page.html.matchAll(/(?:href|src)="\.\.\/_\/(assets\/[^"]+)"/g)].map((match) => match[1]);
  assert.equal(links.length, 3);
  for (const name of links) {
    const asset = await open(`/_/${name}`);
    assert.equal(asset.status, 200, name);
    assert.match(asset.headers.get('content-type') ?? '', /^(?:text\/css|text\/javascript|image\/svg\+xml)/);
    assert.equal(asset.headers.get('x-content-type-options'), 'nosniff');
  }
});

test('the built control page is served under the same policy, and a sandbox without it says so', async () => {
  const files = new Map([
    ['index.html', '<sandbox-control></sandbox-control>'],
    ['assets/index-1a.js', 'export {};'],
    ['secret.txt', 'not to be served'],
  ]);
  const controlPage = async (name: string) => {
    const text = files.get(name);
    return text === undefined ? undefined : new TextEncoder().encode(text);
  };
  const { open } = startPages({ controlPage });
  const page = await open('/_/?section=links');
  assert.match(page.html, /<sandbox-control>/);
  assert.equal(directive(page.headers, 'script-src'), "script-src 'self'");
  assert.equal(directive(page.headers, 'trusted-types'), 'trusted-types lit-html');
  assert.equal(page.headers.get('cache-control'), 'no-store');
  const script = await open('/_/assets/index-1a.js');
  assert.match(script.headers.get('content-type') ?? '', /^text\/javascript/);
  for (const path of ['/_/assets/none.js', '/_/assets/..%2fsecret.txt', '/_/secret.txt'])
    assert.equal((await open(path)).status, 404, path);
  const { status, html } = await startPages().open('/_/');
  assert.equal(status, 404);
  assert.match(html, /no tiene panel de control/);
});

test('pages speak Spanish, and English to those who ask for it', async () => {
  const { psePayin, open } = startPages();
  const { path } = psePayin();
  const spanish = /<html lang="es-CO">[^]*Autoriza el pago/;
  const english = /<html lang="en">[^]*Authorise the payment/;
  assert.match((await open(path)).html, spanish);
  assert.match((await open(path, { 'accept-language': 'pt-BR,pt;q=0.9' })).html, spanish);
  assert.match((await open(path, { 'accept-language': 'en-US,en;q=0.9,es;q=0.8' })).html, english);
  assert.match((await open(`${path}?lang=en`)).html, english);
  assert.match((await open(`${path}?lang=es`, { 'accept-language': 'en' })).html, spanish);
});
