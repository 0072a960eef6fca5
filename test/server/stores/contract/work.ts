import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Lease } from '../../../../src/server/stores/store.js';
import { LEASE_MS, now, put, names, type Open } from './support.js';

export function leases(open: Open): void {
  test('work that is due is claimed oldest first, up to the limit', async (t) => {
    const { one } = await open(t);
    await put(one, 'later', { dueAt: now + 1 });
    await put(one, 'never', { dueAt: null });
    await put(one, 'b third', { dueAt: now });
    await put(one, 'a second', { dueAt: now - 10 });
    await put(one, 'c first', { dueAt: now - 20 });
    assert.deepEqual(names(await one.claim(now, LEASE_MS, 2)), ['c first', 'a second']);
    assert.deepEqual(names(await one.claim(now, LEASE_MS, 10)), ['b third']);
    assert.deepEqual(await one.claim(now, LEASE_MS, 10), []);
  });

  test('two instances never hold the same work', async (t) => {
    const { one, two } = await open(t);
    const ids = Array.from({ length: 40 }, (_, index) => `order ${index}`);
    for (const [index, id] of ids.entries()) await put(one, id, { dueAt: now - index });
    const claims = await Promise.all(
      Array.from({ length: 16 }, (_, index) => (index % 2 === 0 ? one : two).claim(now, LEASE_MS, 5)),
    );
    const rest = await two.claim(now, LEASE_MS, 100);
    assert.deepEqual(names([...claims.flat(), ...rest]).sort(), [...ids].sort());
    const singles = await Promise.all(ids.map((id) => one.claimOne(id, now, LEASE_MS)));
    assert.ok(singles.every((lease) => lease === undefined));
  });

  test('one order is leased to one of many who ask, due or not', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { dueAt: null });
    const leases = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? one : two).claimOne('order', now, LEASE_MS),
      ),
    );
    const held = leases.filter((lease) => lease !== undefined);
    assert.equal(held.length, 1);
    assert.equal(await one.claimOne('nobody', now, LEASE_MS), undefined);
  });

  test('a lease given back is free at once, for either kind of claim', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { dueAt: now });
    const lease = await one.claimOne('order', now, LEASE_MS);
    assert.ok(lease);
    assert.deepEqual(await two.claim(now, LEASE_MS, 10), []);
    await one.release(lease);
    const [again] = await two.claim(now, LEASE_MS, 10);
    assert.equal(again?.row.id, 'order');
    assert.notEqual(again?.token, lease.token);
  });

  test('a lease that ran out is taken over, and its late release changes nothing', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { dueAt: now });
    const [dead] = await one.claim(now, 1, 10);
    assert.ok(dead);
    let heir: Lease | undefined;
    // real time: a store that instances share measures leases by its own clock
    while (heir === undefined) [heir] = await two.claim(now + 1, LEASE_MS, 10);
    assert.equal(await one.release(dead), undefined);
    assert.equal(await one.claimOne('order', now + 2, LEASE_MS), undefined);
    await two.release(heir);
    assert.ok(await one.claimOne('order', now + 2, LEASE_MS));
  });

  test('a write keeps the lease and may move the work', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { dueAt: now });
    const [lease] = await one.claim(now, LEASE_MS, 10);
    assert.ok(lease);
    assert.deepEqual(lease.row, { id: 'order', revision: 1, body: { step: 1 } });
    await put(two, 'order', { body: { step: 2 }, dueAt: now + 5_000 });
    assert.equal(await two.claimOne('order', now, LEASE_MS), undefined);
    assert.deepEqual(await one.release(lease), { id: 'order', revision: 2, body: { step: 2 } });
    assert.deepEqual(await two.claim(now, LEASE_MS, 10), []);
    assert.deepEqual(names(await two.claim(now + 5_000, LEASE_MS, 10)), ['order']);
  });
}

