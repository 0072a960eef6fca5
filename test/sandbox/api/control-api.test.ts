import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { type ScenarioName, SCENARIOS } from '../../../src/sandbox.js';
import { BASE, brebPayin, first, link, payout, startSandbox, type Wire } from '../harness.js';

const JSON_TYPE = { 'content-type': 'application/json' };

function control(options: Parameters<typeof startSandbox>[0] = {}) {
  const service = startSandbox(options);
  const change = (path: string, body: unknown = {}, headers: Record<string, string> = {}, method = 'POST') =>
    service.send(`/_/api${path}`, {
      method,
      headers: { ...JSON_TYPE, ...headers },
      body: JSON.stringify(body),
    });
  return { ...service, change };
}

async function withPayin() {
  const service = control();
  const { id } = (await service.post('/payins', brebPayin)).body;
  return { ...service, id };
}

describe('the control API', () => {
  test('settles a payin, with another amount if one is given', async () => {
    const { change, get, id } = await withPayin();
    const body = { outcome: 'CONFIRMED', confirmedAmountInCents: 123 };
    assert.equal((await change(`/payins/${id}/settle`, body)).status, 200);
    const payin = (await get(`/payins/${id}`)).body;
    assert.deepEqual([payin.status, payin.confirmedAmountInCents], ['CONFIRMED', 123]);
  });

  test('decides a payin as a bank would, scenarios included', async () => {
    const { change, get, id, pass, engine } = await withPayin();
    engine.setMishapFor(id, 'declined-then-confirmed', true);
    assert.equal((await change(`/payins/${id}/decide`, { outcome: 'CONFIRMED' })).status, 200);
    assert.equal((await get(`/payins/${id}`)).body.status, 'DECLINED');
    await pass(engine.timings.secondThoughtMs);
    assert.equal((await get(`/payins/${id}`)).body.status, 'CONFIRMED');
  });

  test('starts over', async () => {
    const { change, get, id } = await withPayin();
    assert.equal((await change('/reset')).status, 200);
    assert.equal((await get(`/payins/${id}`)).status, 404);
    assert.deepEqual((await get('/payins')).body.data, []);
  });

  test('settles a payout', async () => {
    const service = control();
    await service.get('/breb/keys/@PROVEEDOR1');
    const { id } = (await service.post('/payouts', payout)).body;
    assert.equal((await service.change(`/payins/${id}/settle`, { outcome: 'DECLINED' })).status, 404);
    assert.equal((await service.change(`/payouts/${id}/settle`, { outcome: 'DECLINED' })).status, 200);
    await service.pass(0);
    assert.equal(service.lastEvent().event, 'payout.declined');
  });

  test('moves the settlement status and charges back, after confirmation only', async () => {
    const { change, get, engine, id } = await withPayin();
    const early = await change(`/payins/${id}/settlement`, { status: 'SETTLED' });
    assert.deepEqual([early.status, early.body.code], [409, 'not_confirmed']);
    const soon = await change(`/payins/${id}/chargeback`);
    assert.deepEqual([soon.status, soon.body.code], [409, 'not_confirmed']);
    engine.settle(id, 'CONFIRMED');
    await change(`/payins/${id}/settlement`, { status: 'SETTLED' });
    assert.equal((await get(`/payins/${id}`)).body.settlementStatus, 'SETTLED');
    await change(`/payins/${id}/chargeback`);
    assert.notEqual((await get(`/payins/${id}`)).body.chargebackAt, null);
    const again = await change(`/payins/${id}/settle`, { outcome: 'DECLINED' });
    assert.deepEqual([again.status, again.body.code], [409, 'already_final']);
  });

  test('a link is paid with less, or after it expired: taken, unless the scenario refuses it', async () => {
    const pay = async (scenarios: readonly ScenarioName[], late: boolean) => {
      const { post, get, change, engine } = control();
      for (const scenario of scenarios) {
        await change('/mishaps', { scope: 'everywhere', scenario, on: true });
      }
      const { paymentLinkId } = (await post('/payment-links', { ...link, amountInCents: 4_290_000 })).body;
      const started = await change(`/links/${paymentLinkId}/pay`, { rail: 'BRE_B', keyType: 'QR_CODE' });
      if (late) await change(`/links/${paymentLinkId}/expire`);
      const paid = late ? {} : { confirmedAmountInCents: 1_000_000 };
      await change(`/payins/${started.body.id}/settle`, { outcome: 'CONFIRMED', ...paid });
      const { status, confirmedAmountInCents, errorCode } = (await get(`/payins/${started.body.id}`)).body;
      return [status, confirmedAmountInCents, errorCode, engine.readLink(paymentLinkId)?.status];
    };
    assert.deepEqual(await pay([], false), ['CONFIRMED', 1_000_000, null, 'COMPLETED']);
    assert.deepEqual(await pay([], true), ['CONFIRMED', 4_290_000, null, 'EXPIRED']);
    const refusing = ['other-amounts-refused', 'late-payments-refused'] as const;
    assert.deepEqual(await pay(refusing, false), ['DECLINED', null, 'AMOUNT_NOT_ACCEPTED', 'PENDING']);
    assert.deepEqual(await pay(refusing, true), ['DECLINED', null, 'LINK_EXPIRED', 'EXPIRED']);
  });

  test('pays and expires links', async () => {
    const service = control();
    const { paymentLinkId } = (await service.post('/payment-links', link)).body;
    const paid = await service.change(`/links/${paymentLinkId}/pay`, { rail: 'BRE_B', keyType: 'QR_CODE' });
    assert.equal(paid.status, 201);
    assert.equal(paid.body.paymentLinkId, paymentLinkId);
    assert.equal((await service.change(`/links/${paymentLinkId}/expire`)).status, 200);
    const late = await service.change(`/links/${paymentLinkId}/pay`, { rail: 'BRE_B', keyType: 'QR_CODE' });
    assert.deepEqual([late.status, late.body.code], [409, 'link_not_payable']);
  });

  test('switches scenarios everywhere, for the next creations, or for one record', async () => {
    const { change, engine, id } = await withPayin();
    await change('/mishaps', { scope: 'everywhere', scenario: 'underpaid', on: true });
    const { body } = await change('/mishaps', { scope: 'next', scenario: 'webhooks-lost', count: 3 });
    assert.deepEqual([body['everywhere'], body['armed']], [['underpaid'], { 'webhooks-lost': 3 }]);
    await change('/mishaps', { scope: 'one', scenario: 'chargeback', id, on: true });
    assert.deepEqual(first(engine.payins).mishaps, ['chargeback']);
    await change('/mishaps', { scope: 'everywhere', scenario: 'underpaid', on: false });
    await change('/mishaps', { scope: 'next', scenario: 'webhooks-lost', count: 0 });
    assert.deepEqual(engine.mishaps, { everywhere: [], armed: {} });
    const unknown = await change('/mishaps', { scope: 'everywhere', scenario: '__proto__', on: true });
    assert.deepEqual(unknown.body.errors, [{ field: 'scenario', code: 'not_allowed' }]);
  });

  test('lists scenarios, state and the delivery log', async () => {
    const { send, pass, engine, id } = await withPayin();
    await pass(0);
    assert.deepEqual((await send('/_/api/scenarios')).body, SCENARIOS);
    const { body } = await send('/_/api/state');
    assert.equal(body['revision'], engine.revision);
    assert.equal(first(body['payins'] as Wire[]).id, id);
    const [delivery] = body['deliveries'] as { state: string; attempts: unknown[] }[];
    assert.deepEqual([delivery?.state, delivery?.attempts.length], ['DELIVERED', 1]);
  });

  test('resends a delivery and configures where events go', async () => {
    const { change, pass, engine, events } = await withPayin();
    await pass(0);
    await change(`/deliveries/${first(engine.deliveries).id}/resend`);
    await pass(0);
    assert.deepEqual(events(), ['payin.processing', 'payin.processing']);
    const target = { url: 'http://other.test/hook', headerName: 'x-secret', headerValue: 'hidden-value' };
    const answer = await change('/webhooks', { targets: [target] }, {}, 'PUT');
    assert.equal(answer.status, 200);
    assert.equal(JSON.stringify(answer.body).includes('hidden-value'), false);
    engine.createPayin({ ...brebPayin, reference: 'ORDER-2' });
    assert.equal(first(engine.deliveries).url, target.url);
  });

  test('says what is wrong, and 404 for the unknown', async () => {
    const { change, id } = await withPayin();
    const wrong = await change(`/payins/${id}/settle`, { outcome: 'PAID' });
    assert.deepEqual(wrong.body.errors, [{ field: 'outcome', code: 'not_allowed' }]);
    const amount = { outcome: 'DECLINED', confirmedAmountInCents: 5 };
    assert.equal((await change(`/payins/${id}/settle`, amount)).status, 400);
    for (const path of ['/payins/x/settle', '/payouts/x/settle']) {
      assert.equal((await change(path, { outcome: 'CONFIRMED' })).status, 404);
    }
    for (const path of ['/payins/x/chargeback', '/links/x/expire', '/deliveries/x/resend', '/nothing']) {
      assert.equal((await change(path)).status, 404, path);
    }
  });
});

