import assert from 'node:assert/strict';
import { test } from 'vitest';
import { type PayinList, ServiceError, type ServiceClientOptions } from '../../src/service.js';
import { failure, inFakeTime, json, payinAnswer, scripted, silence } from './fixtures.js';

const ALL = Array.from({ length: 7 }, (_, index) => `order-${index}`);

/** A list of seven payins whose cursor is the position of the page's first item. */
function listing(
  options: Partial<ServiceClientOptions> = {},
  names = { cursor: 'cursor', limit: 'limit' },
  largestPage = 100,
) {
  return scripted(
    [
      (request) => {
        const query = new URL(request.url).searchParams;
        const limit = Math.min(Number(query.get(names.limit) ?? 3), largestPage);
        const start = Number(query.get(names.cursor) ?? 0);
        return json({
          data: ALL.slice(start, start + limit).map((reference) => payinAnswer({ reference })),
          pageInfo: {
            hasNext: start + limit < ALL.length,
            hasPrevious: start > 0,
            nextCursor: start + limit < ALL.length ? String(start + limit) : null,
            previousCursor: start > 0 ? String(Math.max(0, start - limit)) : null,
          },
        });
      },
    ],
    options,
  );
}

async function references(list: PayinList): Promise<string[]> {
  const seen: string[] = [];
  for await (const payin of list) seen.push(payin.reference);
  return seen;
}

test('the list gives every payin once, across all pages', async () => {
  const { client, requests } = listing();
  assert.deepEqual(await references(client.payins.list({ pageSize: 3 })), ALL);
  assert.deepEqual(
    requests.map((request) => new URL(request.url).search),
    ['?limit=3', '?cursor=3&limit=3', '?cursor=6&limit=3'],
  );
});

test('the same list can be walked twice', async () => {
  const list = listing().client.payins.list();
  assert.deepEqual(await references(list), ALL);
  assert.deepEqual(await references(list), ALL);
});

test('a loop that ends early asks for no further page', async () => {
  const { client, requests } = listing();
  for await (const payin of client.payins.list({ pageSize: 2 })) if (payin.reference === 'order-1') break;
  assert.equal(requests.length, 1);
});

test('pages can be walked backward from a cursor', async () => {
  const pages: string[][] = [];
  for await (const page of listing().client.payins.list({ pageSize: 3, cursor: '6' }).pages('backward')) {
    pages.push(page.data.map(({ reference }) => reference));
  }
  assert.deepEqual(pages, [
    ['order-6'],
    ['order-3', 'order-4', 'order-5'],
    ['order-0', 'order-1', 'order-2'],
  ]);
});

test('the names of the two parameters are options, and no size is sent when none was given', async () => {
  const names = { cursor: 'after_id', limit: 'page_size' };
  const { client, requests } = listing({ listParameters: names }, names);
  assert.deepEqual(await references(client.payins.list({ pageSize: 5 })), ALL);
  assert.equal(new URL(requests[1]?.url ?? '').search, '?after_id=5&page_size=5');
  for await (const page of client.payins.list().pages()) if (page.data.length > 0) break;
  assert.equal(requests[2]?.url, 'https://service.example/v1/payins');
});

test('page sizes outside 1 to 100 and empty or endless cursors are refused', () => {
  const { client, requests } = listing();
  const fieldOf = (options: { pageSize?: number; cursor?: string }) => {
    try {
      client.payins.list(options);
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.operation, 'payins.list');
      return error.fields[0];
    }
    return undefined;
  };
  assert.deepEqual(fieldOf({ pageSize: 0 }), { field: 'pageSize', code: 'too_small' });
  assert.deepEqual(fieldOf({ pageSize: 101 }), { field: 'pageSize', code: 'too_large' });
  assert.deepEqual(fieldOf({ pageSize: 1.5 }), { field: 'pageSize', code: 'wrong_type' });
  assert.deepEqual(fieldOf({ pageSize: Number.NaN }), { field: 'pageSize', code: 'wrong_type' });
  for (const cursor of ['', 'x'.repeat(1_025)])
    assert.deepEqual(fieldOf({ cursor }), { field: 'cursor', code: 'format' });
  assert.equal(fieldOf({ cursor: 'x'.repeat(1_024) }), undefined);
  assert.equal(fieldOf({ pageSize: 1 }), undefined);
  assert.equal(fieldOf({ pageSize: 100 }), undefined);
  assert.equal(requests.length, 0);
});

