import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { Line } from '../../../../src/server/line.js';
import type {
  LineFilter,
  LineSum,
  LineSumQuery,
  OrderWrite,
  Store,
} from '../../../../src/server/stores/store.js';
import { HOUR_MS, line, midnight, paid, zoneMs } from '../lines.js';
import { LEASE_MS, now, put, names, removeOrder, type Open } from './support.js';

export function finding(open: Open): void {
  test('orders are listed by id, a page at a time, and those that need a person apart', async (t) => {
    const { one, two } = await open(t);
    for (const id of ['c', '!', 'a', 'd', 'b']) {
      const facts = { reviewAt: id === 'a' || id === 'd' ? now : null, noticeAt: null };
      await put(one, id, { facts });
    }
    const ids = async (query: Parameters<Store['list']>[0]) => (await two.list(query)).map(({ id }) => id);
    assert.deepEqual(await ids({ limit: 3 }), ['!', 'a', 'b']);
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

export function lines(open: Open): void {
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
