import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { type TestContext, describe, test } from 'vitest';
import type { Line } from '../../../src/server/line.js';
import {
  KeyTakenError,
  type Lease,
  type LineFilter,
  type LineSum,
  type LineSumQuery,
  type OrderRow,
  type OrderWrite,
  type Store,
} from '../../../src/server/stores/store.js';
import { skipWhen } from '../../support/skip-when.js';
import { HOUR_MS, line, midnight, paid, zoneMs } from './lines.js';

/** Two instances on the same data: two pools, two connections, or the same object where there is only one process. */
export interface Instances {
  readonly one: Store;
  readonly two: Store;
}

export interface StoreUnderTest {
  readonly name: string;
  /** A reason not to run, printed with the tests. */
  readonly skip?: string | undefined;
  open(t: TestContext): Promise<Instances>;
}

const now = 1_760_000_000_000;
/** Longer than a test takes. */
const LEASE_MS = 600_000;

/** What those who wait may count on, which depends on how a store hears of other instances. */
export function waitingContract({ name, skip, open }: StoreUnderTest): void {
  describe(`${name} store`, skipWhen(skip), () => waiting(open));
}

/** What every store must do, whatever it is made of. */
export function storeContract({ name, skip, open }: StoreUnderTest): void {
  describe(`${name} store`, skipWhen(skip), () => {
    rows(open);
    keys(open);
    leases(open);
    orphans(open);
    counters(open);
    waiting(open);
    forgetting(open);
    finding(open);
    lines(open);
  });
}

type Open = StoreUnderTest['open'];

