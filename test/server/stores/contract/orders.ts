import assert from 'node:assert/strict';
import { test } from 'vitest';
import { KeyTakenError, type OrderRow } from '../../../../src/server/stores/store.js';
import { LEASE_MS, now, write, put, increment, names, wait, removeOrder, type Open } from './support.js';

export function rows(open: Open): void {
  test('an order that was never written is not there', async (t) => {
    const { one } = await open(t);
    assert.equal(await one.read('nobody'), undefined);
    assert.equal(await one.find('nobody'), undefined);
    const seen = await one.update('nobody', (row) => ({ result: row }));
    assert.equal(seen, undefined);
    assert.equal(await one.read('nobody'), undefined);
  });

  test('a write is read back by every instance with its revision growing by one', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { body: { step: 1 } });
    assert.deepEqual(await two.read('order'), { id: 'order', revision: 1, body: { step: 1 } });
    await put(two, 'order', { body: { step: 2 } });
    assert.deepEqual(await one.read('order'), { id: 'order', revision: 2, body: { step: 2 } });
  });

  test('the decision sees the order as last committed and its result comes back', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { body: { total: 41 } });
    const result = await two.update('order', (row) => ({
      result: { saw: row?.body, revision: row?.revision },
    }));
    assert.deepEqual(result, { saw: { total: 41 }, revision: 1 });
    assert.equal((await one.read('order'))?.revision, 1);
  });

  test('a decision that throws leaves nothing behind', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { body: { step: 1 }, addKeys: ['first'] });
    const refusal = new Error('no');
    for (const id of ['order', 'fresh']) {
      const attempt = one.update(id, () => {
        throw refusal;
      });
      await assert.rejects(attempt, refusal);
    }
    assert.deepEqual((await two.read('order'))?.body, { step: 1 });
    assert.equal(await two.read('fresh'), undefined);
    await put(one, 'order', { body: { step: 2 } });
    assert.deepEqual((await two.read('order'))?.body, { step: 2 });
  });

  test('a body that cannot be written as JSON leaves nothing behind', async (t) => {
    const { one } = await open(t);
    const circular: Record<string, unknown> = {};
    circular['self'] = circular;
    await assert.rejects(put(one, 'order', { body: circular, addKeys: ['key'] }));
    assert.equal(await one.read('order'), undefined);
    assert.equal(await one.find('key'), undefined);
  });

  test('changing what was handed in or out changes nothing that is kept', async (t) => {
    const { one } = await open(t);
    const body = { list: [1] };
    await put(one, 'order', { body });
    body.list.push(2);
    const read = (await one.read('order'))?.body as { list: number[] };
    try {
      read.list.push(3);
    } catch {
      // Refusing is as good as forgetting.
    }
    assert.deepEqual((await one.read('order'))?.body, { list: [1] });
  });

  test('an order that was removed and made anew elsewhere is read as it is now, at the same revision', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { body: { paid: 10 }, addKeys: ['key'] });
    assert.deepEqual(await one.find('key'), { id: 'order', revision: 1, body: { paid: 10 } });
    await removeOrder(two, 'order');
    assert.equal(await one.find('key'), undefined);
    await put(two, 'order', { body: { paid: 0 }, addKeys: ['key'] });
    assert.deepEqual(await one.find('key'), { id: 'order', revision: 1, body: { paid: 0 } });
    assert.deepEqual((await one.read('order'))?.body, { paid: 0 });
  });

  test('parallel updates of one order over two instances are all counted', async (t) => {
    const { one, two } = await open(t);
    const updates = Array.from({ length: 60 }, (_, index) => increment(index % 2 === 0 ? one : two, 'order'));
    const results = await Promise.all(updates);
    assert.deepEqual((await one.read('order'))?.body, { count: 60 });
    assert.deepEqual(
      results.sort((left, right) => left - right),
      Array.from({ length: 60 }, (_, index) => index + 1),
    );
    assert.equal((await two.read('order'))?.revision, 60);
  });

  test('parallel creations of one order over two instances decide once', async (t) => {
    const { one, two } = await open(t);
    for (let round = 0; round < 10; round++) {
      const created = await Promise.all(
        Array.from({ length: 8 }, (_, index) =>
          (index % 2 === 0 ? one : two).update(`order ${round}`, (row) =>
            row === undefined
              ? { result: true, write: write({ body: { by: index }, addKeys: [`made ${round} ${index}`] }) }
              : { result: false },
          ),
        ),
      );
      assert.equal(created.filter(Boolean).length, 1);
      const winner = created.indexOf(true);
      assert.deepEqual((await one.read(`order ${round}`))?.body, { by: winner });
      assert.equal((await two.find(`made ${round} ${winner}`))?.id, `order ${round}`);
    }
  });

  test('updates of different orders do not disturb each other', async (t) => {
    const { one, two } = await open(t);
    const ids = Array.from({ length: 10 }, (_, index) => `order ${index}`);
    await Promise.all(ids.flatMap((id) => [one, two, one].map((store) => increment(store, id))));
    for (const id of ids) assert.deepEqual((await one.read(id))?.body, { count: 3 });
  });

  test('a body of a megabyte and every kind of character comes back as it was', async (t) => {
    const { one, two } = await open(t);
    const body = {
      long: 'ñ"\\\'🎉'.repeat(180_000),
      nul: 'a\u0000b',
      lone: '\ud800x\udfff',
      controls: '\u0001\u001f\u2028\ufeff',
      nested: [[[null, true, -0.5, 1e21, { '': '', __x: 'y' }]]],
    };
    await put(one, 'order', { body });
    assert.deepEqual((await two.read('order'))?.body, body);
  });

  test('odd ids and keys stay apart and come back exactly', async (t) => {
    const { one, two } = await open(t);
    const long = 'x'.repeat(190);
    const ids = [
      '',
      ' ',
      'a',
      'A',
      'a ',
      'á',
      'a\u0301',
      '🎉',
      `'; drop table checkout_orders; --`,
      '"quoted"',
      'back\\slash',
      '\\',
      '\\x00',
      '%',
      '_',
      'a\ufffd',
      'null',
      '__proto__',
      long,
      `${long}1`,
    ];
    for (const [index, id] of ids.entries()) {
      await put(one, id, { body: { index }, addKeys: [`key of ${id}`, id] });
    }
    for (const [index, id] of ids.entries()) {
      assert.deepEqual(await two.read(id), { id, revision: 1, body: { index } });
      assert.deepEqual(await two.find(`key of ${id}`), { id, revision: 1, body: { index } });
      assert.deepEqual((await two.find(id))?.id, id);
    }
    const claimed = await two.claim(now, LEASE_MS, 100);
    assert.deepEqual(names(claimed).sort(), [...ids].sort());
    for (const lease of claimed) await one.release(lease);
    assert.equal((await one.claimOne(long, now, LEASE_MS))?.row.id, long);
  });
}

