import assert from 'node:assert/strict';
import { test } from 'vitest';
import { manualClock } from '../../src/sandbox.js';
import { memoryStore } from '../../src/server.js';
import { commit, OrderRepository, recordIn } from '../../src/server/order-repository.js';
import { linesOf } from '../../src/server/orders/views/lines.js';
import type { JournalEntry } from '../../src/server/orders/record.js';
import { asking, attempt, MINUTE_MS, order, PRICE, SECOND_MS, START, submission } from './orders/records.js';

const NOW = START + MINUTE_MS;
const about = { at: NOW, reference: 'ref-1', rail: 'BRE_B', amountInCents: PRICE };
const created: JournalEntry = { ...about, event: 'attempt_created' };

test('a new order is written with its history, its keys and all that it is found by', () => {
  const started = order([asking()]);
  const record = { ...started, version: 1, attempts: [asking({ changedAt: NOW })], journal: [created] };
  assert.deepEqual(commit(undefined, started, NOW), {
    record,
    entries: [created],
    write: {
      body: { format: 1, ...record },
      dueAt: START + 12 * SECOND_MS,
      facts: { reviewAt: null, noticeAt: null, lines: linesOf(record) },
      addKeys: ['a:attempt-1', 'i:key-1', 'r:ref-1'],
      at: NOW,
      wake: true,
    },
  });
});

test('what a payer cannot see is written without a new version, wakes no waiter and leaves lists as they are', () => {
  const before = order([attempt()], { version: 3 });
  const after = order([attempt({ submissions: [submission({ nextReadAt: NOW })] })], { version: 3 });
  assert.deepEqual(commit(before, after, NOW), {
    record: after,
    entries: [],
    write: {
      body: { format: 1, ...after },
      dueAt: NOW,
      facts: { reviewAt: null, noticeAt: null },
      addKeys: [],
      at: NOW,
      wake: false,
    },
  });
  assert.deepEqual(commit(before, before, NOW), { record: before, entries: [] }, 'nothing is not written');
});

test('what a payer can see of one attempt is a new version of the order and a change of that attempt alone', () => {
  const other = attempt({
    id: 'attempt-0',
    idempotencyKey: 'key-0',
    submissions: [submission({ reference: 'ref-0', serviceId: 'id-0' })],
    disclosed: 'ref-0',
  });
  const before = order([other, asking()], { version: 3 });
  const { record, write } = commit(before, order([other, attempt()], { version: 3 }), NOW);
  assert.equal(record.version, 4);
  assert.deepEqual(record.attempts, [other, attempt({ changedAt: NOW })]);
  assert.deepEqual(write?.addKeys, ['s:id-1']);
  assert.deepEqual(write?.facts?.lines, linesOf(record));
  assert.equal(write?.wake, true);
});

function openRepository() {
  const clock = manualClock();
  const audited: [string, JournalEntry][] = [];
  const store = memoryStore();
  const repository = new OrderRepository(store, clock, (...line) => audited.push(line));
  return { clock, audited, store, repository };
}

test('a decision gets the record and the time, and what happened is logged once it is stored', async () => {
  const { clock, audited, repository } = openRepository();
  const started = order([asking()]);
  const { order: changed, result } = await repository.change('o:order-1', (before, now) => {
    assert.deepEqual([before, now], [undefined, clock.now()]);
    return { record: started, result: 'an answer' };
  });
  assert.equal(result, 'an answer');
  const stored = await repository.find('a:attempt-1');
  assert.deepEqual([stored?.rowId, stored?.revision], ['o:order-1', 1]);
  assert.deepEqual(changed, stored);
  assert.deepEqual(await repository.read('o:order-1'), stored);
  assert.deepEqual(audited, [['order-1', { ...created, at: clock.now() }]]);
  const after = await repository.apply('o:order-1', (before) => {
    assert.deepEqual(before, stored?.record);
    return { ...before, attemptsResetAt: 5 };
  });
  assert.deepEqual(after?.record, { ...stored?.record, attemptsResetAt: 5 });
  assert.deepEqual(await repository.read('o:order-1'), after);
  const byKey = await repository.applyByKey(['none', 'a:attempt-1'], (before) => ({
    ...before,
    attemptsResetAt: 6,
  }));
  assert.deepEqual(await repository.read('o:order-1'), byKey);
  assert.equal(byKey?.record.attemptsResetAt, 6);
  assert.equal(await repository.applyByKey(['none'], (before) => before), undefined);
});

test('an order that does not exist is not made by a decision about it, and nothing is logged', async () => {
  const { audited, repository } = openRepository();
  const answer = await repository.change('o:order-1', (before) => ({ record: before, result: 7 }));
  assert.deepEqual(answer, { order: undefined, result: 7 });
  const never = () => assert.fail('there is nothing to decide about');
  assert.equal(await repository.apply('o:order-1', never), undefined);
  assert.equal(await repository.read('o:order-1'), undefined);
  assert.deepEqual(audited, []);
});

test('a decision that changes nothing writes nothing', async () => {
  const { repository } = openRepository();
  await repository.change('o:order-1', () => ({ record: order([asking()]), result: undefined }));
  await repository.apply('o:order-1', (before) => before);
  assert.equal((await repository.read('o:order-1'))?.revision, 1);
});

test('what was not stored has not happened', async () => {
  const { audited, store, repository } = openRepository();
  store.update = async (_rowId, decide) => {
    decide(undefined);
    throw new Error('the disk is full');
  };
  const change = repository.change('o:order-1', () => ({
    record: order([asking()]),
    result: undefined,
  }));
  await assert.rejects(change, /the disk is full/);
  assert.deepEqual(audited, []);
});

test('an order that another version of the kit wrote is not guessed at', () => {
  const record = order([attempt()]);
  assert.deepEqual(recordIn({ format: 1, ...record }), record);
  for (const body of [{ ...record }, { ...record, format: 2 }])
    assert.throws(() => recordIn(body), /another version/);
});