function rows(open: Open): void {
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

function keys(open: Open): void {
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

function leases(open: Open): void {
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

function orphans(open: Open): void {
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

function counters(open: Open): void {
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

function waiting(open: Open): void {
  test('a waiter is woken by a write on its own instance as soon as it is committed', async (t) => {
    const { one } = await open(t);
    let woken = 0;
    let other = 0;
    await wait(one, 'order', () => (woken += 1));
    await wait(one, 'other', () => (other += 1));
    await put(one, 'order');
    assert.ok(woken > 0);
    assert.equal(other, 0);
  });

  test('bookkeeping, refused writes and decisions without a write wake no waiter', async (t) => {
    const { one } = await open(t);
    await put(one, 'taken', { addKeys: ['taken'] });
    let woken = 0;
    await wait(one, 'order', () => (woken += 1));
    for (let round = 0; round < 3; round++) {
      await put(one, 'order', { wake: false });
      await one.update('order', () => ({ result: undefined }));
      await assert.rejects(put(one, 'order', { addKeys: ['taken'] }));
    }
    // A store that begins to listen calls once, for what it may have missed until then; none of the writes may add to it.
    assert.ok(woken <= 1, `woken ${woken} times`);
  });

  test('a waiter is woken by a write on another instance', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    const changed = nextChange(two, 'order', 2);
    await put(one, 'order', { body: { step: 2 } });
    assert.deepEqual(await changed, { step: 2 });
  });

  test('a waiter is woken when its order is created elsewhere', async (t) => {
    const { one, two } = await open(t);
    const changed = nextChange(two, 'order', 1);
    await put(one, 'order', { body: { step: 1 } });
    assert.deepEqual(await changed, { step: 1 });
  });

  test('those who stay are woken by another instance, and so is who comes when all have left', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    const leaves = [await wait(two, 'order', () => {}), await wait(two, 'other', () => {})];
    for (const revision of [2, 3]) {
      const changed = nextChange(two, 'order', revision);
      await two.read('order');
      for (const leave of leaves.splice(0)) leave();
      await put(one, 'order');
      await changed;
    }
  });

  test('bookkeeping on another instance and changes of other orders wake no waiter', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order');
    await put(one, 'order');
    let woken = 0;
    for (const id of ['order', 'nobody']) await wait(two, id, () => (woken += 1));
    const hear = async (revision: number) => {
      const heard = nextChange(two, 'marker', revision);
      await two.read('marker');
      await put(one, 'marker');
      await heard;
    };
    // A store may call for nothing while it begins to listen; when it has heard of a change it has begun.
    await hear(1);
    woken = 0;
    for (let round = 0; round < 3; round++) await put(one, 'order', { wake: false });
    await hear(2);
    assert.equal(woken, 0);
  });

  test('a waiter that leaves is not called again, and others that wait with the same function are', async (t) => {
    const { one } = await open(t);
    let woken = 0;
    const changed = (): void => void (woken += 1);
    const leave = await wait(one, 'order', changed);
    const leaveToo = await wait(one, 'order', changed);
    leave();
    leave();
    await put(one, 'order');
    assert.ok(woken > 0);
    leaveToo();
    woken = 0;
    await put(one, 'order');
    assert.equal(woken, 0);
  });

  test('a waiter that throws keeps neither the writer nor the others from going on', async (t) => {
    const { one } = await open(t);
    let woken = 0;
    await wait(one, 'order', () => {
      throw new Error('a waiter failed');
    });
    await wait(one, 'order', () => (woken += 1));
    await put(one, 'order');
    assert.ok(woken > 0);
  });

  test('no change is missed by those who subscribe, then read, then wait', async (t) => {
    const { one, two } = await open(t);
    const last = 12;
    const ids = ['a', 'b', 'c'].map((id) => `${id} ${randomUUID()}`);
    const watchers = ids.flatMap((id) => [one, two, two].map((store) => watchUntil(store, id, last)));
    const writers = ids.map(async (id) => {
      for (let count = 0; count < last; count++) await increment(count % 2 === 0 ? one : two, id);
    });
    await Promise.all([...watchers, ...writers]);
  });
}

export function removeOrder(store: Store, id: string): Promise<boolean> {
  return store.update(id, (row) => ({ result: row !== undefined, remove: true }));
}

function forgetting(open: Open): void {
  test('orders without work, orphans and counters are forgotten when old, with their keys', async (t) => {
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

function write(changes: Partial<OrderWrite> = {}): OrderWrite {
  return { body: { step: 1 }, dueAt: now, addKeys: [], at: now, wake: true, ...changes };
}

async function put(store: Store, orderId: string, changes: Partial<OrderWrite> = {}): Promise<void> {
  await store.update(orderId, () => ({ result: undefined, write: write(changes) }));
}

function increment(store: Store, orderId: string): Promise<number> {
  return store.update(orderId, (row) => {
    const count = ((row?.body as { count: number } | undefined)?.count ?? 0) + 1;
    return { result: count, write: write({ body: { count } }) };
  });
}

function names(leases: readonly Lease[]): string[] {
  return leases.map(({ row }) => row.id);
}

/** Subscribes, then reads: from then on only a change has a reason to call. */
async function wait(store: Store, orderId: string, changed: () => void): Promise<() => void> {
  const leave = store.subscribe(orderId, changed);
  await store.read(orderId);
  return leave;
}

/** Waits, as the kit does, until the order has at least this revision. Resolves with its body. */
function nextChange(store: Store, orderId: string, revision: number): Promise<unknown> {
  let leave = (): void => {};
  const changed = new Promise<unknown>((resolve, reject) => {
    const look = async (): Promise<void> => {
      const row = await store.read(orderId);
      if (row !== undefined && row.revision >= revision) resolve(row.body);
    };
    leave = store.subscribe(orderId, () => void look().catch(reject));
    look().catch(reject);
  });
  return changed.finally(() => leave());
}

/** Subscribes anew for each wait, as long-polling does; ends only if no change is ever missed. */
async function watchUntil(store: Store, orderId: string, last: number): Promise<void> {
  for (let seen = 0; seen < last;) {
    seen = ((await nextChange(store, orderId, seen + 1)) as { count: number }).count;
  }
}

function finding(open: Open): void {
  test('orders are listed by id, a page at a time, and those that need a person apart', async (t) => {
    const { one, two } = await open(t);
    for (const id of ['c', 'a', 'd', 'b']) {
      const facts = { reviewAt: id === 'a' || id === 'd' ? now : null, noticeAt: null };
      await put(one, id, { facts });
    }
    const ids = async (query: Parameters<Store['list']>[0]) => (await two.list(query)).map(({ id }) => id);
    assert.deepEqual(await ids({ limit: 3 }), ['a', 'b', 'c']);
    assert.deepEqual(await ids({ limit: 3, after: 'c' }), ['d']);
    assert.deepEqual(await ids({ limit: 3, reviewBy: now }), ['a', 'd']);
    assert.deepEqual(await ids({ limit: 3, reviewBy: now, after: 'a' }), ['d']);
    assert.deepEqual(await ids({ limit: 3, reviewBy: now - 1 }), []);
    await put(one, 'a', { facts: { reviewAt: null, noticeAt: null } });
    assert.deepEqual(await ids({ limit: 3, reviewBy: now }), ['d']);
  });

  test('an order that is removed is gone with its keys, and the keys are free', async (t) => {
    const { one, two } = await open(t);
    await put(one, 'order', { addKeys: ['key'] });
    assert.equal(await removeOrder(two, 'order'), true);
    assert.equal(await one.read('order'), undefined);
    assert.equal(await one.find('key'), undefined);
    assert.equal(await removeOrder(two, 'order'), false);
    await put(one, 'another', { addKeys: ['key'] });
    assert.equal((await two.find('key'))?.id, 'another');
  });

  test('what is left of a removed order takes its place without its keys and lines, and goes on counting', async (t) => {
    const { one, two } = await open(t);
    const left = (at: number): OrderWrite => ({
      body: 'gone',
      dueAt: now + 9_000,
      addKeys: [],
      at,
      wake: true,
    });
    const all = { from: 0, until: now * 2, limit: 10 };
    for (const id of ['o:A', 'o:B']) {
      const facts = { reviewAt: null, noticeAt: null, lines: [line(id)] };
      await put(one, id, { at: now - 1, dueAt: null, addKeys: [`key of ${id}`], facts });
    }
    const { revision = 0 } = (await one.read('o:A')) ?? {};
    await two.update('o:A', () => ({ result: 0, remove: true, write: left(now) }));
    assert.equal(await two.purge(now, now, () => left(now)), 1, 'the other one');
    for (const id of ['o:A', 'o:B']) {
      assert.deepEqual(await one.read(id), { id, revision: revision + 1, body: 'gone' });
      assert.equal(await one.find(`key of ${id}`), undefined);
    }
    assert.deepEqual(await one.lines(all), []);
    assert.equal(await two.purge(now * 2), 0, 'what has work stays');
  });

  test('what is due, untold, unmatched and in need of a person is counted, with the oldest of each', async (t) => {
    const { one, two } = await open(t);
    assert.deepEqual(await two.stats(now), {
      due: 0,
      oldestDueAt: null,
      waitingNotices: 0,
      oldestNoticeAt: null,
      orphans: 0,
      oldestOrphanAt: null,
      review: 0,
    });
    await put(one, 'a', { dueAt: now - 5, facts: { reviewAt: now, noticeAt: now - 7 } });
    await put(one, 'b', { dueAt: now, facts: { reviewAt: now + 1, noticeAt: now - 2 } });
    await put(one, 'c', { dueAt: now + 1 });
    await one.saveOrphan({ id: 'o', keys: ['k'], body: {}, receivedAt: now - 9 });
    assert.deepEqual(await two.stats(now), {
      due: 2,
      oldestDueAt: now - 5,
      waitingNotices: 2,
      oldestNoticeAt: now - 7,
      orphans: 1,
      oldestOrphanAt: now - 9,
      review: 1,
    });
  });

  test('times with fractions of a millisecond break nothing', async (t) => {
    const { one, two } = await open(t);
    const [at, later] = [now + 0.7, now + 1.5];
    const lines = [line('a', { startedAt: at, shownAt: at, paidAt: at })];
    await put(one, 'order', { at, dueAt: at, facts: { reviewAt: at, noticeAt: at, lines } });
    await one.saveOrphan({ id: 'o', keys: ['k'], body: {}, receivedAt: at });
    assert.equal(await one.hit('client', 1_000, at), 1);
    const { due, waitingNotices, orphans, review } = await two.stats(later);
    assert.deepEqual([due, waitingNotices, orphans, review], [1, 1, 1, 1]);
    assert.equal((await two.list({ reviewBy: later, limit: 10 })).length, 1);
    const span = { from: now - 0.5, until: later };
    assert.equal((await two.lines({ ...span, after: { startedAt: later, id: 'a' }, limit: 10 })).length, 1);
    assert.equal((await two.sums({ ...span, time: 'paidAt', by: ['day'], zoneMs: 0.5 })).length, 1);
    assert.deepEqual(names(await two.claim(later, LEASE_MS, 10)), ['order']);
    assert.equal(await two.purge(later), 0);
  });

  test('orphans are kept for as long as is asked, whatever becomes of orders', async (t) => {
    const { one } = await open(t);
    await put(one, 'order', { at: now - 10, dueAt: null });
    await one.saveOrphan({ id: 'o', keys: ['k'], body: {}, receivedAt: now - 10 });
    assert.equal(await one.purge(now, now - 20), 1);
    assert.equal((await one.takeOrphans(['k'])).length, 1);
  });
}

function lines(open: Open): void {
  const putLines = (store: Store, orderId: string, ...lines: Line[]) =>
    put(store, orderId, { facts: { reviewAt: null, noticeAt: null, lines } });

  test('lines of attempts are listed newest first, a page at a time, by time, rail, status and text', async (t) => {
    const { one, two } = await open(t);
    const span = { from: midnight, until: midnight + HOUR_MS };
    await putLines(
      one,
      'o:A-1',
      line('a1'),
      line('a2', { startedAt: midnight + 5, rail: 'PSE', status: 'DECLINED' }),
    );
    await putLines(one, 'o:B_2', line('b', { startedAt: midnight + 5 }));
    await putLines(one, 'o:C', line('late', { startedAt: midnight + HOUR_MS }));
    const ids = async (query: Partial<Parameters<Store['lines']>[0]>) =>
      (await two.lines({ ...span, limit: 10, ...query })).map(({ id }) => id);
    assert.deepEqual(await ids({}), ['b', 'a2', 'a1']);
    assert.deepEqual(await ids({ limit: 1 }), ['b']);
    assert.deepEqual(await ids({ after: { startedAt: midnight + 5, id: 'b' } }), ['a2', 'a1']);
    assert.deepEqual(await ids({ after: { startedAt: midnight + 5, id: 'a2' } }), ['a1']);
    assert.deepEqual(await ids({ rails: ['PSE'] }), ['a2']);
    assert.deepEqual(await ids({ statuses: ['PENDING', 'PROCESSING'] }), ['b', 'a1']);
    assert.deepEqual(await ids({ text: 'r-A' }), ['a2', 'a1']);
    assert.deepEqual(await ids({ text: 'b_2' }), ['b']);
    assert.deepEqual(await ids({ text: 'a_1' }), [], 'a sign of the pattern is only itself');
    assert.deepEqual(await two.lines({ ...span, limit: 10, text: 'a1' }), [
      { ...line('a1'), rowId: 'o:A-1' },
    ]);
    assert.deepEqual(await two.sums({ ...span, by: [] }), [sum({ count: 3, amountInCents: 3_000 })]);
  });

  test('a line is found by its CUS, its key, the end of the document and an exact sum', async (t) => {
    const { one, two } = await open(t);
    const span = { from: midnight, until: midnight + HOUR_MS, limit: 10 };
    const pse = paid('pse', 5, { rail: 'PSE', cus: '3381422', bank: 'Banco de Prueba', documentEnd: '0417' });
    await putLines(one, 'o:A', line('a1'), pse);
    await putLines(one, 'o:B', line('b', { key: '@Andino', amountInCents: 4_290_000 }));
    const ids = async (text: string, amountInCents?: number) =>
      (await two.lines({ ...span, text, ...(amountInCents !== undefined && { amountInCents }) })).map(
        ({ id }) => id,
      );
    assert.deepEqual(await ids('3381422'), ['pse']);
    assert.deepEqual(await ids('@andino'), ['b']);
    assert.deepEqual(await ids('0417'), ['pse']);
    assert.deepEqual(await ids('42900', 4_290_000), ['b']);
    assert.deepEqual(await ids('42900', 4_290_001), []);
    assert.deepEqual(await two.lines({ ...span, text: '0417' }), [{ ...pse, rowId: 'o:A' }]);
    const known = { ...line('a1', { cus: '77', key: '@x' }), rowId: 'o:A' };
    await putLines(one, 'o:A', line('a1', { cus: '77', key: '@x' }));
    assert.deepEqual(await two.lines({ ...span, text: 'r-a1' }), [known], 'what became known later');
  });

  test('lines of some rails are listed and added up apart, or all but those', async (t) => {
    const { one, two } = await open(t);
    const span = { from: midnight, until: midnight + HOUR_MS };
    const rails = ['REFUND', 'PAYOUT'];
    await putLines(one, 'o:A', paid('in', 5), ...rails.map((rail) => paid(rail, 5, { rail })));
    const ids = async (filter: Pick<LineFilter, 'rails' | 'exceptRails'>) =>
      (await two.lines({ ...span, limit: 10, ...filter })).map(({ id }) => id).sort();
    assert.deepEqual(await ids({ exceptRails: rails }), ['in']);
    assert.deepEqual(await ids({ rails }), [...rails].sort());
    assert.deepEqual(await ids({ rails, exceptRails: ['PAYOUT'] }), ['REFUND']);
    assert.equal((await ids({})).length, 3);
    const [out] = await two.sums({ ...span, rails, by: [] });
    assert.equal(out?.paidInCents, 2_000);
  });

  test('a line is as last written, stays when a write leaves it out, and goes with its order', async (t) => {
    const { one, two } = await open(t);
    const span = { from: 0, until: midnight + HOUR_MS };
    await putLines(one, 'o:A', line('a'));
    const last = paid('a', 5_000, { reference: 'R-another', reason: 'FUNDS' });
    await putLines(two, 'o:A', last);
    await put(one, 'o:A', { facts: { reviewAt: null, noticeAt: null } });
    assert.deepEqual(await one.lines({ ...span, limit: 10 }), [{ ...last, rowId: 'o:A' }]);
    const all = { ...span, by: [] };
    assert.deepEqual(await one.sums(all), [
      sum({ count: 1, shown: 1, paid: 1, amountInCents: 1_000, paidInCents: 1_000 }),
    ]);
    await removeOrder(two, 'o:A');
    await putLines(one, 'o:B', line('b'));
    await put(one, 'o:B', { at: 1, dueAt: null });
    assert.equal((await one.sums(all))[0]?.count, 1);
    await one.purge(2);
    assert.deepEqual(await one.sums(all), [sum({})]);
  });

  test('lines add up by rail, status and reason, by the day and by the wait, of either time', async (t) => {
    const { one, two } = await open(t);
    const until = midnight + 48 * HOUR_MS;
    const declined = { rail: 'PSE', status: 'DECLINED', shownAt: midnight } as const;
    await putLines(
      one,
      'o:A',
      line('declined', { ...declined, reason: 'FUNDS' }),
      line('declined too', { ...declined, reason: 'FUNDS' }),
      line('declined by the bank', { ...declined, reason: 'BANK' }),
      line('before', { startedAt: midnight - 1, reason: 'FUNDS' }),
      paid('same wait', 9_999, { rail: 'PSE' }),
      paid('next day', 24 * HOUR_MS, { rail: 'PSE', paidInCents: 7_000 }),
      paid('begun before', 9_001, { startedAt: midnight - HOUR_MS }),
      paid('never shown', 9_001, { startedAt: midnight - HOUR_MS, shownAt: null }),
      paid('afterwards', 48 * HOUR_MS, { startedAt: until }),
    );
    const sums = async (query: Omit<LineSumQuery, 'from' | 'until'>) =>
      (await two.sums({ from: midnight, until, ...query })).sort((left, right) =>
        JSON.stringify(left) < JSON.stringify(right) ? -1 : 1,
      );
    assert.deepEqual(await sums({ by: ['rail', 'status', 'reason'] }), [
      sum({ rail: 'PSE', status: 'CONFIRMED', reason: null }, 2, 2, 2, 2_000, 8_000),
      sum({ rail: 'PSE', status: 'DECLINED', reason: 'BANK' }, 1, 1, 0, 1_000, 0),
      sum({ rail: 'PSE', status: 'DECLINED', reason: 'FUNDS' }, 2, 2, 0, 2_000, 0),
    ]);
    const day = Math.floor((midnight + zoneMs) / (24 * HOUR_MS));
    assert.deepEqual(await sums({ by: ['day'], time: 'paidAt', zoneMs }), [
      sum({ day }, 3, 2, 3, 3_000, 3_000),
      sum({ day: day + 1 }, 1, 1, 1, 1_000, 7_000),
    ]);
    assert.deepEqual(await sums({ by: ['wait', 'rail'], time: 'paidAt', statuses: ['CONFIRMED'] }), [
      sum({ wait: 24 * 3_600, rail: 'PSE' }, 1, 1, 1, 1_000, 7_000),
      sum({ wait: 9, rail: 'BRE_B' }, 1, 1, 1, 1_000, 1_000),
      sum({ wait: 9, rail: 'PSE' }, 1, 1, 1, 1_000, 1_000),
      sum({ wait: null, rail: 'BRE_B' }, 1, 0, 1, 1_000, 1_000),
    ]);
    assert.deepEqual(await sums({ by: ['rail'], rails: ['NONE'] }), []);
  });
}

function sum(
  groups: Partial<LineSum>,
  count = groups.count ?? 0,
  shown = groups.shown ?? 0,
  paid = groups.paid ?? 0,
  amountInCents = groups.amountInCents ?? 0,
  paidInCents = groups.paidInCents ?? 0,
): LineSum {
  return { ...groups, count, shown, paid, amountInCents, paidInCents };
}
