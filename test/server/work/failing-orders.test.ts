import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { memoryStore, type Store } from '../../../src/server.js';
import { checkoutOf, crowdOf, KEY_ONLY, openWorld, type World } from '../world.js';

/** Orders that cannot be worked on hold up no other. */

let world: World | undefined;
afterEach(async () => {
  await world?.close();
  world = undefined;
});

const COUNT = 40;

/** Orders that were paid and are due, in the order of their names. Work on those in `failing` fails. */
async function openDue(failureOf: (store: Store, isFailing: (rowId: string) => boolean) => void) {
  const store = memoryStore();
  const failing = new Set<string>();
  failureOf(store, (rowId) => failing.has(rowId.slice('o:'.length)));
  let purges = 0;
  store.purge = () => Promise.resolve((purges += 1) * 0);
  const orders = crowdOf(COUNT);
  const opened = await openWorld({
    store,
    orders,
    work: false,
    sandbox: { webhooks: [] },
    options: { serviceReadsPerSecond: 1_000 },
  });
  world = opened;
  for (const name of Object.keys(orders)) {
    const { attempt } = await opened.startBreb(KEY_ONLY, name);
    opened.engine.settle(opened.payinOf(attempt.reference).id, 'CONFIRMED');
    await opened.clock.advance(1);
  }
  await opened.clock.advance(15_000);
  const failures = () => opened.logged.filter(({ event }) => event === 'work_failed');
  return { ...opened, failing, failures, purges: () => purges, tick: checkoutOf(opened).tick };
}

/** A row that another release wrote: it cannot be read, and keeps its lease until that runs out. */
function unreadable(store: Store, isFailing: (rowId: string) => boolean): void {
  const claim = store.claim.bind(store);
  store.claim = async (...given) => {
    const leases = await claim(...given);
    return leases.map((lease) =>
      isFailing(lease.row.id) ? { ...lease, row: { ...lease.row, body: { format: 2 } } } : lease,
    );
  };
}

/** A row that others write all the time: it is free again at once, and still due. */
function contended(store: Store, isFailing: (rowId: string) => boolean): void {
  const update = store.update.bind(store);
  store.update = (rowId, decide) =>
    isFailing(rowId) ? Promise.reject(new Error('contended')) : update(rowId, decide);
}

for (const failure of [unreadable, contended]) {
  test(`one order that fails (${failure.name}) ends no tick: the others are worked on, and what is old goes`, async () => {
    const { tick, failing, told, failures, purges } = await openDue(failure);
    failing.add('order-3');
    assert.deepEqual(await tick(), { orders: COUNT - 1, more: false });
    assert.deepEqual([told.length, purges()], [COUNT - 1, 1]);
    assert.equal(failures()[0]?.level, 'error');
  });

  test(`ticks without time that meet an order that fails (${failure.name}) say that more is due only while they get on`, async () => {
    const { tick, failing, told } = await openDue(failure);
    failing.add('order-0');
    for (let isMore = true; isMore;) {
      const { orders, more } = await tick(0);
      assert.equal(more, orders > 0);
      isMore = more;
    }
    assert.equal(told.length, COUNT - 1);
    failing.clear();
    await world?.clock.advance(60_000);
    assert.deepEqual(await tick(), { orders: 1, more: false });
  });
}

test('orders that fail in front of the others do not use up a tick without time', async () => {
  const { tick, failing, told, failures } = await openDue(unreadable);
  for (let index = 0; index < 20; index++) failing.add(`order-${index}`);
  const { orders, more } = await tick(0);
  assert.ok(orders > 0 && more);
  assert.deepEqual([told.length, failures().length], [orders, 20]);
});

test('a tick whose store is away is rejected', async () => {
  const { tick, store } = await openDue(() => undefined);
  store.claim = () => Promise.reject(new Error('away'));
  await assert.rejects(tick(), { name: 'StoreUnavailableError' });
});
