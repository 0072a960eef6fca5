import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { AttemptSchema, OfferSchema } from '../../../src/contract/backend.js';
import { read } from '../../../src/contract/schema.js';
import type { CreatePaymentLink } from '../../../src/contract/service/requests.js';
import { createHttpTransport } from '../../../src/transport/http/http-transport.js';
import { TransportError } from '../../../src/transport/port.js';
import { BASE, customer, HOUR_MS, link, startSandbox } from '../harness.js';

/** The backend contract of a link's page, asked by the widget's own transport. */

const { signal } = new AbortController();
const CALLBACK = 'https://shop.example/return';
let keys = 0;
const options = () => ({ signal, idempotencyKey: `key-for-a-test-${String((keys += 1)).padStart(6, '0')}` });
const typed = { ...customer, phone: '3001234567' };

function hosted(more: Partial<CreatePaymentLink> = {}) {
  const service = startSandbox();
  const { id } = service.engine.createLink({ ...link, callbackUrl: CALLBACK, ...more });
  const transport = createHttpTransport({
    backend: `${BASE}/link/${id}/checkout`,
    fetch: (input, init) => service.sandbox.fetch(new Request(input, init)),
    now: () => service.clock.now(),
    // The test's clock is the only one that ends a wait.
    after: () => () => undefined,
  });
  const start = { order: id, callbackUrl: `${BASE}/link/${id}` };
  const breb = { ...start, rail: 'BRE_B' as const, breb: { keyType: 'QR_CODE' as const } };
  const pse = {
    ...start,
    rail: 'PSE' as const,
    pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' as const },
  };
  return { ...service, id, transport, breb, pse };
}

async function refused(call: Promise<unknown>, code: string) {
  const error = await call.then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof TransportError, String(error));
  assert.equal(error.problem?.code, code);
  return error.problem;
}

describe('what a link offers', () => {
  for (const [flow, more, rails, asks] of [
    ['open', {}, ['BRE_B', 'BRE_B', 'PSE'], 5],
    ['restricted', { rail: 'BRE_B' }, ['BRE_B', 'BRE_B'], 5],
    ['a bank preselected', { rail: 'PSE', pse: { bank: 'CO_BANCOLOMBIA' } }, ['PSE'], 5],
    ['a customer known', { inlineCustomer: customer }, ['BRE_B', 'BRE_B', 'PSE'], 0],
    ['restricted, a customer known', { rail: 'PSE', inlineCustomer: customer }, ['PSE'], 0],
  ] as const) {
    test(flow, async () => {
      const { transport, id, get } = hosted(more);
      const { offer, level } = await transport.offer(id, { signal });
      assert.equal(level, 'FULL');
      assert.deepEqual(
        offer.methods.map(({ rail }) => rail),
        rails,
      );
      for (const method of offer.methods) {
        assert.ok(method.kind === 'PAYIN');
        assert.equal(method.requires.length, asks);
        if (flow === 'a bank preselected') {
          assert.deepEqual(method.rail === 'PSE' && method.banks.map(({ code }) => code), ['CO_BANCOLOMBIA']);
        }
      }
      const { body } = await get(`/link/${id}/checkout/orders/${id}`);
      assert.ok(read(OfferSchema, body).ok, 'by the schema of the contract too');
      assert.doesNotMatch(JSON.stringify(body), new RegExp(customer.idNumber));
    });
  }

  test('another order is not found, nor is another link', async () => {
    const { transport, sandbox } = hosted();
    await refused(transport.offer('another', { signal }), 'not_found');
    const answer = await sandbox.fetch(new Request(`${BASE}/link/nothing/checkout/orders/nothing`));
    assert.equal(answer.status, 404);
  });
});