export function keys(open: Open): void {
  test('an order is found by every key it was ever given', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { addKeys: ['first', 'second'] });
    await put(two, 'order', { body: { step: 2 }, addKeys: ['third', 'first'] });
    for (const key of ['first', 'second', 'third']) {
      assert.deepEqual(await one.find(key), { id: 'order', revision: 2, body: { step: 2 } });
    }
    assert.equal(await one.find('order'), undefined);
  });

  test('a key of another order is refused by name and nothing is written', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'first', { body: { of: 1 }, addKeys: ['shared'] });
    await put(one, 'second', { body: { of: 2 }, addKeys: ['own'] });
    const theft = put(two, 'second', { body: { of: 3 }, addKeys: ['new', 'shared', 'newer'] });
    await assert.rejects(theft, (error) => error instanceof KeyTakenError && error.key === 'shared');
    assert.deepEqual(await one.read('second'), { id: 'second', revision: 1, body: { of: 2 } });
    assert.equal((await one.find('shared'))?.id, 'first');
    assert.equal(await one.find('new'), undefined);
    assert.equal(await one.find('newer'), undefined);

    const creation = put(two, 'third', { addKeys: ['fresh', 'shared'] });
    await assert.rejects(creation, KeyTakenError);
    assert.equal(await one.read('third'), undefined);
    assert.equal(await one.find('fresh'), undefined);
  });

  test('a row is updated by the first of several keys that has an owner', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'a', { addKeys: ['k-a'] });
    await put(one, 'b', { addKeys: ['k-b'] });
    const decided: string[] = [];
    const note = (row: OrderRow) => {
      decided.push(row.id);
      return { result: row.revision, write: write({ body: 'noted' }) };
    };
    assert.equal(await two.updateByKey(['nobody', 'k-b', 'k-a'], note), 1);
    assert.equal(await two.updateByKey(['nobody'], note), undefined);
    assert.equal(await two.updateByKey([], note), undefined);
    assert.deepEqual(decided, ['b']);
    assert.deepEqual(await one.read('b'), { id: 'b', revision: 2, body: 'noted' });
    assert.deepEqual((await one.read('a'))?.body, { step: 1 });
  });

  test('one of many orders that want the same key at once gets it', async (t) => {
    const { one, two } = await open(t);
    for (let round = 0; round < 5; round++) {
      const wanted = [`a ${round}`, `b ${round}`];
      const outcomes = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) =>
          put(index % 2 === 0 ? one : two, `order ${round} ${index}`, {
            addKeys: index % 3 === 0 ? wanted : [...wanted].reverse(),
          }),
        ),
      );
      assert.equal(outcomes.filter((outcome) => outcome.status === 'fulfilled').length, 1);
      for (const outcome of outcomes) {
        assert.ok(outcome.status === 'fulfilled' || outcome.reason instanceof KeyTakenError);
      }
      const winner = outcomes.findIndex((outcome) => outcome.status === 'fulfilled');
      for (const key of wanted) assert.equal((await one.find(key))?.id, `order ${round} ${winner}`);
    }
  });
}

