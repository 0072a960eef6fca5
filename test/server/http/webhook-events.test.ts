import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import type { Orphan } from '../../../src/server/stores/store.js';
import { openWorld, type World, type WorldOptions } from '../world.js';

/** What is made of an event before anything is read because of it. The sandbox sends none here. */

let world: World | undefined;
const open = async (options?: WorldOptions) =>
  (world = await openWorld({ work: false, sandbox: { webhooks: [] }, ...options }));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const event = (name: string, data: object) => ({ event: name, resource: name.split('.')[0], data });

/** Events that are kept until an order knows their payment. */
function watchOrphans({ store }: World): Orphan[] {
  const kept: Orphan[] = [];
  const { saveOrphan } = store;
  store.saveOrphan = async (orphan) => {
    kept.push(orphan);
    await saveOrphan.call(store, orphan);
  };
  return kept;
}

const CLAIMS = [
  ['payin.confirmed', 'CONFIRMED'],
  ['payin.canceled', 'CANCELED'],
  ['payin.declined', 'DECLINED'],
  ['paymentlink.completed', 'COMPLETED'],
  ['paymentlink.expired', 'EXPIRED'],
] as const;

test('an event claims the outcome that its name says, of the payment that its id or its reference names', async () => {
  for (const [name, status] of CLAIMS) {
    const orders = Object.fromEntries(['a', 'b', 'c'].map((id) => [id, { amountInCents: 500_000 }]));
    const opened = await open({ orders });
    const orphans = watchOrphans(opened);
    const isLink = name.startsWith('paymentlink');
    const start = async (order: string) =>
      isLink ? (await opened.startLink({}, order)).link : (await opened.startBreb({}, order)).attempt;
    const idOf = (reference: string) =>
      [...opened.engine.payins, ...opened.engine.links].find((each) => each.reference === reference)?.id ??
      '';
    for (const [order, names] of [
      ['a', (id: string) => ({ id })],
      ['b', (id: string) => ({ id: id.toUpperCase() })],
      ['c', (_id: string, reference: string) => ({ id: crypto.randomUUID(), reference })],
    ] as const) {
      const { reference } = await start(order);
      const { id, ...rest } = names(idOf(reference), reference);
      const data = { ...(isLink ? { paymentLinkId: id } : { id }), ...rest, status: 'SOMETHING_ELSE' };
      assert.equal((await opened.webhook(event(name, data))).status, 200);
      const received = opened.logged.filter(
        (each) => each.event === 'event_received' && each.order === order,
      );
      assert.deepEqual(
        received.map((each) => [each.reference, each.detail]),
        [[reference, status]],
        `${name} for ${order}`,
      );
    }
    assert.deepEqual(orphans, [], 'none waits for an order');
    await opened.close();
  }
});

test('an event of an unknown payment is kept under the names by which an order may come to know it', async () => {
  const opened = await open();
  const orphans = watchOrphans(opened);
  const ours = 'order-7-23456789ABCD';
  for (const [reference, keys] of [
    [ours, ['s:p-1', `r:${ours}`]],
    [undefined, ['s:p-1']],
    // Not one that the kit makes: too long for a key, or of other characters.
    ['r'.repeat(65), ['s:p-1']],
    ['of another shop', ['s:p-1']],
  ] as const) {
    orphans.length = 0;
    const data = { id: 'P-1', reference, status: 'CONFIRMED' };
    assert.equal((await opened.webhook(event('payin.confirmed', data))).status, 200);
    assert.deepEqual(
      orphans.map(({ id: _, ...orphan }) => orphan),
      [
        {
          keys,
          body: { status: 'CONFIRMED', serviceId: 'P-1', reference: reference ?? null },
          receivedAt: opened.clock.now(),
        },
      ],
    );
  }
  const long = { id: 'p'.repeat(128), reference: 'r'.repeat(256), status: 'CONFIRMED' };
  await opened.webhook(event('payin.confirmed', long));
  assert.ok((orphans.at(-1)?.id.length ?? 0) <= 200, 'no store takes a longer id');
});

test('an event that comes again is kept once, and two that differ are kept both', async () => {
  const opened = await open();
  const data = { id: 'p-1', status: 'CONFIRMED' };
  for (const name of ['payin.confirmed', 'payin.confirmed', 'payin.declined'])
    await opened.webhook(event(name, data));
  const kept = await opened.store.takeOrphans(['s:p-1']);
  assert.deepEqual(kept.map(({ body }) => (body as { status: string }).status).sort(), [
    'CONFIRMED',
    'DECLINED',
  ]);
});

test('an event that is kept in the very moment in which its order learns of the payment is not lost', async () => {
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  const opened = await open({
    network: async (request, next) => {
      const answer = await next(request);
      if (request.method === 'POST') await held;
      return answer;
    },
  });
  const { store, engine, settle, told, logged } = opened;
  const starting = opened.startBreb();
  await settle();
  const id = engine.payins[0]?.id ?? '';
  engine.settle(id, 'CONFIRMED');
  const { saveOrphan } = store;
  store.saveOrphan = async (orphan) => {
    release();
    await starting;
    await settle();
    await saveOrphan.call(store, orphan);
  };
  assert.equal((await opened.webhook(event('payin.confirmed', { id, status: 'CONFIRMED' }))).status, 200);
  await settle();
  assert.deepEqual(
    told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
  assert.ok(!logged.some((entry) => entry.event === 'event_unmatched'));
  assert.deepEqual(await store.takeOrphans([`s:${id}`]), []);
});

test('an operator sees why webhooks are refused, and that events of unknown kinds arrive', async () => {
  const { webhook, logged } = await open();
  for (const [body, headers] of [
    ['{}', {}],
    ['{', undefined],
    ['x'.repeat(600_000), undefined],
    [{ event: 'refund.created', resource: 'refund', data: {} }, undefined],
  ] as const)
    await webhook(body, headers);
  assert.deepEqual(logged, [
    { level: 'warn', event: 'webhook_refused', code: 'unauthorized' },
    { level: 'warn', event: 'webhook_refused', code: 'unreadable' },
    { level: 'warn', event: 'webhook_refused', code: 'too_large' },
    { level: 'info', event: 'webhook_unknown' },
  ]);
});

test('a shop that goes without webhooks has no address for them', async () => {
  const { webhook } = await open({ options: { webhook: false } });
  const { status, problem } = await webhook(event('payin.confirmed', { id: 'p-1', status: 'CONFIRMED' }));
  assert.deepEqual([status, problem.code], [404, 'not_found']);
});
