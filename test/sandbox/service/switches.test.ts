import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { SCENARIO_NAMES, SCENARIOS } from '../../../src/sandbox.js';
import { brebPayin, link, startSandbox } from '../harness.js';

describe('the switches', () => {
  test('a scenario can be armed for the next creations only', async () => {
    const { engine, post } = startSandbox();
    engine.armMishap('amount-in-cents-omitted', 2);
    const seen = [];
    for (const reference of ['A', 'B', 'C']) {
      seen.push('amountInCents' in (await post('/payins', { ...brebPayin, reference })).body);
    }
    assert.deepEqual(seen, [false, false, true]);
    assert.deepEqual(engine.mishaps.armed, {});
  });

  test('an armed failure is used up by the creation that fails, not by one that is invalid', async () => {
    const { engine, post } = startSandbox();
    engine.armMishap('error-before-work', 1);
    assert.equal((await post('/payins', {})).status, 400);
    assert.equal((await post('/payins', brebPayin)).status, 503);
    assert.equal((await post('/payins', brebPayin)).status, 201);
  });

  test('a scenario can be for one payin alone', async () => {
    const { engine, post, get } = startSandbox();
    const { id } = (await post('/payins', brebPayin)).body;
    const other = (await post('/payins', { ...brebPayin, reference: 'ORDER-2' })).body;
    engine.setMishapFor(id, 'renamed-statuses', true);
    engine.settle(id, 'CONFIRMED');
    engine.settle(other.id, 'CONFIRMED');
    assert.equal((await get(`/payins/${id}`)).body.status, 'APPROVED');
    assert.equal((await get(`/payins/${other.id}`)).body.status, 'CONFIRMED');
  });

  test("a link's scenarios go with its payin", async () => {
    const { engine, post } = startSandbox();
    engine.armMishap('underpaid', 1);
    const { paymentLinkId } = (await post('/payment-links', link)).body;
    const payin = engine.payLink(paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
    const settled = engine.settle(payin.id, 'CONFIRMED');
    assert.equal(settled.kind === 'payin' && settled.confirmedAmountInCents, 4_500_000);
  });

  test('every scenario says in both languages what it does', () => {
    for (const name of SCENARIO_NAMES) {
      assert.match(name, /^[a-z]+(?:-[a-z]+)*$/);
      assert.match(SCENARIOS[name].es, /^[A-ZÁÉÍÓÚ].{15,}\.$/);
      assert.match(SCENARIOS[name].en, /^[A-Z].{15,}\.$/);
    }
  });
});
