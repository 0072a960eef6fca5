import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createServiceClient } from '../../../src/service.js';
import { searchList } from '../../../src/server/work/list-search.js';
import { ReadBudget } from '../../../src/server/work/read-budget.js';

const HOUR_MS = 3_600_000;
const CREATED_AT = Date.parse('2026-01-15T15:00:00Z');
const LINK = '0f0e0d0c-1111-4222-8333-444455556666';
const OTHER_LINK = '0f0e0d0c-1111-4222-8333-444455557777';
const iso = (at: number) => new Date(at).toISOString();

interface Payin {
  readonly paymentLinkId?: string | null;
  /** After what is looked for was made at the earliest. */
  readonly afterMs?: number;
}

/** Searches a list of these pages for payins of the link; without an end it goes on with empty ones. */
async function searching(
  pages: readonly (readonly Payin[])[],
  {
    isEndless = false,
    brokenAt = Infinity,
    lostAt = Infinity,
    cursor = null as string | null,
    perSecond = 100,
    /** Where this page says that the list goes on, and not where. */
    vagueAt = Infinity,
    vaguely = null as string | null,
    one = false,
  } = {},
) {
  const asked: string[] = [];
  const service = createServiceClient({
    baseUrl: 'https://service.test',
    apiKey: 'a-key',
    accessToken: 'a-token',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      assert.equal(pathname, '/payins');
      assert.equal(searchParams.get('limit'), '100');
      asked.push(searchParams.get('cursor') ?? 'top');
      const page = Number(searchParams.get('cursor') ?? 0);
      if (Number.isNaN(page) || page === lostAt) return Response.json({}, { status: 400 });
      if (page === brokenAt) return Response.json({}, { status: 404 });
      const hasNext = isEndless || page + 1 < pages.length;
      const data = (pages[page] ?? []).map(({ afterMs = 0, ...payin }, index) => ({
        id: `0f0e0d0c-1111-4222-8333-${String(page * 1_000 + index).padStart(12, '0')}`,
        amountInCents: 500_000,
        currency: 'COP',
        status: 'CONFIRMED',
        rail: 'BRE_B',
        reference: 'order-1-22222222222A',
        paymentLinkId: LINK,
        createdAt: iso(CREATED_AT + afterMs),
        updatedAt: iso(CREATED_AT + afterMs),
        ...payin,
      }));
      const pageInfo =
        page === vagueAt
          ? { hasNext: true, nextCursor: vaguely }
          : { hasNext, nextCursor: hasNext ? String(page + 1) : null };
      return Response.json({ data, pageInfo: { ...pageInfo, hasPrevious: false, previousCursor: null } });
    },
  });
  const budget = new ReadBudget(perSecond, () => 0);
  const before = budget.spare('event');
  const stretch = await searchList(service, budget, () => 0, {
    cursor,
    since: CREATED_AT,
    matches: ({ paymentLinkId }) => paymentLinkId === LINK,
    one,
    timeoutMs: 1_000,
  });
  return {
    found: stretch.found.length,
    cursor: stretch.cursor,
    asked,
    spent: before - budget.spare('event'),
  };
}

test('a list that is read to its end has nothing further to find', async () => {
  const pages = [[{}, { paymentLinkId: null }, { paymentLinkId: OTHER_LINK }], [{}], []];
  assert.deepEqual(await searching(pages), { found: 2, cursor: null, asked: ['top', '1', '2'], spent: 3 });
});

test('where one is looked for, the list is read until it is there', async () => {
  const pages = [[{ paymentLinkId: null }], [{}], [{}]];
  assert.deepEqual(await searching(pages, { one: true }), {
    found: 1,
    cursor: null,
    asked: ['top', '1'],
    spent: 2,
  });
});

test('the list is read until an hour before, for clocks that differ', async () => {
  const cases: readonly (readonly [string, readonly (readonly number[])[], number])[] = [
    ['an hour before is not past', [[0], [-HOUR_MS], [-HOUR_MS - 1], [-2 * HOUR_MS]], 3],
    ['a page that begins after it', [[0, -HOUR_MS - 1], [-2 * HOUR_MS]], 1],
    ['made at the same moment', [[-HOUR_MS - 1, -HOUR_MS - 1], [0]], 1],
    ['a page without payins', [[], [0]], 2],
    ['a list that runs forwards', [[-2 * HOUR_MS, -HOUR_MS - 1], [0]], 2],
  ];
  for (const [name, pages, asked] of cases) {
    const listed = pages.map((page) => page.map((afterMs) => ({ afterMs })));
    const { cursor, asked: pagesAsked } = await searching(listed);
    assert.deepEqual([cursor, pagesAsked.length], [null, asked], name);
  }
});

test('a list that goes on is cut short after twenty pages, and searched further from there', async () => {
  const first = await searching([], { isEndless: true });
  assert.deepEqual([first.asked.length, first.cursor], [20, '20']);
  assert.deepEqual((await searching([], { isEndless: true, cursor: '20' })).asked[0], '20');
});

test('a page is read only while half of the budget is left, after the first', async () => {
  const { asked, cursor } = await searching([], { isEndless: true, perSecond: 4 });
  assert.deepEqual([asked.length, cursor], [4, '4']);
  assert.equal((await searching([], { isEndless: true, perSecond: 1 })).asked.length, 1);
});

test('a list that fails on the way goes on where it failed; one that fails at once has failed', async () => {
  const { found, cursor } = await searching([[{}], [{}], [{}]], { brokenAt: 2 });
  assert.deepEqual([found, cursor], [2, '2']);
  await assert.rejects(searching([[{}]], { brokenAt: 0 }), { kind: 'not_found' });
  await assert.rejects(searching([[{}], [{}]], { brokenAt: 1, cursor: '1' }), { kind: 'not_found' });
});

test('a place that the list no longer knows is searched for from the beginning', async () => {
  const { found, cursor, asked } = await searching([[{}], [{}]], { cursor: 'forgotten' });
  assert.deepEqual([found, cursor, asked], [2, null, ['forgotten', 'top', '1']]);
});

test('a place that the list forgets on the way keeps what was found before it', async () => {
  const { found, cursor, asked } = await searching([[{}], [{}], [{}]], { lostAt: 2 });
  assert.deepEqual([found, cursor, asked], [2, '2', ['top', '1', '2']]);
});

test('a list that goes on and does not say where is never searched to its end', async () => {
  const PAST = { paymentLinkId: null, afterMs: -HOUR_MS - 1 };
  for (const vaguely of [null, '']) {
    const on = await searching([[{}], [{}]], { vagueAt: 1, vaguely });
    assert.deepEqual([on.found, on.cursor], [2, '1'], 'its last page is asked for again');
    await assert.rejects(searching([[], [{}]], { vagueAt: 0, vaguely }), { kind: 'unreadable_answer' });
    const again = searching([[], [{}]], { vagueAt: 1, vaguely, cursor: '1' });
    await assert.rejects(again, { kind: 'unreadable_answer' });
    const past = await searching([[{}, PAST]], { vagueAt: 0, vaguely });
    assert.deepEqual([past.found, past.cursor], [1, null], 'what is looked for is not further on');
  }
});