test('a list that goes in circles or says it goes on but not where is an error, not a complete list', async () => {
  for (const [cursors, asked] of [
    [['one', 'two'], 3],
    [[null], 1],
    [[''], 1],
  ] as const) {
    let page = 0;
    const { client, requests } = scripted([
      () => {
        const nextCursor = cursors[page++ % cursors.length];
        const pageInfo = { hasNext: page < 10, hasPrevious: false, nextCursor, previousCursor: null };
        return json({ data: [payinAnswer()], pageInfo });
      },
    ]);
    const { kind, operation, status } = await failure(references(client.payins.list()));
    assert.deepEqual([kind, operation, status], ['unreadable_answer', 'payins.list', 200]);
    assert.equal(requests.length, asked);
  }
});

test('a payin is found by its reference on a later page, asking for a hundred at a time', async () => {
  const { client, requests, clock } = listing({}, undefined, 2);
  let pages = 0;
  const found = await client.findPayinByReference('order-5', { onPage: () => (pages += 1) });
  assert.equal(found?.reference, 'order-5');
  assert.equal(clock.nextDueAtMs(), undefined, 'no time limit is left running');
  assert.equal(pages, requests.length, 'the pages are counted for those who keep a budget');
  assert.deepEqual(
    requests.map((request) => new URL(request.url).search),
    ['?limit=100', '?cursor=2&limit=100', '?cursor=4&limit=100'],
  );
});

test('a search that runs out of time says so instead of saying there is none', async () => {
  let page = 0;
  const endless = scripted([
    async () => {
      await new Promise<void>((resolve) => endless.clock.setTimer(1_000, resolve));
      const nextCursor = String(++page);
      return json({
        data: [payinAnswer()],
        pageInfo: { hasNext: true, hasPrevious: false, nextCursor, previousCursor: null },
      });
    },
  ]);
  const startedAtMs = endless.clock.now();
  const search = failure(endless.client.findPayinByReference('order-99', { timeoutMs: 5_500 }));
  const { kind, operation } = await inFakeTime(endless.clock, search);
  assert.deepEqual([kind, operation], ['timeout', 'payins.list']);
  assert.equal(endless.clock.now() - startedAtMs, 5_500);
  assert.equal(page, 5);
});

test('a search can be called off', async () => {
  const { client } = scripted([silence]);
  const controller = new AbortController();
  const search = failure(client.findPayinByReference('order-1', { signal: controller.signal }));
  controller.abort();
  assert.equal((await search).kind, 'aborted');
});

test('a payin that cannot be read hides no other, and is counted', async () => {
  const odd = [
    payinAnswer({ reference: 'dos\nlíneas' }),
    { ...payinAnswer({ reference: 'dollars' }), currency: 'USD' },
    { ...payinAnswer({ reference: 'text' }), amount: '42.900' },
    { ...payinAnswer({ reference: 'new-key' }), sourceData: { keyType: 'BIOMETRIC', keyString: '@x' } },
    null,
  ];
  const { client } = scripted([
    () =>
      json({
        data: [...odd, payinAnswer({ reference: 'good' })],
        pageInfo: { hasNext: false, hasPrevious: false, nextCursor: null, previousCursor: null },
      }),
  ]);
  assert.equal((await client.findPayinByReference('good'))?.reference, 'good');
  const pages: unknown[] = [];
  for await (const { data, unreadable } of client.payins.list().pages()) {
    pages.push([data.map(({ reference }) => reference), unreadable]);
  }
  assert.deepEqual(pages, [[['good'], 5]]);
});
