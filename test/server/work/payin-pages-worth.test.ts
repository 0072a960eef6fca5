import assert from 'node:assert/strict';
import { test } from 'vitest';
import { manualClock } from '../../../src/sandbox.js';
import { type LogEntry, memoryStore } from '../../../src/server.js';
import { createContext } from '../../../src/server/context.js';
import { readSettings } from '../../../src/server/settings.js';
import { PayinPages } from '../../../src/server/work/payin-pages.js';
import { ReadBudget } from '../../../src/server/work/read-budget.js';
import { createServiceClient } from '../../../src/service.js';
import { settle } from '../turns.js';

/** When the service's list is worth reading, how far it is read, and what it says. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const id = (number: number) => `0f0e0d0c-aaaa-4222-8333-${String(number).padStart(12, '0')}`;

interface Shown {
  readonly number: number;
  readonly status?: string;
  readonly ageMs?: number;
}

/** A list of these pages, which may fail or be held back; without any it has no end. */
function open(pages?: readonly (readonly Shown[])[]) {
  const clock = manualClock();
  const logged: LogEntry[] = [];
  const asked: string[] = [];
  const faults = { failsAt: Infinity, heldBy: undefined as Promise<void> | undefined };
  const service = createServiceClient({
    baseUrl: 'https://service.test',
    apiKey: 'a-key',
    clock,
    fetch: async (request) => {
      const { searchParams } = new URL(request.url);
      asked.push(searchParams.get('limit') ?? '');
      await faults.heldBy;
      const page = Number(searchParams.get('cursor') ?? 0);
      if (page >= faults.failsAt) return new Response(null, { status: 400 });
      const hasNext = pages === undefined || page + 1 < pages.length;
      const data = (pages?.[page] ?? []).map(({ number, status = 'PROCESSING', ageMs = 0 }) => ({
        id: id(number),
        amountInCents: 500_000,
        currency: 'COP',
        status,
        rail: 'BRE_B',
        reference: `order-${number}`,
        createdAt: new Date(clock.now() - ageMs).toISOString(),
        updatedAt: new Date(clock.now()).toISOString(),
      }));
      const pageInfo = { hasNext, nextCursor: hasNext ? String(page + 1) : null };
      return Response.json({ data, pageInfo: { ...pageInfo, hasPrevious: false, previousCursor: null } });
    },
  });
  const context = createContext(
    readSettings({
      service,
      store: memoryStore(),
      clock,
      merchant: { name: 'Tienda' },
      findOrder: () => null,
      onConfirmed: () => undefined,
      orderSecret: 'a secret of the tests that is long enough',
      webhook: false,
      log: (entry) => void logged.push(entry),
    }),
  );
  const budget = new ReadBudget(10_000, () => clock.now());
  const list = new PayinPages(context, budget);
  list.walkIfWorth();
  return {
    clock,
    list,
    budget,
    asked,
    faults,
    logged,
    /** Asks for so many payments that the list has not shown. */
    read(count: number) {
      for (let each = 0; each < count; each++) list.unchangedAt('not shown', 'PROCESSING', 0);
    },
    /** The hour is over. Returns how many pages were read then. */
    async hourEnds() {
      await clock.advance(HOUR_MS);
      const before = asked.length;
      list.walkIfWorth();
      await settle();
      return asked.length - before;
    },
  };
}

test('the list is read after an hour with 200 reads, and each hour counts by itself', async () => {
  const { read, hourEnds, list, clock, asked } = open([[{ number: 1 }]]);
  for (let hour = 0; hour < 3; hour++) {
    read(199);
    assert.equal(await hourEnds(), 0);
  }
  read(200);
  await clock.advance(HOUR_MS - 1);
  list.walkIfWorth();
  await settle();
  assert.equal(asked.length, 0, 'not before the hour is over');
  await clock.advance(1);
  list.walkIfWorth();
  await settle();
  assert.deepEqual(asked, ['100'], 'a hundred on a page');
});

test('at most half as many pages are read as there were reads, and each counts as one', async () => {
  const { read, hourEnds, budget } = open();
  read(200);
  const before = budget.spare('event');
  assert.equal(await hourEnds(), 100);
  assert.equal(budget.spare('event'), before - 100);
  const odd = open();
  odd.read(201);
  assert.equal(await odd.hourEnds(), 101);
});