describe('no website gets at the control API', () => {
  const outcome = { outcome: 'CONFIRMED' };

  test('a change from another origin is refused', async () => {
    const { change, engine, id } = await withPayin();
    const foreign: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'http://localhost:5173' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const headers of foreign) {
      const answer = await change(`/payins/${id}/settle`, outcome, headers);
      assert.deepEqual([answer.status, answer.body.code], [403, 'forbidden'], JSON.stringify(headers));
    }
    assert.equal(first(engine.payins).status, 'PROCESSING');
    assert.equal((await change(`/payins/${id}/settle`, outcome, { origin: BASE })).status, 200);
  });

  test("a form's content types change nothing", async () => {
    const { send, engine, id } = await withPayin();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
      const init = { method: 'POST', headers: { 'content-type': type }, body: JSON.stringify(outcome) };
      assert.equal((await send(`/_/api/payins/${id}/settle`, init)).status, 415);
    }
    assert.equal(first(engine.payins).status, 'PROCESSING');
  });

  test('a name that someone points at this machine opens nothing, not even for reading', async () => {
    const { sandbox } = await withPayin();
    for (const path of ['/_/api/state', '/_/', '/_/revision']) {
      const answer = await sandbox.fetch(new Request(`http://rebound.example:4010${path}`));
      assert.equal(answer.status, 403, path);
    }
    for (const host of ['127.0.0.1:4010', '[::1]:4010', 'shop.localhost:4010']) {
      assert.equal((await sandbox.fetch(new Request(`http://${host}/_/api/state`))).status, 200, host);
    }
  });

  test('the address the sandbox was given is its own', async () => {
    const { sandbox } = control({ publicUrl: 'https://sandbox.test' });
    assert.equal((await sandbox.fetch(new Request('https://sandbox.test/_/api/state'))).status, 200);
  });
});