export function orphans(open: Open): void {
  test('an orphan is taken by any of its keys, once', async (t) => {
    const { one, two } = await open(t);
    const orphan = { id: 'event', keys: ['id', 'reference'], body: { status: 'x' }, receivedAt: now };
    await one.saveOrphan(orphan);
    assert.deepEqual(await two.takeOrphans(['other', 'event']), []);
    assert.deepEqual(await two.takeOrphans(['other', 'reference']), [orphan]);
    assert.deepEqual(await one.takeOrphans(['id', 'reference']), []);
    assert.deepEqual(await one.takeOrphans([]), []);
  });

  test('an orphan that comes again after it was taken or forgotten is kept again', async (t) => {
    const { one, two } = await open(t);
    const orphan = { id: 'event', keys: ['id', 'reference'], body: { status: 'x' }, receivedAt: now };
    await one.saveOrphan(orphan);
    assert.deepEqual(await two.takeOrphans(['id']), [orphan]);
    await one.saveOrphan(orphan);
    await two.purge(now + 1);
    assert.deepEqual(await two.takeOrphans(['reference']), []);
    await one.saveOrphan(orphan);
    assert.deepEqual(await two.takeOrphans(['reference']), [orphan]);
  });

  test('changing an orphan that was handed in changes nothing that is kept', async (t) => {
    const { one } = await open(t);
    const [keys, body] = [['a'], { list: [1] }];
    await one.saveOrphan({ id: 'event', keys, body, receivedAt: now });
    keys.push('b');
    body.list.push(2);
    assert.deepEqual(await one.takeOrphans(['b']), []);
    assert.deepEqual(await one.takeOrphans(['a']), [
      { id: 'event', keys: ['a'], body: { list: [1] }, receivedAt: now },
    ]);
  });

  test('saving the same orphan again changes nothing', async (t) => {
    const { one, two } = await open(t);
    await one.saveOrphan({ id: 'event', keys: ['a'], body: { first: true }, receivedAt: now });
    await two.saveOrphan({ id: 'event', keys: ['a', 'b'], body: { first: false }, receivedAt: now + 5 });
    assert.deepEqual(await one.takeOrphans(['b']), []);
    assert.deepEqual(await one.takeOrphans(['a']), [
      { id: 'event', keys: ['a'], body: { first: true }, receivedAt: now },
    ]);
  });

  test('orphans come oldest first, with odd ids and keys intact', async (t) => {
    const { one } = await open(t);
    const long = 'k'.repeat(200);
    const second = { id: 'é', keys: ['shared', long], body: ['a\u0000'], receivedAt: now + 2 };
    const third = { id: 'a', keys: ['shared', 'shared'], body: 0, receivedAt: now + 3 };
    const first = { id: long, keys: ['shared', '🎉'], body: null, receivedAt: now + 1 };
    for (const orphan of [second, third, first]) await one.saveOrphan(orphan);
    assert.deepEqual(await one.takeOrphans(['shared', long, 'nothing']), [first, second, third]);
  });

  test('many who take at once get each orphan exactly once', async (t) => {
    const { one, two } = await open(t);
    for (let round = 0; round < 5; round++) {
      const saved = Array.from({ length: 6 }, (_, index) => ({
        id: `event ${round} ${index}`,
        keys: [`a ${round} ${index}`, `b ${round}`],
        body: index,
        receivedAt: now + index,
      }));
      await Promise.all(saved.map((orphan, index) => (index % 2 === 0 ? one : two).saveOrphan(orphan)));
      const taken = await Promise.all([
        ...saved.map((_, index) => one.takeOrphans([`a ${round} ${index}`])),
        two.takeOrphans([`b ${round}`]),
        one.takeOrphans([`b ${round}`]),
      ]);
      const ids = taken.flat().map((orphan) => orphan.id);
      assert.deepEqual(
        ids.sort(),
        saved.map((orphan) => orphan.id),
      );
    }
  });
}

export function counters(open: Open): void {
  test('hits in one window are counted together by all instances', async (t) => {
    const { one, two } = await open(t);
    const counts = await Promise.all(
      Array.from({ length: 30 }, (_, index) =>
        (index % 2 === 0 ? one : two).hit('client', 1_000, now + index),
      ),
    );
    assert.deepEqual(
      counts.sort((left, right) => left - right),
      Array.from({ length: 30 }, (_, index) => index + 1),
    );
  });

  test('a count is read by every instance without being counted', async (t) => {
    const { one, two } = await open(t);
    assert.equal(await two.count('client', 1_000, now), 0);
    await one.hit('client', 1_000, now);
    await one.hit('client', 1_000, now);
    for (const store of [one, two, two]) assert.equal(await store.count('client', 1_000, now), 2);
    assert.equal(await two.count('client', 1_000, now + 1_000), 0);
    assert.equal(await two.count('client', 60_000, now), 0);
    assert.equal(await two.count('other', 1_000, now), 0);
  });

  test('buckets, windows and window lengths are counted apart', async (t) => {
    const { one } = await open(t);
    const start = Math.floor(now / 60_000) * 60_000;
    assert.equal(await one.hit('a', 60_000, start), 1);
    assert.equal(await one.hit('a', 60_000, start + 59_999), 2);
    assert.equal(await one.hit('b', 60_000, start), 1);
    assert.equal(await one.hit('a', 1_000, start), 1);
    assert.equal(await one.hit('a', 60_000, start + 60_000), 1);
    assert.equal(await one.hit('a', 60_000, start + 59_999), 3);
    assert.equal(await one.hit('long '.repeat(35), 60_000, start), 1);
    assert.equal(await one.hit('long '.repeat(35), 60_000, start), 2);
  });

  test('a window counts on for its own length after its end, for a clock that lags, and is forgotten then', async (t) => {
    const { one, two } = await open(t);
    const late = () => one.hit('late', 1_000, now);
    assert.equal(await late(), 1);
    await two.hit('a', 1_000, now + 2_000);
    assert.equal(await late(), 2);
    await two.hit('b', 1_000, now + 2_001);
    assert.equal(await late(), 1);
  });
}
