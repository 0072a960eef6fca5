import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import type { ScenarioName } from '../../../src/sandbox.js';
import { brebPayin, customer, link, MINUTE_MS, payout, psePayin, startSandbox, turn } from '../harness.js';

/** Each scenario by its name: what a merchant's program gets to see of it. */

const withCustomer = { ...brebPayin, inlineCustomer: customer };

function startWith(scenario: ScenarioName, options: Parameters<typeof startSandbox>[0] = {}) {
  const service = startSandbox(options);
  service.engine.setMishap(scenario, true);
  return service;
}

async function confirmedUnder(scenario: ScenarioName) {
  const service = startWith(scenario);
  const { id } = (await service.post('/payins', withCustomer)).body;
  await service.pass(5_000);
  return { ...service, id, read: async () => (await service.get(`/payins/${id}`)).body };
}

describe('how a payment ends', () => {
  for (const [scenario, status] of [
    ['confirmed', 'CONFIRMED'],
    ['declined', 'DECLINED'],
    ['canceled', 'CANCELED'],
  ] as const) {
    test(`${scenario} ends a payment by itself, without a document and against one`, async () => {
      const service = startWith(scenario);
      const { id } = (await service.post('/payins', brebPayin)).body;
      const idNumber = status === 'CONFIRMED' ? '1000000003' : '1000000001';
      const inlineCustomer = { ...customer, idNumber };
      const other = (await service.post('/payins', { ...brebPayin, reference: 'ORDER-2', inlineCustomer }))
        .body;
      await service.pass(4_999);
      assert.equal((await service.get(`/payins/${id}`)).body.status, 'PROCESSING');
      await service.pass(1);
      for (const each of [id, other.id]) {
        assert.equal((await service.get(`/payins/${each}`)).body.status, status);
      }
    });

    test(`${scenario} also decides what is paid on a link's page, and payouts`, async () => {
      const service = startWith(scenario);
      const { paymentLinkId } = (await service.post('/payment-links', link)).body;
      const payin = service.engine.payLink(paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
      await service.get('/breb/keys/@PROVEEDOR1');
      const { id } = (await service.post('/payouts', payout)).body;
      await service.pass(5_000);
      const found = [payin.id, id].map((each) => service.engine.find(each)?.status);
      assert.deepEqual(found, [status, status]);
    });
  }

  test('a scenario need not wait as long as a document', async () => {
    const service = startSandbox({ timings: { documentDelayMs: 60_000 } });
    const byDocument = (await service.post('/payins', withCustomer)).body;
    service.engine.armMishap('declined', 1);
    const byScenario = (await service.post('/payins', { ...withCustomer, reference: 'ORDER-2' })).body;
    const statuses = () => [byDocument, byScenario].map(({ id }) => service.engine.find(id)?.status);
    await service.pass(5_000);
    assert.deepEqual(statuses(), ['PROCESSING', 'DECLINED']);
    await service.pass(55_000);
    assert.deepEqual(statuses(), ['CONFIRMED', 'DECLINED']);
  });

  test('the outcome of a scenario comes although the bank page is open', async () => {
    const service = startWith('declined');
    const { id } = (await service.post('/payins', psePayin)).body;
    const payin = service.engine.payins[0];
    assert.ok(payin?.source.rail === 'PSE');
    service.engine.visitBank(payin.source.bankToken);
    await service.pass(5_000);
    assert.equal((await service.get(`/payins/${id}`)).body.status, 'DECLINED');
  });

  test('pending leaves it open whatever the document says, until a person decides', async () => {
    const service = startWith('pending');
    const { id } = (await service.post('/payins', withCustomer)).body;
    await service.pass(60 * MINUTE_MS);
    assert.equal((await service.get(`/payins/${id}`)).body.status, 'PROCESSING');
    service.engine.decide(id, 'CONFIRMED');
    assert.equal((await service.get(`/payins/${id}`)).body.status, 'CONFIRMED');
  });

  test('expired ends a link within seconds, and no payin', async () => {
    const service = startWith('expired');
    const { paymentLinkId } = (await service.post('/payment-links', link)).body;
    const { id } = (await service.post('/payins', withCustomer)).body;
    await service.pass(5_000);
    assert.equal(service.engine.readLink(paymentLinkId)?.status, 'EXPIRED');
    assert.equal((await service.get(`/payins/${id}`)).body.status, 'PROCESSING');
    const told = service.received.map(({ event }) => event);
    assert.ok(told.includes('paymentlink.expired'));
  });

  test('switched on for one payin alone, it comes for that one', async () => {
    const service = startSandbox();
    const { id } = (await service.post('/payins', brebPayin)).body;
    service.engine.setMishapFor(id, 'canceled', true);
    await service.pass(5_000);
    assert.equal((await service.get(`/payins/${id}`)).body.status, 'CANCELED');
  });
});

describe('creations that go wrong', () => {
  const paths = [
    ['/payins', brebPayin],
    ['/payment-links', link],
    ['/payouts', payout],
  ] as const;

  test('error-before-work answers 503 and creates nothing', async () => {
    const service = startWith('error-before-work');
    await service.get('/breb/keys/@PROVEEDOR1');
    for (const [path, body] of paths) {
      const answer = await service.post(path, body);
      assert.deepEqual([answer.status, answer.body.code], [503, 'service_unavailable']);
    }
    const { payins, links, payouts } = service.engine;
    assert.deepEqual([payins.length, links.length, payouts.length], [0, 0, 0]);
    service.engine.setMishap('error-before-work', false);
    assert.equal((await service.post('/payins', brebPayin)).status, 201);
  });

  test('error-after-work answers 500 although it was created', async () => {
    const service = startWith('error-after-work');
    await service.get('/breb/keys/@PROVEEDOR1');
    for (const [path, body] of paths) {
      const answer = await service.post(path, body);
      assert.deepEqual([answer.status, answer.body.code], [500, 'internal_error']);
    }
    const { payins, links, payouts } = service.engine;
    assert.deepEqual([payins.length, links.length, payouts.length], [1, 1, 1]);
    assert.equal((await service.get('/payins')).body.data.length, 1);
  });

  test('timeout-after-work creates at once and stays silent until 504', async () => {
    const service = startWith('timeout-after-work');
    let answered: number | undefined;
    const answer = service.post('/payins', brebPayin).then(({ status }) => (answered = status));
    while (service.engine.payins.length === 0) await Promise.resolve();
    await service.pass(119_999);
    await turn();
    assert.equal(answered, undefined);
    await service.pass(1);
    assert.equal(await answer, 504);
  });

  test('timeout-after-work lets go of a caller that gave up', async () => {
    const service = startWith('timeout-after-work');
    const abort = new AbortController();
    const answer = service.send('/payins', {
      method: 'POST',
      headers: { 'x-api-key': 'sandbox-api-key', 'content-type': 'application/json' },
      body: JSON.stringify(brebPayin),
      signal: abort.signal,
    });
    while (service.engine.payins.length === 0) await Promise.resolve();
    const timers = service.clock.nextDueAtMs();
    assert.notEqual(timers, undefined);
    abort.abort();
    await answer.catch(() => undefined);
    await service.pass(0);
    assert.equal(service.clock.nextDueAtMs(), undefined);
  });

  test('slow-answers holds every answer back', async () => {
    for (const body of [undefined, brebPayin]) {
      const service = startWith('slow-answers');
      let answered: number | undefined;
      const asked = body ? service.post('/payins', body) : service.get('/payins');
      const answer = asked.then(({ status }) => (answered = status));
      // A body is read before the pause begins.
      await turn();
      await service.pass(3_999);
      await turn();
      assert.equal(answered, undefined);
      await service.pass(1);
      assert.equal(await answer, body ? 201 : 200);
    }
  });

  test('repeated-references accepts a reference twice', async () => {
    const service = startWith('repeated-references');
    assert.equal((await service.post('/payins', brebPayin)).status, 201);
    assert.equal((await service.post('/payins', brebPayin)).status, 201);
    service.engine.setMishap('repeated-references', false);
    assert.equal((await service.post('/payins', brebPayin)).status, 409);
  });
});

describe('webhooks that go wrong', () => {
  test('webhooks-slow delivers a minute late', async () => {
    const { post, pass, events } = startWith('webhooks-slow');
    await post('/payins', brebPayin);
    await pass(59_999);
    assert.deepEqual(events(), []);
    await pass(1);
    assert.deepEqual(events(), ['payin.processing']);
  });

  test('webhooks-lost sends nothing, ever, and the log says so', async () => {
    const { engine, post, get, pass, events } = startWith('webhooks-lost');
    const { id } = (await post('/payins', withCustomer)).body;
    await pass(24 * 60 * MINUTE_MS);
    assert.deepEqual(events(), []);
    assert.deepEqual(
      engine.deliveries.map(({ state }) => state),
      ['LOST', 'LOST'],
    );
    assert.equal((await get(`/payins/${id}`)).body.status, 'CONFIRMED');
  });

  test('webhooks-duplicated delivers the same event twice', async () => {
    const { post, pass, received } = startWith('webhooks-duplicated');
    await post('/payins', brebPayin);
    await pass(MINUTE_MS);
    assert.equal(received.length, 2);
    assert.deepEqual(received[0]?.body, received[1]?.body);
  });

  test('webhooks-reordered lets the outcome overtake what came before it', async () => {
    const { post, pass, events } = startWith('webhooks-reordered');
    await post('/payins', withCustomer);
    await pass(MINUTE_MS);
    assert.deepEqual(events(), ['payin.confirmed', 'payin.processing']);
  });

  test('webhooks-forged claims a payment with a wrong header, once', async () => {
    const { post, get, pass, received } = startWith('webhooks-forged', {
      receive: () => new Response(null, { status: 401 }),
    });
    const { id } = (await post('/payins', brebPayin)).body;
    await pass(MINUTE_MS);
    const forged = received.filter(({ event }) => event === 'payin.confirmed');
    assert.equal(forged.length, 1);
    assert.equal(forged[0]?.body.data.id, id);
    assert.equal(forged[0]?.headers.get('x-webhook-secret'), 'not-the-secret');
    assert.equal((await get(`/payins/${id}`)).body.status, 'PROCESSING');
  });

  test('webhooks-forged-with-secret claims a payment with the right header', async () => {
    const { post, get, pass, received } = startWith('webhooks-forged-with-secret');
    const { id } = (await post('/payins', brebPayin)).body;
    const { paymentLinkId } = (await post('/payment-links', link)).body;
    await pass(MINUTE_MS);
    const forged = received.filter(({ event }) => event.endsWith('ed'));
    assert.deepEqual(
      forged.map(({ event, headers }) => [event, headers.get('x-webhook-secret')]),
      [
        ['payin.confirmed', 'sandbox-webhook-secret'],
        ['paymentlink.completed', 'sandbox-webhook-secret'],
      ],
    );
    assert.equal((await get(`/payins/${id}`)).body.status, 'PROCESSING');
    assert.equal((await get(`/payment-links/${paymentLinkId}`)).body.status, 'PENDING');
  });
});

describe('outcomes that go wrong', () => {
  test('underpaid confirms less than was asked', async () => {
    const { read } = await confirmedUnder('underpaid');
    const { status, amountInCents, confirmedAmountInCents } = await read();
    assert.deepEqual([status, amountInCents, confirmedAmountInCents], ['CONFIRMED', 5_000_000, 4_500_000]);
  });

  test('overpaid confirms more than was asked', async () => {
    const { read } = await confirmedUnder('overpaid');
    assert.equal((await read()).confirmedAmountInCents, 5_500_000);
  });

  test('underpaid and overpaid differ even for one cent', async () => {
    for (const [scenario, arrived] of [
      ['underpaid', 0],
      ['overpaid', 2],
    ] as const) {
      const { post, engine } = startWith(scenario);
      const { id } = (await post('/payins', { ...brebPayin, amountInCents: 1 })).body;
      const settled = engine.settle(id, 'CONFIRMED');
      assert.equal(settled.kind === 'payin' && settled.confirmedAmountInCents, arrived);
    }
  });

  test('late-confirmation confirms half an hour after creation, also when the payer paid at once', async () => {
    const { post, engine, pass, get, events } = startWith('late-confirmation');
    const automatic = (await post('/payins', withCustomer)).body.id;
    const paid = (await post('/payins', { ...brebPayin, reference: 'ORDER-2' })).body.id;
    engine.decide(paid, 'CONFIRMED');
    await pass(30 * MINUTE_MS - 1);
    assert.ok(!events().includes('payin.confirmed'));
    await pass(1);
    for (const id of [automatic, paid]) {
      assert.equal((await get(`/payins/${id}`)).body.status, 'CONFIRMED');
    }
  });

  test('what refuses payments leaves the exact amount in time alone', async () => {
    const service = startSandbox();
    service.engine.setMishap('other-amounts-refused', true);
    service.engine.setMishap('late-payments-refused', true);
    const { id } = (await service.post('/payins', withCustomer)).body;
    await service.pass(5_000);
    assert.equal((await service.get(`/payins/${id}`)).body.status, 'CONFIRMED');
    const { paymentLinkId } = (await service.post('/payment-links', link)).body;
    const inTime = service.engine.payLink(paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
    assert.equal(service.engine.settle(inTime.id, 'CONFIRMED').status, 'CONFIRMED');
  });

  test('declined-then-confirmed says both, in this order', async () => {
    const { read, pass, events } = await confirmedUnder('declined-then-confirmed');
    assert.equal((await read()).status, 'DECLINED');
    await pass(10_000);
    const { status, errorCode } = await read();
    assert.deepEqual([status, errorCode], ['CONFIRMED', null]);
    assert.deepEqual(events(), ['payin.processing', 'payin.declined', 'payin.confirmed']);
  });

  test('chargeback takes the money back a moment after it was confirmed', async () => {
    const { read, pass, events } = await confirmedUnder('chargeback');
    assert.equal((await read()).chargebackAt, null);
    await pass(10_000);
    const { status, settlementStatus, chargebackAt } = await read();
    assert.deepEqual([status, settlementStatus], ['CONFIRMED', 'REVERSED']);
    assert.ok(Date.parse(chargebackAt) > 0);
    assert.deepEqual(events(), ['payin.processing', 'payin.confirmed']);
  });
});

describe('answers that go wrong', () => {
  test('lagging-reads shows the payin as it was, and lists miss the newest', async () => {
    const { post, get, pass } = startWith('lagging-reads');
    const { id } = (await post('/payins', withCustomer)).body;
    assert.equal((await get(`/payins/${id}`)).status, 404);
    assert.deepEqual((await get('/payins')).body.data, []);
    await pass(10_000);
    assert.equal((await get(`/payins/${id}`)).body.status, 'PROCESSING');
    assert.equal((await get('/payins')).body.data[0]?.status, 'PROCESSING');
    await pass(5_000);
    assert.equal((await get(`/payins/${id}`)).body.status, 'CONFIRMED');
  });

  test('amount-in-cents-omitted leaves the cents out of every payin', async () => {
    const { post, get } = startWith('amount-in-cents-omitted');
    const created = (await post('/payins', brebPayin)).body;
    for (const payin of [created, (await get(`/payins/${created.id}`)).body]) {
      assert.equal('amountInCents' in payin, false);
      assert.equal('confirmedAmountInCents' in payin, false);
      assert.equal(payin.amount, 50_000);
    }
  });

  test('amount-as-cents puts cents into amount, in answers and events', async () => {
    const { post, pass, lastEvent } = startWith('amount-as-cents');
    assert.equal((await post('/payins', brebPayin)).body.amount, 5_000_000);
    await pass(0);
    assert.equal(lastEvent().data.amount, 5_000_000);
  });

  test('pse-url-never-set leaves the payer without a bank', async () => {
    const { post, get, pass } = startWith('pse-url-never-set');
    const { id } = (await post('/payins', psePayin)).body;
    await pass(60 * MINUTE_MS);
    assert.equal((await get(`/payins/${id}`)).body.sourceData.pseUrl, null);
  });

  test('renamed-statuses calls the outcomes by other names, in reads and events', async () => {
    const names = [];
    for (const outcome of ['CONFIRMED', 'DECLINED', 'CANCELED'] as const) {
      const { post, get, pass, engine, lastEvent } = startWith('renamed-statuses');
      const { id } = (await post('/payins', brebPayin)).body;
      engine.settle(id, outcome);
      await pass(0);
      names.push((await get(`/payins/${id}`)).body.status);
      assert.equal(lastEvent().data.status, names.at(-1));
    }
    assert.deepEqual(names, ['APPROVED', 'REJECTED', 'CANCELLED']);
  });
});
