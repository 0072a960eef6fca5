import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { read } from '../../../src/contract/schema.js';
import { PaymentLinkSchema } from '../../../src/contract/service/resources.js';
import { customer, link, refused, startSandbox, without } from '../harness.js';

/** The endpoints of payment links, row by row. The ids are those of rules.md. */

describe('POST /payment-links', () => {
  test('EN1 amountType is required and only FIXED', async () => {
    await refused('/payment-links', without(link, 'amountType'), 'amountType', 'required');
    await refused('/payment-links', { ...link, amountType: 'OPEN' }, 'amountType', 'not_allowed');
  });
  test('EN2 amountInCents is required', async () => {
    await refused('/payment-links', without(link, 'amountInCents'), 'amountInCents', 'required');
    await refused('/payment-links', { ...link, amountInCents: 0 }, 'amountInCents', 'too_small');
  });
  test('EN3 reference is required, and may be that of an earlier link', async () => {
    await refused('/payment-links', without(link, 'reference'), 'reference', 'required');
    const { post } = startSandbox();
    assert.equal((await post('/payment-links', link)).status, 201);
    assert.equal((await post('/payment-links', link)).status, 201);
  });
  test('EN4 callbackUrl is required and a URL', async () => {
    await refused('/payment-links', without(link, 'callbackUrl'), 'callbackUrl', 'required');
    await refused('/payment-links', { ...link, callbackUrl: '/return' }, 'callbackUrl', 'format');
  });
  test('EN5 rail is optional and keeps the payer from choosing another', async () => {
    await refused('/payment-links', { ...link, rail: 'CARD' }, 'rail', 'not_allowed');
    const { post, engine } = startSandbox();
    const { paymentLinkId } = (await post('/payment-links', { ...link, rail: 'BRE_B' })).body;
    const pse = { rail: 'PSE', bank: 'CO_NEQUI', personType: 'INDIVIDUAL' } as const;
    assert.throws(() => engine.payLink(paymentLinkId, pse), /rail_not_allowed/);
  });
  test('EN6 inlineCustomer goes with the payin of the link; without it the payer gives one', async () => {
    const { post, engine } = startSandbox();
    const filled = (await post('/payment-links', { ...link, inlineCustomer: customer })).body.paymentLinkId;
    const first = engine.payLink(filled, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
    assert.deepEqual(first.inlineCustomer, customer);
    const open = (await post('/payment-links', link)).body.paymentLinkId;
    const typed = { ...customer, name: 'Otra Persona' };
    const second = engine.payLink(open, { rail: 'BRE_B', keyType: 'SINGLE_USE', inlineCustomer: typed });
    assert.deepEqual(second.inlineCustomer, typed);
  });
  test('EN7 pse is refused unless rail is PSE', async () => {
    const pse = { bank: 'CO_NEQUI' };
    await refused('/payment-links', { ...link, pse }, 'pse', 'not_allowed');
    await refused('/payment-links', { ...link, rail: 'BRE_B', pse }, 'pse', 'not_allowed');
  });
  test('EN8 pse.bank must be there when pse is', async () => {
    await refused('/payment-links', { ...link, rail: 'PSE', pse: {} }, 'pse.bank', 'required');
  });
  test('EN9 the answer is 201 with the link', async () => {
    const answer = await startSandbox().post('/payment-links', link);
    assert.equal(answer.status, 201);
    assert.ok(read(PaymentLinkSchema, answer.body).ok);
  });
  test('EN10 the payer goes to paymentLinkUrl; the way back to callbackUrl replaces no event', async () => {
    const { post, send, engine, events, pass } = startSandbox();
    const { paymentLinkId, paymentLinkUrl } = (await post('/payment-links', link)).body;
    assert.equal((await send(new URL(paymentLinkUrl).pathname)).status, 200);
    const bank = { rail: 'PSE', bank: 'CO_BANKA', personType: 'INDIVIDUAL' } as const;
    const { source } = engine.payLink(paymentLinkId, bank);
    assert.ok(source.rail === 'PSE');
    const form = { method: 'POST', body: new URLSearchParams({ action: 'back' }) };
    const back = await send(`/bank/${source.bankToken}`, form);
    assert.deepEqual([back.status, back.headers.get('location')], [303, link.callbackUrl]);
    await pass(60_000);
    assert.deepEqual(events(), []);
    assert.equal(engine.links[0]?.callbackUrl, link.callbackUrl);
  });

  const flows = [
    ['EF1', 'open checkout', {}],
    ['EF2', 'restricted method', { rail: 'BRE_B' }],
    ['EF3', 'PSE bank preselection', { rail: 'PSE', pse: { bank: 'CO_BANKA' } }],
    ['EF4', 'pre-filled customer', { inlineCustomer: customer }],
    ['EF5', 'restricted and pre-filled', { rail: 'PSE', inlineCustomer: customer }],
  ] as const;
  for (const [id, name, fields] of flows) {
    test(`${id} flow: ${name}`, async () => {
      const { post, engine } = startSandbox();
      const answer = await post('/payment-links', { ...link, ...fields });
      assert.equal(answer.status, 201);
      const expected: { rail?: string; pse?: { bank: string }; inlineCustomer?: object } = fields;
      const made = engine.links[0];
      assert.equal(made?.rail, expected.rail ?? null);
      assert.equal(made?.bank, expected.pse?.bank ?? null);
      assert.deepEqual(made?.inlineCustomer, expected.inlineCustomer ?? null);
    });
  }
});

describe('GET /payment-links/{paymentLinkId}', () => {
  test('EG1 gives the state now, or 404', async () => {
    const { post, get, pass } = startSandbox();
    const { paymentLinkId } = (await post('/payment-links', link)).body;
    assert.equal((await get(`/payment-links/${paymentLinkId}`)).body.status, 'PENDING');
    await pass(3_600_000);
    assert.equal((await get(`/payment-links/${paymentLinkId}`)).body.status, 'EXPIRED');
    assert.equal((await get('/payment-links/unknown')).status, 404);
  });
});