export function forgetting(open: Open): void {
  test('orders without work and orphans are forgotten when old, with their keys', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'old', { at: now - 1, dueAt: null, addKeys: ['old key'] });
    await put(one, 'working', { at: now - 1, dueAt: now + 9_000, addKeys: ['working key'] });
    await put(one, 'recent', { at: now, dueAt: null, addKeys: ['recent key'] });
    await one.saveOrphan({ id: 'old', keys: ['k'], body: 1, receivedAt: now - 1 });
    await one.saveOrphan({ id: 'recent', keys: ['k'], body: 2, receivedAt: now });
    assert.equal(await two.purge(now), 1);
    assert.equal(await one.read('old'), undefined);
    assert.equal(await one.find('old key'), undefined);
    assert.equal((await one.find('working key'))?.id, 'working');
    assert.equal((await one.find('recent key'))?.id, 'recent');
    assert.deepEqual(
      (await one.takeOrphans(['k'])).map((orphan) => orphan.id),
      ['recent'],
    );
    assert.equal(await two.purge(now), 0);
    await put(one, 'new owner', { addKeys: ['old key'] });
    assert.equal((await one.find('old key'))?.id, 'new owner');
  });

  test('counters are forgotten when their window ended before the time that is named', async (t) => {
    const { one, two } = await open(t);
    const count = () => one.hit('client', 1_000, now);
    assert.equal(await count(), 1);
    await two.purge(now + 1_000);
    assert.equal(await count(), 2);
    await two.purge(now + 1_001);
    assert.equal(await count(), 1);
  });

  test('an order that is being worked on is not purged', async (t) => {
    const { one } = await open(t);
    await put(one, 'order', { at: now - 5_000, dueAt: null });
    const lease = await one.claimOne('order', now, LEASE_MS);
    assert.ok(lease);
    assert.equal(await one.purge(now), 0);
    await one.release(lease);
    assert.equal(await one.purge(now), 1);
  });

  test('closing lets every waiter go and leaves the data to the other instances', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    let woken = 0;
    await wait(one, 'order', () => (woken += 1));
    await one.close();
    await one.close();
    // A waiter may be called for nothing while a store begins to listen; once closed it is called no more.
    const wokenBefore = woken;
    for (const store of [one, two]) await put(store, 'order');
    assert.equal(woken, wokenBefore);
    assert.ok((await two.read('order'))?.id);
  });
}