test('what the list has shown unchanged is not read, for an hour', async () => {
  const { read, hourEnds, list, clock } = open([
    [{ number: 1 }, { number: 2, status: 'PENDING' }, { number: 3, status: 'CONFIRMED' }],
    [{ number: 4 }],
  ]);
  read(200);
  assert.equal(await hourEnds(), 2);
  const at = clock.now();
  assert.equal(list.unchangedAt(id(1), 'PROCESSING', at - 1), at);
  assert.equal(list.unchangedAt(id(1).toUpperCase(), 'PROCESSING', at - 1), at);
  assert.equal(list.unchangedAt(id(4), 'PROCESSING', at - 1), at);
  assert.equal(list.unchangedAt(id(1), 'PROCESSING', at), undefined, 'known from then');
  assert.equal(list.unchangedAt(id(2), 'PROCESSING', at - 1), undefined, 'news');
  assert.equal(list.unchangedAt(id(3), 'PROCESSING', at - 1), undefined, 'an outcome');
  assert.equal(list.unchangedAt(id(3), 'CONFIRMED', at - 1), undefined, 'outcomes are read');
  assert.equal(list.unchangedAt(id(5), 'PROCESSING', at - 1), undefined, 'not in the list');
  await clock.advance(HOUR_MS - 1);
  assert.equal(list.unchangedAt(id(1), 'PROCESSING', at - 1), at);
  await clock.advance(1);
  assert.equal(list.unchangedAt(id(1), 'PROCESSING', at - 1), undefined);
});

test('a list of which each page saves two reads is read every hour, any other is left for a day', async () => {
  const { read, hourEnds, list, clock } = open([[{ number: 1 }], [{ number: 2 }]]);
  const serve = (count: number) => {
    for (let each = 0; each < count; each++)
      assert.ok(list.unchangedAt(id(1), 'PROCESSING', 0) !== undefined);
  };
  read(200);
  assert.equal(await hourEnds(), 2);
  for (let hour = 0; hour < 2; hour++) {
    serve(4);
    read(196);
    assert.equal(await hourEnds(), 2, 'what it served counts as reads that were wanted');
  }
  serve(3);
  read(200);
  assert.equal(await hourEnds(), 0);
  const leftAt = clock.now();
  for (let hour = 1; hour < 24; hour++) {
    read(200);
    assert.equal(await hourEnds(), 0);
  }
  read(200);
  assert.equal(await hourEnds(), 2);
  assert.equal(clock.now() - leftAt, DAY_MS);
});

test('while the list is being read it is said so, and no second reading begins', async () => {
  const { read, hourEnds, list, faults, asked } = open([[{ number: 1 }]]);
  let release: () => void = () => undefined;
  faults.heldBy = new Promise((resolve) => (release = resolve));
  assert.equal(list.walking, false);
  read(200);
  assert.equal(await hourEnds(), 1);
  assert.equal(list.walking, true);
  read(400);
  list.walkIfWorth();
  await settle();
  release();
  await settle();
  assert.equal(list.walking, false);
  assert.equal(asked.length, 1);
});

test('the list is read back to payments that nobody watches any more', async () => {
  const watched = 31 * DAY_MS;
  const cases: readonly (readonly [string, readonly (readonly number[])[], number])[] = [
    ['the last moment is watched', [[0], [watched], [watched + 1], [0]], 3],
    ['one of a page is watched', [[watched + 1, watched], [watched + 1, watched + 2], [0]], 2],
    ['a page without payments', [[], [0]], 2],
  ];
  for (const [name, ages, pages] of cases) {
    const { read, hourEnds } = open(ages.map((page) => page.map((ageMs, number) => ({ number, ageMs }))));
    read(200);
    assert.equal(await hourEnds(), pages, name);
  }
});

test('a reading that is stopped ends after its page', async () => {
  const { read, hourEnds, list } = open();
  list.stop();
  read(200);
  assert.equal(await hourEnds(), 1);
});

test('what was seen before the list failed stays true, and the failure is a warning', async () => {
  const { read, hourEnds, list, clock, faults, logged } = open([[{ number: 1 }], [{ number: 2 }]]);
  faults.failsAt = 1;
  read(200);
  assert.equal(await hourEnds(), 2);
  assert.equal(list.walking, false);
  assert.equal(list.unchangedAt(id(1), 'PROCESSING', 0), clock.now());
  assert.deepEqual(
    logged.map(({ level, event, code }) => [level, event, code]),
    [['warn', 'list_failed', 'invalid_input']],
  );
});
