import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { MaskedReceiver, PayoutView } from '../../../src/contract/merchant/payouts.js';
import type { AttemptListPage, AttemptTotals } from '../../../src/contract/merchant/sales.js';
import { settle } from '../../server/turns.js';
import { CUSTOMER, openConsoleWorld, PAYOUT } from './world.js';

/** Money that leaves: looked up, confirmed by a person, sent once, and followed to its event. */

const posts = (sent: readonly string[]) => sent.filter((each) => each === 'POST /payouts').length;

describe('a payout', () => {
  it('goes from lookup to its event, and shows the receiver masked', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const draft = await visitor.post<PayoutView>('/payouts', PAYOUT);
    assert.equal(draft.state, 'DRAFT');
    assert.equal(posts(world.sent), 0, 'nothing is sent before a person confirmed');
    assert.match(draft.receiver.name, /^Rec\*\*\* de Pru\*\*\* \d{3}$/);
    const receiver = world.engine.lookupKey(PAYOUT.keyString).details;
    const told = JSON.stringify(draft);
    for (const secret of [
      receiver.name,
      receiver.documentNumber,
      receiver.bankAccountNumber,
      PAYOUT.keyString,
    ]) {
      assert.ok(!told.includes(secret ?? '?'), `the page never gets ${secret ?? '?'}`);
    }
    assert.ok(!told.includes(CUSTOMER.idNumber) && !told.includes(CUSTOMER.email));

    const sent = await visitor.post<PayoutView>(`/payouts/${draft.id}/send`, { version: 1 });
    assert.equal(sent.state, 'PROCESSING');
    await world.settled();
    const processing = await visitor.get<PayoutView>(`/payouts/${draft.id}`);
    assert.equal(processing.state, 'PROCESSING');
    world.engine.settle(processing.serviceId ?? '', 'CONFIRMED');
    await world.settled();
    const [confirmed] = await visitor.list<PayoutView>('/payouts');
    assert.equal(confirmed?.state, 'CONFIRMED');
    assert.deepEqual(
      new Set(confirmed?.steps.map(({ step }) => step)),
      new Set(['DRAFT', 'SENDING', 'PROCESSING', 'CONFIRMED']),
    );
    const [made] = world.engine.payouts;
    assert.deepEqual([made?.reference, made?.amountInCents], [draft.reference, PAYOUT.amountInCents]);
  });

  it('is found by its reference and its sum, beside the sales and not counted as received', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const draft = await visitor.post<PayoutView>('/payouts', { ...PAYOUT, reference: 'NOMINA-7' });
    await visitor.post<PayoutView>(`/payouts/${draft.id}/send`, { version: 1 });
    await world.settled();
    world.engine.settle(world.engine.payouts[0]?.id ?? '', 'CONFIRMED');
    await world.settled();
    for (const search of ['nomina-7', '150.000']) {
      const found = await visitor.get<AttemptListPage & { totals: AttemptTotals }>(
        `/attempts?search=${search}`,
      );
      assert.deepEqual(
        found.attempts.map(({ id, order, rail, status }) => ({ id, order, rail, status })),
        [{ id: draft.id, order: '', rail: 'PAYOUT', status: 'CONFIRMED' }],
      );
      assert.deepEqual(found.totals, { count: 1, amountInCents: 0, paid: 0, paidInCents: 0 });
    }
    assert.deepEqual((await visitor.get<AttemptListPage>('/attempts')).attempts, []);
  });

  it('is sent once, however often and from wherever it is confirmed', async (t) => {
    const world = await openConsoleWorld(t);
    const [one, other] = [await world.signIn(), await world.signIn()];
    const { id } = await one.post<PayoutView>('/payouts', PAYOUT);
    const answers = await Promise.all(
      [one, other, one, other].map((visitor) => visitor.ask('POST', `/payouts/${id}/send`, { version: 1 })),
    );
    assert.deepEqual(
      answers.map(({ status }) => status),
      [202, 202, 202, 202],
    );
    await world.settled();
    await one.post(`/payouts/${id}/send`, { version: 1 });
    world.restart();
    await one.post(`/payouts/${id}/send`, { version: 1 });
    await world.settled();
    assert.equal(posts(world.sent), 1);
    assert.equal(world.engine.payouts.length, 1);
    assert.equal((await one.ask('DELETE', `/payouts/${id}`)).status, 409);
  });

  it('whose answer is unclear is never sent again and waits for its event', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { id } = await visitor.post<PayoutView>('/payouts', PAYOUT);
    world.engine.setMishap('error-after-work', true);
    // The first event is lost as well: only the outcome will tell.
    world.engine.setMishap('webhooks-lost', true);
    await visitor.post(`/payouts/${id}/send`, { version: 1 });
    await world.settled();
    const unclear = await visitor.post<PayoutView>(`/payouts/${id}/send`, { version: 1 });
    await world.settled();
    assert.deepEqual([unclear.state, unclear.reason, unclear.serviceId], ['UNCLEAR', 'unavailable', null]);
    assert.equal(posts(world.sent), 1);

    world.engine.setMishap('webhooks-lost', false);
    const [made] = world.engine.payouts;
    world.engine.settle(made?.id ?? '', 'DECLINED');
    await world.settled();
    const told = await visitor.get<PayoutView>(`/payouts/${id}`);
    assert.deepEqual([told.state, told.serviceId, told.reason], ['DECLINED', made?.id, null]);
  });

  it('keeps the outcome of an event that came before the answer', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { id } = await visitor.post<PayoutView>('/payouts', PAYOUT);
    world.cutIn(async (request, next) => {
      const answer = await next(request);
      if (request.method === 'POST' && request.url.endsWith('/payouts')) {
        world.engine.settle(world.engine.payouts[0]?.id ?? '', 'CONFIRMED');
        await world.clock.advance(1, () => settle());
        await world.engine.idle();
      }
      return answer;
    });
    await visitor.post(`/payouts/${id}/send`, { version: 1 });
    await world.settled();
    const told = await visitor.get<PayoutView>(`/payouts/${id}`);
    assert.deepEqual([told.state, told.serviceId], ['CONFIRMED', world.engine.payouts[0]?.id]);
  });

  it('is not sent when the key has another owner than was shown', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const { id } = await visitor.post<PayoutView>('/payouts', PAYOUT);
    world.cutIn(async (request, next) => {
      const answer = await next(request);
      if (!request.url.includes('/breb/keys/')) return answer;
      const { details } = (await answer.json()) as { details: object };
      return Response.json({ details: { ...details, name: 'Otra Persona' } });
    });
    await visitor.post(`/payouts/${id}/send`, { version: 1 });
    await world.settled();
    const { state, reason } = await visitor.get<PayoutView>(`/payouts/${id}`);
    assert.deepEqual([state, reason], ['REFUSED', 'receiver_not_confirmed']);
    assert.equal(posts(world.sent), 0);
  });

  it('must be confirmed while the receiver is fresh, or can be dropped', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const stale = await visitor.post<PayoutView>('/payouts', PAYOUT);
    await world.clock.advance(16 * 60_000);
    assert.equal((await visitor.ask('POST', `/payouts/${stale.id}/send`, { version: 1 })).status, 404);
    const { id } = await visitor.post<PayoutView>('/payouts', PAYOUT);
    assert.equal((await visitor.ask('DELETE', `/payouts/${id}`)).status, 204);
    assert.equal((await visitor.ask('POST', `/payouts/${id}/send`, { version: 1 })).status, 404);
    assert.equal(posts(world.sent), 0);
  });

  it('says which field is wrong, and whether anybody has the key', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const refused = async (body: object) => {
      const answer = await visitor.ask('POST', '/payouts', { ...PAYOUT, ...body });
      assert.equal(answer.status, 422);
      return ((await answer.json()) as { errors: object[] }).errors;
    };
    const keyString = 'breb.keyString';
    assert.deepEqual(await refused({ keyString: '@noexiste' }), [{ field: keyString, code: 'not_allowed' }]);
    assert.deepEqual(await refused({ keyString: 'no key' }), [{ field: keyString, code: 'format' }]);
    assert.deepEqual(await refused({ amountInCents: 0 }), [{ field: 'amountInCents', code: 'too_small' }]);
    assert.deepEqual(await refused({ amountInCents: '100' }), [
      { field: 'amountInCents', code: 'wrong_type' },
    ]);
    assert.deepEqual(await refused({ inlineCustomer: { ...CUSTOMER, phone: '300' } }), [
      { field: 'inlineCustomer.phone', code: 'format' },
    ]);
    assert.deepEqual(await refused({ reference: 'a|b', note: 'x'.repeat(501) }), [
      { field: 'reference', code: 'format' },
      { field: 'note', code: 'too_long' },
    ]);
    assert.deepEqual(await visitor.list('/payouts'), []);

    // The key comes first, alone: whose it is, and no other data.
    const keyOf = (body: object) => visitor.post<unknown>('/keys', body);
    const found = (await keyOf({ keyString: PAYOUT.keyString })) as MaskedReceiver;
    assert.match(found.name, /^Rec\*\*\* de Pru\*\*\* \d{3}$/);
    assert.equal(found.typed, undefined);
    assert.ok(!JSON.stringify(found).includes(PAYOUT.keyString));
    const keyFault = (code: string) => ({ code: 'invalid_input', errors: [{ field: keyString, code }] });
    assert.deepEqual(await keyOf({ keyString: '@noexiste' }), keyFault('not_allowed'));
    assert.deepEqual(await keyOf({ keyString: 'no key' }), keyFault('format'));
    for (const nothing of ['', 7, null])
      assert.deepEqual(await keyOf({ keyString: nothing }), keyFault('required'));
  });

  it('has the reference that the merchant gives it, once, and a note that stays here', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const own = { ...PAYOUT, reference: 'NOMINA-11', note: 'Segunda quincena' };
    const { id, reference, note } = await visitor.post<PayoutView>('/payouts', own);
    assert.deepEqual([reference, note], ['NOMINA-11', 'Segunda quincena']);
    await visitor.post(`/payouts/${id}/send`, { version: 1 });
    await world.settled();
    const again = await visitor.ask('POST', '/payouts', own);
    assert.deepEqual(((await again.json()) as { errors: object[] }).errors, [
      { field: 'reference', code: 'taken' },
    ]);
    const [made] = world.engine.payouts;
    assert.equal(made?.reference, 'NOMINA-11');
    assert.ok(!JSON.stringify(made).includes('quincena'));
    assert.equal((await visitor.get<PayoutView>(`/payouts/${made?.id ?? ''}`)).id, id, 'by either id');
    assert.equal((await visitor.ask('POST', `/payouts/${id}/note`, { note: 'Corregida' })).status, 204);
    assert.equal((await visitor.get<PayoutView>(`/payouts/${id}`)).note, 'Corregida');
  });
});