describe('paying a link', () => {
  test('by Bre-B: key and QR, news while it waits, one event and it is the link’s', async () => {
    const { transport, breb, engine, id, pass, received } = hosted({ inlineCustomer: customer });
    const attempt = await transport.createPayin(breb, options());
    assert.ok(attempt.kind === 'PAYIN' && attempt.rail === 'BRE_B');
    assert.match(attempt.sourceData?.qrString ?? '', /^data:image\/png;base64,/);
    assert.equal(attempt.amountInCents, link.amountInCents);
    assert.ok(read(AttemptSchema, attempt).ok);

    const target = { kind: 'PAYIN', id: attempt.id } as const;
    const news = transport.read(target, { signal, after: attempt.version, waitSeconds: 25 });
    await pass(1_000);
    engine.decide(attempt.id, 'CONFIRMED');
    const paid = await news;
    assert.deepEqual([paid.status, paid.waited], ['CONFIRMED', true]);
    assert.deepEqual(paid.settlement, { state: 'PAID', by: attempt.id, duplicate: false });
    await pass(0);
    assert.equal(engine.readLink(id)?.status, 'COMPLETED');
    assert.deepEqual(
      received.map(({ event }) => event),
      ['paymentlink.completed'],
    );
  });

  test('an answer is held no longer than was asked', async () => {
    const { transport, breb, pass } = hosted({ inlineCustomer: customer });
    const attempt = await transport.createPayin(breb, options());
    const target = { kind: 'PAYIN', id: attempt.id } as const;
    // A document decides after 5 s; the wait ends before.
    const news = transport.read(target, { signal, after: attempt.version, waitSeconds: 3 });
    await pass(3_000);
    assert.equal((await news).version, attempt.version);
  });

  test('by PSE: the bank’s address comes later, and the bank leads back to the shop', async () => {
    const { transport, pse, engine, pass } = hosted({ inlineCustomer: customer });
    const attempt = await transport.createPayin(pse, options());
    assert.ok(attempt.kind === 'PAYIN' && attempt.rail === 'PSE');
    assert.equal(attempt.sourceData?.pseUrl, null);
    await pass(1_500);
    const now = await transport.read({ kind: 'PAYIN', id: attempt.id }, { signal });
    assert.ok(now.kind === 'PAYIN' && now.rail === 'PSE');
    assert.match(now.sourceData?.pseUrl ?? '', /\/bank\//);
    assert.equal(engine.payins[0]?.callbackUrl, CALLBACK);
  });

  test('what the payer must give is asked for, checked and kept', async () => {
    const { transport, breb, engine } = hosted();
    const missing = await refused(transport.createPayin(breb, options()), 'invalid_request');
    assert.deepEqual(
      missing?.errors?.map(({ field, code }) => `${field} ${code}`),
      ['name', 'idNumber', 'phone', 'email'].map((field) => `inlineCustomer.${field} required`),
    );
    const wrong = { ...typed, email: 'nowhere' };
    const bad = await refused(
      transport.createPayin({ ...breb, inlineCustomer: wrong }, options()),
      'invalid_request',
    );
    assert.deepEqual(bad?.errors, [{ field: 'inlineCustomer.email', code: 'format' }]);
    assert.equal(engine.payins.length, 0);
    await transport.createPayin({ ...breb, inlineCustomer: typed }, options());
    assert.equal(engine.payins[0]?.inlineCustomer?.phone, '+573001234567');
  });

  test('the same key makes one payin; for another choice it is refused', async () => {
    const { transport, breb, pse, engine } = hosted({ inlineCustomer: customer });
    const key = options();
    const [one, two] = [await transport.createPayin(breb, key), await transport.createPayin(breb, key)];
    assert.equal(one.id, two.id);
    assert.equal(engine.payins.length, 1);
    await refused(transport.createPayin(pse, key), 'idempotency_mismatch');
  });

  test('an open payin is given back unless it is replaced, and only the current one can be', async () => {
    const { transport, breb, pse, engine } = hosted({ inlineCustomer: customer });
    const first = await transport.createPayin(breb, options());
    assert.equal((await transport.createPayin(pse, options())).id, first.id);
    const second = await transport.createPayin({ ...pse, replaces: first.id }, options());
    assert.notEqual(second.id, first.id);
    await refused(transport.createPayin({ ...breb, replaces: first.id }, options()), 'not_current');
    engine.settle(first.id, 'CONFIRMED');
    await refused(transport.createPayin({ ...breb, replaces: second.id }, options()), 'already_paid');
    engine.settle(second.id, 'CONFIRMED');
    const seen = await transport.read({ kind: 'PAYIN', id: second.id }, { signal });
    const { payments, ...verdict } = seen.settlement;
    assert.deepEqual(verdict, { state: 'PAID', by: first.id, duplicate: true });
    assert.deepEqual(
      payments?.map(({ reference }) => reference),
      engine.payins.map(({ reference }) => reference).toReversed(),
    );
  });

  test('the link’s bank and rail are kept, and an expired link takes nothing', async () => {
    const { transport, breb, pse, pass, engine } = hosted({
      rail: 'PSE',
      pse: { bank: 'CO_DAVIVIENDA' },
      inlineCustomer: customer,
    });
    await refused(transport.createPayin(pse, options()), 'method_unavailable');
    await refused(transport.createPayin(breb, options()), 'method_unavailable');
    await pass(HOUR_MS);
    const right = { ...pse, pse: { ...pse.pse, bank: 'CO_DAVIVIENDA' } };
    await refused(transport.createPayin(right, options()), 'method_unavailable');
    assert.equal(engine.payins.length, 0);
  });

  test('a form or a script of another site gets nothing done', async () => {
    const { sandbox, breb, id, engine } = hosted({ inlineCustomer: customer });
    const post = (headers: Record<string, string>) =>
      sandbox.fetch(
        new Request(`${BASE}/link/${id}/checkout/payins`, {
          method: 'POST',
          headers: { 'idempotency-key': 'key-of-another-site', ...headers },
          body: JSON.stringify(breb),
        }),
      );
    const json = { 'content-type': 'application/json' };
    assert.equal((await post({ ...json, origin: 'https://evil.example' })).status, 403);
    assert.equal((await post({ 'content-type': 'text/plain' })).status, 415);
    assert.equal((await post({ ...json, 'idempotency-key': '' })).status, 400);
    assert.equal(engine.payins.length, 0);
  });
});
