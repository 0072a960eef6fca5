import assert from 'node:assert/strict';
import { test } from 'vitest';
import { customer, HOUR_MS } from '../harness.js';
import { startPages } from './harness.js';

const RETURN = 'https://shop.example/return';
const PERSON = { ...customer, phone: '3001234567' };

function methodsIn(html: string): (string | undefined)[] {
  return [...html.matchAll(/name="method"\s+value="(\w+)"/g)].map((match) => match[1]);
}

test('an open link offers every way to pay, and leaving', async () => {
  const { paymentLink, open } = startPages();
  const { html } = await open(paymentLink().path);
  assert.deepEqual(methodsIn(html), ['QR_CODE', 'SINGLE_USE', 'PSE']);
  assert.ok(html.includes(`href="${RETURN}"`));
});

test('a restricted link offers only its rail and takes no other', async () => {
  const { paymentLink, open, submit, engine } = startPages();
  const { path } = paymentLink({ rail: 'PSE', inlineCustomer: customer });
  const { html } = await open(path);
  assert.deepEqual(methodsIn(html), ['PSE']);
  assert.ok(!html.includes('name="email"'), 'the customer is known');
  const answer = await submit(path, { method: 'QR_CODE' });
  assert.equal(answer.status, 422);
  assert.equal(engine.payins.length, 0);
});

test('a link is paid by Bre-B: checkout page, shop, COMPLETED, and no payin event', async () => {
  const { paymentLink, submit, open, engine, pass, events } = startPages();
  const { id, path } = paymentLink();
  const chosen = await submit(path, { method: 'QR_CODE', ...PERSON });
  assert.equal(chosen.status, 303);
  const checkout = new URL(chosen.location ?? '', `http://localhost:4010${path}`);
  const paid = await submit(checkout.pathname + checkout.search, { action: 'approve' });
  assert.equal(paid.location, RETURN);
  assert.equal(engine.readLink(id)?.status, 'COMPLETED');
  await pass(0);
  assert.deepEqual(events(), ['paymentlink.completed']);
  const { html } = await open(path);
  assert.match(html, /Este enlace ya está pagado/);
  assert.deepEqual(methodsIn(html), []);
});

test('a link is tried by PSE and rejected: the payer returns all the same, the link stays open', async () => {
  const { paymentLink, submit, open, engine } = startPages();
  const { id, path } = paymentLink();
  const chosen = await submit(path, { method: 'PSE', bank: 'CO_BANCOLOMBIA', ...PERSON });
  const bank = new URL(chosen.location ?? '', `http://localhost:4010${path}`).pathname;
  assert.match((await open(path)).html, /Ya empezaste un pago/);
  const rejected = await submit(bank, { action: 'reject' });
  assert.equal(rejected.location, RETURN);
  assert.equal(engine.readLink(id)?.status, 'PENDING');
  assert.doesNotMatch((await open(path)).html, /Ya empezaste un pago/);
});

test('a bank that the merchant chose is shown and kept', async () => {
  const { paymentLink, open, submit, engine } = startPages();
  const { path } = paymentLink({ rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA' }, inlineCustomer: customer });
  const { html } = await open(path);
  assert.match(html, /Bancolombia/);
  assert.ok(!html.includes('<select'));
  await submit(path, { method: 'PSE', bank: 'CO_DAVIVIENDA' });
  const [payin] = engine.payins;
  assert.ok(payin?.source.rail === 'PSE' && payin.source.bank === 'CO_BANCOLOMBIA');
});

for (const [wrong, fields] of [
  ['bank', { method: 'PSE', bank: '', ...PERSON }],
  ['bank', { method: 'PSE', bank: 'CO_NOWHERE', ...PERSON }],
  ['name', { method: 'QR_CODE', ...PERSON, name: '12345' }],
  ['idNumber', { method: 'QR_CODE', ...PERSON, idNumber: 'ABC' }],
  ['phone', { method: 'QR_CODE', ...PERSON, phone: '12' }],
  ['email', { method: 'QR_CODE', ...PERSON, email: 'nowhere' }],
] as const) {
  test(`a wrong ${wrong} (${JSON.stringify(fields[wrong as keyof typeof fields])}) is marked, what was typed stays`, async () => {
    const { paymentLink, submit, engine } = startPages();
    const answer = await submit(paymentLink().path, fields);
    assert.equal(answer.status, 422);
    assert.match(answer.html, new RegExp(`id="${wrong}"[^>]*aria-invalid="true"`));
    assert.ok(answer.html.includes(`value="${fields.email}"`));
    assert.equal(engine.payins.length, 0);
  });
}

test('a company pays by PSE as a company', async () => {
  const { paymentLink, submit, engine } = startPages();
  const company = { ...PERSON, idType: 'CO_NIT', idNumber: '900373913' };
  const answer = await submit(paymentLink().path, { method: 'PSE', bank: 'CO_BANCOLOMBIA', ...company });
  assert.equal(answer.status, 303);
  const [payin] = engine.payins;
  assert.ok(payin?.source.rail === 'PSE' && payin.source.personType === 'BUSINESS');
});

test('an expired link says so, offers the way back and takes no payment', async () => {
  const { paymentLink, open, submit, pass, engine } = startPages();
  const { path } = paymentLink();
  await pass(HOUR_MS);
  const { html } = await open(path);
  assert.match(html, /Este enlace venció/);
  assert.ok(html.includes(`href="${RETURN}"`));
  const late = await submit(path, { method: 'QR_CODE', ...PERSON });
  assert.equal(late.status, 303);
  assert.equal(engine.payins.length, 0);
});

test('on the pages, too, less money and money after the expiry are taken, or refused by a scenario', async () => {
  for (const refuses of [false, true]) {
    for (const late of [false, true]) {
      const { paymentLink, submit, engine } = startPages();
      engine.setMishap('other-amounts-refused', refuses);
      engine.setMishap('late-payments-refused', refuses);
      const { id, path } = paymentLink();
      const chosen = await submit(path, { method: 'QR_CODE', ...PERSON });
      const { pathname, search } = new URL(chosen.location ?? '', `http://localhost:4010${path}`);
      if (late) engine.expireLink(id);
      const paying: Record<string, string> = late
        ? { action: 'approve' }
        : { action: 'other', pesos: '10.000' };
      assert.equal((await submit(pathname + search, paying)).location, RETURN);
      const statuses = [engine.payins[0]?.status, engine.readLink(id)?.status];
      const paid = ['CONFIRMED', late ? 'EXPIRED' : 'COMPLETED'];
      assert.deepEqual(statuses, refuses ? ['DECLINED', late ? 'EXPIRED' : 'PENDING'] : paid);
    }
  }
});

test('before paying, the page of a link shows who is paid, the reference and when it expires', async () => {
  const { paymentLink, open } = startPages({ merchant: 'Café <Andino>' });
  const { html } = await open(paymentLink({ reference: 'A-1042' }).path);
  assert.match(html, /<b>Café &lt;Andino&gt;<\/b><span>A-1042<\/span>/);
  assert.match(html, /Este enlace vence a las \d/);
});
