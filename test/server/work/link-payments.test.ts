import assert from 'node:assert/strict';
import { test } from 'vitest';
import { createServiceClient } from '../../../src/service.js';
import { readLink } from '../../../src/server/work/link-payments.js';
import { ReadBudget } from '../../../src/server/work/read-budget.js';

const HOUR_MS = 3_600_000;
const CREATED_AT = Date.parse('2026-01-15T15:00:00Z');
const LINK = '0f0e0d0c-1111-4222-8333-444455556666';
const OTHER_LINK = '0f0e0d0c-1111-4222-8333-444455557777';
const iso = (at: number) => new Date(at).toISOString();

interface Payin {
  readonly paymentLinkId?: string | null;
  readonly status?: string;
  readonly confirmedAmountInCents?: number;
  /** After the link was made. */
  readonly afterMs?: number;
}

/** Reads a link whose list has these pages; without an end it goes on with empty ones. */
async function reading(
  status: string,
  pages: readonly (readonly Payin[])[],
  { isEndless = false, calledOffAt = Infinity } = {},
) {
  const asked: string[] = [];
  const controller = new AbortController();
  const service = createServiceClient({
    baseUrl: 'https://service.test',
    apiKey: 'a-key',
    accessToken: 'a-token',
    fetch: async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname === `/payment-links/${LINK}`)
        return Response.json({
          paymentLinkId: LINK,
          status,
          createdAt: iso(CREATED_AT),
          amountInCents: 500_000,
        });
      assert.equal(pathname, '/payins');
      asked.push(searchParams.get('limit') ?? '');
      const page = Number(searchParams.get('cursor') ?? 0);
      if (page === calledOffAt) controller.abort();
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
      const pageInfo = { hasNext, nextCursor: hasNext ? String(page + 1) : null };
      return Response.json({ data, pageInfo: { ...pageInfo, hasPrevious: false, previousCursor: null } });
    },
  });
  const budget = new ReadBudget(100, () => 0);
  const before = budget.spare(true);
  const link = { serviceId: LINK, createdAt: CREATED_AT, amountInCents: 500_000 };
  const observed = await readLink(service, budget, link, { signal: controller.signal });
  return {
    status: observed.status,
    confirmedAmountInCents: observed.confirmedAmountInCents,
    asked,
    spent: before - budget.spare(true),
  };
}

test('what was paid through a link is not looked for while it is open', async () => {
  assert.deepEqual(await reading('PENDING', [[{}]]), {
    status: 'PENDING',
    confirmedAmountInCents: null,
    asked: [],
    spent: 0,
  });
});

for (const status of ['COMPLETED', 'EXPIRED']) {
  test(`of a link that is ${status}, what was confirmed through it is added up from the whole list`, async () => {
    const pages = [
      [{ confirmedAmountInCents: 100_000 }, { paymentLinkId: null }, { paymentLinkId: OTHER_LINK }],
      [{ status: 'DECLINED' }, { paymentLinkId: LINK.toUpperCase(), confirmedAmountInCents: 30_000 }],
      [],
    ];
    assert.deepEqual(await reading(status, pages), {
      status: 'COMPLETED',
      confirmedAmountInCents: 130_000,
      asked: ['100', '100', '100'],
      spent: 3,
    });
  });
}

test('a link that ended without a payin of its own is not paid', async () => {
  const others = [[{ paymentLinkId: null }, { paymentLinkId: OTHER_LINK }]];
  const { status, confirmedAmountInCents } = await reading('EXPIRED', others);
  assert.deepEqual([status, confirmedAmountInCents], ['EXPIRED', null]);
});

test('the list is read until an hour before the link was made, for clocks that differ', async () => {
  const cases: readonly (readonly [string, readonly (readonly number[])[], number])[] = [
    ['an hour before is not past', [[0], [-HOUR_MS], [-HOUR_MS - 1], [-2 * HOUR_MS]], 3],
    ['a page that begins after it', [[0, -HOUR_MS - 1], [-2 * HOUR_MS]], 1],
    ['made at the same moment', [[-HOUR_MS - 1, -HOUR_MS - 1], [0]], 1],
    ['a page without payins', [[], [0]], 2],
    ['a list that runs forwards', [[-2 * HOUR_MS, -HOUR_MS - 1], [0]], 2],
  ];
  for (const [name, pages, asked] of cases) {
    const listed = pages.map((page) => page.map((afterMs) => ({ afterMs })));
    assert.equal((await reading('EXPIRED', listed)).asked.length, asked, name);
  }
});

test('a list that does not end is left after twenty pages', async () => {
  assert.equal((await reading('EXPIRED', [], { isEndless: true })).asked.length, 20);
});

test('a reading that is called off ends in the middle of the list', async () => {
  await assert.rejects(reading('EXPIRED', [], { isEndless: true, calledOffAt: 3 }), { kind: 'aborted' });
});
