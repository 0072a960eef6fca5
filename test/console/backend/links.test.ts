import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Listed, LinkView, OrderDetail, PayinPage } from '../../../src/contract/merchant/console.js';
import { CUSTOMER, openConsoleWorld, SITE, startPayment } from './world.js';

describe('payment links', () => {
  const flows = {
    open: {},
    restricted: { rail: 'BRE_B' },
    bank: { bank: 'CO_BANCOLOMBIA' },
    prefilled: { inlineCustomer: CUSTOMER },
    'restricted-prefilled': { rail: 'PSE', inlineCustomer: CUSTOMER },
  } as const;
  const base = { amountInCents: 4_290_000, callbackUrl: `${SITE}/gracias` };

  it('are created in the five flows, each with its own fields and no others', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    for (const [flow, fields] of Object.entries(flows)) {
      // What another flow would send must not slip in.
      const link = await visitor.post<LinkView>('/links', {
        ...flows['restricted-prefilled'],
        ...flows.bank,
        ...base,
        ...fields,
        flow,
      });
      const made = world.engine.links.find(({ id }) => id === link.serviceId);
      assert.deepEqual([link.state, link.flow], ['PENDING', flow]);
      assert.equal(
        made?.rail ?? null,
        'bank' in fields ? 'PSE' : 'rail' in fields ? fields.rail : null,
        flow,
      );
      assert.equal(made?.bank ?? null, 'bank' in fields ? fields.bank : null, flow);
      assert.equal(
        made?.inlineCustomer?.idNumber,
        'inlineCustomer' in fields ? CUSTOMER.idNumber : undefined,
        flow,
      );
      assert.ok(!JSON.stringify(link).includes(CUSTOMER.idNumber), 'no personal data to the page');
    }
    assert.equal((await visitor.list<LinkView>('/links')).length, 5);
    const kept = JSON.stringify(await world.store.list({ limit: 10 }));
    assert.ok(!kept.includes(CUSTOMER.email), 'nothing of the payer is kept');
  });

  it('name what a flow needs and did not get', async (t) => {
    const visitor = await (await openConsoleWorld(t)).signIn();
    const refused = async (body: object) => {
      const answer = await visitor.ask('POST', '/links', body);
      assert.equal(answer.status, 422);
      return ((await answer.json()) as { errors: { field: string }[] }).errors.map(({ field }) => field);
    };
    assert.deepEqual(await refused({ ...base, flow: 'restricted' }), ['rail']);
    assert.deepEqual(await refused({ ...base, flow: 'bank' }), ['pse.bank']);
    assert.deepEqual(await refused({ ...base, flow: 'bank', bank: 'CO_NOWHERE' }), ['pse.bank']);
    assert.deepEqual(await refused({ ...base, flow: 'prefilled' }), ['inlineCustomer']);
    assert.deepEqual(await refused({ ...base, flow: 'other' }), ['flow']);
    assert.deepEqual(await refused({ ...base, flow: 'open', callbackUrl: 'javascript:alert(1)' }), [
      'callbackUrl',
    ]);
    assert.deepEqual(await refused({ ...base, flow: 'open', amountInCents: 0.5 }), ['amountInCents']);
    assert.deepEqual(await visitor.list('/links'), []);
  });

  it('carry a reference of the merchant, which the service gets, and words that stay here', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const own = { reference: ' MESA-4 ', concept: 'Almuerzo «del día»', note: 'Sin cebolla' };
    const link = await visitor.post<LinkView>('/links', { ...base, flow: 'open', ...own });
    assert.deepEqual([link.reference, link.concept, link.note], ['MESA-4', own.concept, own.note]);
    const made = JSON.stringify(world.engine.links);
    assert.ok(link.url?.includes(link.serviceId ?? 'none'), 'the address that the service gave');
    assert.ok(made.includes('MESA-4') && !made.includes('Almuerzo') && !made.includes('cebolla'));
    world.restart();
    assert.deepEqual(await visitor.get<LinkView>(`/links/${link.serviceId ?? ''}`), link, 'by either id');

    const refused = async (more: object) => {
      const answer = await visitor.ask('POST', '/links', { ...base, flow: 'open', ...more });
      assert.equal(answer.status, 422);
      return ((await answer.json()) as { errors: object[] }).errors;
    };
    const fault = (field: string, code: string) => [{ field, code }];
    assert.deepEqual(await refused({ reference: 'MESA-4' }), fault('reference', 'taken'));
    assert.deepEqual(await refused({ reference: 'a|b' }), fault('reference', 'format'));
    assert.deepEqual(await refused({ reference: 'x'.repeat(65) }), fault('reference', 'too_long'));
    assert.deepEqual(await refused({ reference: 7 }), fault('reference', 'wrong_type'));
    assert.deepEqual(await refused({ concept: 'x'.repeat(81) }), fault('concept', 'too_long'));
    assert.deepEqual(await refused({ note: 'a\u0000b' }), fault('note', 'format'));
    assert.deepEqual(await refused({ reference: 'a"b', amountInCents: 0 }), [
      ...fault('reference', 'format'),
      ...fault('amountInCents', 'too_small'),
    ]);
    assert.equal((await visitor.list<LinkView>('/links')).length, 1);
    assert.equal(world.engine.links.length, 1);

    // Without one, the reference names the concept, since the service has no other field to show it from.
    const { reference } = await visitor.post<LinkView>('/links', {
      ...base,
      flow: 'open',
      concept: own.concept,
    });
    assert.match(reference, /^EN-\w{8}-almuerzo-del-dia$/);
    assert.deepEqual(world.engine.links.map((each) => each.reference).toSorted(), [reference, 'MESA-4']);

    // A note may be written later too; a reference may not.
    const noted = async (body: object, id = link.id) =>
      (await visitor.ask('POST', `/links/${id}/note`, body)).status;
    assert.equal(await noted({ note: 'Pagó en efectivo', reference: 'OTRA' }), 204);
    assert.equal(await noted({ note: 'x'.repeat(501) }), 422);
    assert.equal(await noted({ note: '' }, 'unknown'), 404);
    const after = (await visitor.list<LinkView>('/links')).find(({ id }) => id === link.id);
    assert.deepEqual([after?.note, after?.reference], ['Pagó en efectivo', 'MESA-4']);
    assert.equal(await noted({ note: ' ' }), 204);
    assert.equal((await visitor.list<LinkView>('/links')).find(({ id }) => id === link.id)?.note, null);
  });

  it('are listed newest first, a hundred to a page, with how many there are', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    for (let made = 1; made <= 103; made++) {
      await world.clock.advance(1_000);
      await visitor.post('/links', { ...base, flow: 'open', reference: `LINK-${made}` });
    }
    const look = async (path: string) => {
      const { rows, from, total } = await visitor.get<Listed<LinkView>>(path);
      return [rows.length, rows[0]?.reference, rows.at(-1)?.reference, from, total];
    };
    assert.deepEqual(await look('/links'), [100, 'LINK-103', 'LINK-4', 0, 103]);
    assert.deepEqual(await look('/links?from=100'), [3, 'LINK-3', 'LINK-1', 100, 103]);
    assert.deepEqual(await look('/links?from=5000'), [3, 'LINK-3', 'LINK-1', 100, 103]);
    for (const odd of ['-5', 'drop', '1e99', '0.5', ''])
      assert.deepEqual(await look(`/links?from=${odd}`), [100, 'LINK-103', 'LINK-4', 0, 103], odd);
  });

  it('show what became of them, without a hook of the shop', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const paid = await visitor.post<LinkView>('/links', { ...base, flow: 'open' });
    const late = await visitor.post<LinkView>('/links', { ...base, flow: 'open' });
    world.engine.settle(
      world.engine.payLink(paid.serviceId ?? '', { rail: 'BRE_B', keyType: 'QR_CODE' }).id,
      'CONFIRMED',
    );
    world.engine.expireLink(late.serviceId ?? '');
    await world.settled();
    const states = new Map((await visitor.list<LinkView>('/links')).map((link) => [link.id, link]));
    assert.deepEqual(
      [paid, late].map(({ id }) => [states.get(id)?.state, states.get(id)?.paidInCents]),
      [
        ['COMPLETED', base.amountInCents],
        ['EXPIRED', 0],
      ],
    );
    // The shop has no order for them, so no hook is called and nothing needs a person.
    assert.deepEqual(
      world.engine.deliveries.map(({ state }) => state),
      ['DELIVERED', 'DELIVERED'],
    );
    assert.deepEqual(world.told, []);
    assert.equal((await visitor.get<{ unmatchedEvents: number }>('/review')).unmatchedEvents, 0);
    const { rows } = await visitor.get<PayinPage>(`/payins?link=${paid.serviceId ?? ''}`);
    assert.deepEqual(
      rows.map(({ reference, status }) => [reference, status]),
      [[paid.reference, 'CONFIRMED']],
    );
  });

  it('are made again under another reference when it is unknown whether the first was made', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    world.engine.armMishap('error-after-work', 1);
    const link = await visitor.post<LinkView>('/links', { ...base, flow: 'open', reference: 'MESA-1' });
    await world.settled();
    const after = await visitor.get<LinkView>(`/links/${link.id}`);
    assert.equal(after.state, 'PENDING');
    assert.notEqual(after.reference, 'MESA-1');
    assert.equal(world.engine.links.length, 2, 'the first address was never shown');
  });

  it('of a payin that came short ask for the rest, and complete the order', async (t) => {
    const world = await openConsoleWorld(t);
    const visitor = await world.signIn();
    const order = world.place();
    world.engine.setMishap('underpaid', true);
    await startPayment(world, order);
    world.engine.settle(world.engine.payins[0]?.id ?? '', 'CONFIRMED');
    await world.settled();
    world.engine.setMishap('underpaid', false);
    const { missingInCents } = await visitor.get<OrderDetail>(`/orders/${order}`);
    assert.ok(missingInCents > 0);
    const link = await visitor.post<LinkView>('/links', { flow: 'open', order, callbackUrl: SITE });
    assert.deepEqual([link.amountInCents, link.order], [missingInCents, order]);
    const payin = world.engine.payLink(link.serviceId ?? '', { rail: 'BRE_B', keyType: 'QR_CODE' });
    world.engine.settle(payin.id, 'CONFIRMED');
    await world.settled();
    assert.deepEqual(world.told, [order], 'the shop delivers now');
    const again = await visitor.ask('POST', '/links', { flow: 'open', order, callbackUrl: SITE });
    assert.deepEqual([again.status, await again.json()], [409, { code: 'not_payable', errors: [] }]);
    const none = await visitor.ask('POST', '/links', { flow: 'open', order: 'A-NONE', callbackUrl: SITE });
    assert.equal(none.status, 404);
  });
});
