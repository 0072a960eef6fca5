import assert from 'node:assert/strict';
import { test } from 'vitest';
import { startPages } from './harness.js';

const RETURN = 'https://shop.example/return';

for (const [action, status] of [
  ['approve', 'CONFIRMED'],
  ['reject', 'DECLINED'],
  ['cancel', 'CANCELED'],
  ['pending', 'PROCESSING'],
  ['back', 'PROCESSING'],
] as const) {
  test(`at the bank, "${action}" leaves the payin ${status} and sends the payer back to the shop`, async () => {
    const { psePayin, payin, submit } = startPages();
    const { id, path } = psePayin();
    const answer = await submit(path, { action });
    assert.equal(answer.status, 303);
    assert.equal(answer.location, RETURN);
    assert.equal(payin(id).status, status);
  });
}

test('the bank page shows a test bank, the amount, the reference and five things to do', async () => {
  const { psePayin, open } = startPages();
  const { html, status } = await open(psePayin().path);
  assert.equal(status, 200);
  for (const text of [
    'Ambiente de pruebas',
    'ninguna cuenta real',
    'Banco de pruebas',
    '$ 50.000',
    'ORDER-1',
  ]) {
    assert.ok(html.replaceAll('\u00a0', ' ').includes(text), text);
  }
  const actions = [...html.matchAll(/name="action" value="(\w+)"/g)].map((match) => match[1]);
  assert.deepEqual(actions, ['approve', 'reject', 'pending', 'cancel', 'back']);
});

test('without a return address the bank page itself says what happened', async () => {
  const { brebPayin, psePayin, open, submit } = startPages();
  const { path } = psePayin({ callbackUrl: undefined });
  const answer = await submit(path, { action: 'approve' });
  assert.equal(answer.status, 303);
  const next = new URL(answer.location ?? '', `http://localhost:4010${path}`).pathname;
  assert.equal(next, path);
  assert.match((await open(next)).html, /Pago aprobado/);

  const checkout = brebPayin({ reference: 'ORDER-2' });
  const paid = await submit(checkout.path, { action: 'approve' });
  const there = new URL(paid.location ?? '', `http://localhost:4010${checkout.path}`);
  assert.equal(there.pathname + there.search, checkout.path);
});

test('the chosen language survives a form', async () => {
  const { psePayin, submit } = startPages();
  const { path } = psePayin({ callbackUrl: undefined });
  const answer = await submit(`${path}?lang=en`, { action: 'approve' });
  assert.match(answer.location ?? '', /\?lang=en$/);
});

for (const callbackUrl of [
  'javascript:alert(1)',
  'data:text/html,hello',
  'https://payer:secret@shop.example/',
  '//shop.example/return',
  'https:\\\\shop.example',
]) {
  test(`no payer is sent to ${callbackUrl}`, async () => {
    const { psePayin, open, submit } = startPages();
    const { path } = psePayin({ callbackUrl });
    const before = await open(path);
    const answer = await submit(path, { action: 'approve' });
    assert.equal(answer.status, 303);
    assert.equal(new URL(answer.location ?? '', `http://localhost:4010${path}`).pathname, path);
    const after = await open(path);
    assert.match(after.html, /no es una dirección web/);
    for (const { html } of [before, after]) assert.ok(!html.includes(`href="${callbackUrl}`));
  });
}

test('an answer that comes second changes nothing', async () => {
  const { psePayin, payin, submit, open } = startPages();
  const { id, path } = psePayin();
  await submit(path, { action: 'reject' });
  const again = await submit(path, { action: 'approve' });
  assert.equal(again.status, 303);
  assert.equal(payin(id).status, 'DECLINED');
  assert.match((await open(path)).html, /Pago rechazado/);
});

test('nonsense from a form decides nothing', async () => {
  const { psePayin, payin, submit } = startPages();
  const { id, path } = psePayin();
  for (const action of ['', 'constructor', '__proto__', 'CONFIRMED']) await submit(path, { action });
  assert.equal(payin(id).status, 'PROCESSING');
});

test('an unknown token and a wrong token open no page', async () => {
  const { brebPayin, psePayin, open, submit } = startPages();
  const { id, path } = brebPayin();
  const bank = psePayin({ reference: 'ORDER-2' });
  for (const wrong of [
    '/bank/nothing',
    `/bank/${id}`,
    `/checkout/${id}`,
    `/checkout/${id}?token=x`,
    '/link/nothing',
  ]) {
    const page = await open(wrong);
    assert.equal(page.status, 404, wrong);
    assert.match(page.html, /No encontramos este pago/);
    assert.equal((await submit(wrong, { action: 'approve' })).status, 404);
  }
  assert.equal((await open(path)).status, 200);
  assert.equal((await open(bank.path)).status, 200);
});

test('the checkout page shows key, exact amount and, when there is one, the QR', async () => {
  const { brebPayin, payin, open } = startPages();
  const plain = brebPayin();
  const { source } = payin(plain.id);
  const html = (await open(plain.path)).html;
  assert.ok(source.rail === 'BRE_B' && html.includes(source.keyString));
  assert.ok(html.replaceAll('\u00a0', ' ').includes('$ 50.000'));
  assert.ok(!html.includes('<img'));
  const withQr = brebPayin({ reference: 'ORDER-2', breb: { keyType: 'QR_CODE' } });
  assert.match((await open(withQr.path)).html, /<img[^>]+src="data:image\/png;base64,[A-Za-z0-9+/]+=*"/);
});

for (const [typed, confirmedAmountInCents] of [
  ['40000', 4_000_000],
  ['60.000', 6_000_000],
  ['49999,50', 4_999_950],
] as const) {
  test(`paying "${typed}" pesos in the pretended app confirms ${confirmedAmountInCents} cents`, async () => {
    const { brebPayin, payin, submit, open } = startPages();
    const { id, path } = brebPayin({ callbackUrl: RETURN });
    const answer = await submit(path, { action: 'other', pesos: typed });
    assert.equal(answer.location, RETURN);
    assert.equal(payin(id).confirmedAmountInCents, confirmedAmountInCents);
    assert.match((await open(path)).html, /Valor recibido/);
  });
}

for (const typed of ['', '0', '-5', '1e9', 'mucho', '1.2.3', '99999999999999999999']) {
  test(`"${typed}" is no amount: the page asks again and the payin stays open`, async () => {
    const { brebPayin, payin, submit } = startPages();
    const { id, path } = brebPayin();
    const answer = await submit(path, { action: 'other', pesos: typed });
    assert.equal(answer.status, 422);
    assert.match(answer.html, /aria-invalid="true"/);
    assert.match(answer.html, /Escribe un valor en pesos/);
    assert.equal(payin(id).status, 'PROCESSING');
  });
}

test('what a page watches tells the status and nothing else', async () => {
  const { brebPayin, psePayin, paymentLink, send } = startPages();
  const checkout = brebPayin();
  const [path, query] = checkout.path.split('?');
  const bank = psePayin({ reference: 'ORDER-2' });
  const hosted = paymentLink({ reference: 'ORDER-3' });
  assert.deepEqual((await send(`${path}/status?${query}`)).body, { status: 'PROCESSING' });
  assert.deepEqual((await send(`${bank.path}/status`)).body, { status: 'PROCESSING' });
  assert.deepEqual((await send(`${hosted.path}/status`)).body, { status: 'PENDING' });
  assert.equal((await send(`${path}/status`)).status, 404);
});
