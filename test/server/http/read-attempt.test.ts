import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld({ work: false, ...options }));
afterEach(async () => {
  await world?.close();
  world = undefined;
});

/** The answer, once it is there. */
function watch<Value>(work: Promise<Value>): () => Value | undefined {
  let seen: Value | undefined;
  void work.then((value) => {
    seen = value;
  });
  return () => seen;
}

test('who asks to wait names a version and whole seconds; what is wrong is named', async () => {
  const { startBreb, get } = await open();
  const { id } = (await startBreb()).attempt;
  const long = 'v'.repeat(65);
  for (const [query, ...wrong] of [
    [`after=${long}&wait=1`, 'after'],
    [`after=${long}`, 'after'],
    ['after=1&wait=x', 'wait'],
    ['wait=x', 'wait'],
    ['wait=', 'wait'],
    ['wait=-1', 'wait'],
    ['wait=1.5', 'wait'],
    ['wait=%201', 'wait'],
    ['wait=10000', 'wait'],
    [`after=${long}&wait=10000`, 'after', 'wait'],
  ] as const) {
    const { status, problem } = await get(`/payins/${id}?${query}`);
    assert.deepEqual([status, problem.code], [400, 'invalid_request'], query);
    assert.deepEqual(
      problem.errors,
      wrong.map((field) => ({ field, code: 'format' })),
      query,
    );
  }
});

test('who names no version or no time, or an older version, is answered at once', async () => {
  const { startBreb, get } = await open();
  const { id, version } = (await startBreb()).attempt;
  for (const [query, waited] of [
    ['', false],
    ['?', false],
    ['?x=1', false],
    [`?after=${version}`, false],
    ['?wait=25', false],
    [`?after=${version}&wait=0`, false],
    [`?after=${version}&wait=0000`, false],
    [`?after=${'v'.repeat(64)}`, false],
    [`?after=${'v'.repeat(64)}&wait=9999`, true],
    ['?after=&wait=1', true],
  ] as const) {
    const { status, attempt } = await get(`/payins/${id}${query}`);
    assert.deepEqual([status, attempt.version, attempt.waited], [200, version, waited], query);
  }
});

test('an answer is held for as many seconds as were asked, and never for more than 25', async () => {
  const { startBreb, get, pass } = await open();
  const { id, version } = (await startBreb()).attempt;
  for (const [wait, seconds] of [
    ['1', 1],
    ['0007', 7],
    ['25', 25],
    ['26', 25],
    ['9999', 25],
  ] as const) {
    const answer = watch(get(`/payins/${id}?after=${version}&wait=${wait}`));
    await pass(seconds * 1_000 - 1);
    assert.equal(answer(), undefined, wait);
    await pass(1);
    await world?.settle();
    assert.deepEqual([answer()?.attempt.version, answer()?.attempt.waited], [version, true], wait);
  }
});

test('news that come between the look at an order and the wait for it are not waited for', async () => {
  const { startBreb, get, store, settle } = await open();
  const { id, version } = (await startBreb()).attempt;
  const find = store.find.bind(store);
  let replaces: string | undefined = id;
  store.find = async (key) => {
    const found = await find(key);
    const replaced = replaces;
    replaces = undefined;
    if (replaced !== undefined) await startBreb({ replaces: replaced });
    return found;
  };
  const answer = watch(get(`/payins/${id}?after=${version}&wait=25`));
  await settle();
  assert.equal(answer()?.attempt.replaced, true);
  assert.notEqual(answer()?.attempt.version, version);
});

test('a payment is read as soon as that is due and a payer looks, and not sooner', async () => {
  const looks = {
    attempt: (opened: World, id: string) => opened.get(`/payins/${id}`),
    offer: (opened: World) => opened.offer(),
    wait: (opened: World, id: string, version: string) =>
      Promise.resolve(void opened.get(`/payins/${id}?after=${version}&wait=25`)),
  };
  for (const [name, look] of Object.entries(looks)) {
    const opened = await open();
    const { clock, engine, settle, requests, store } = opened;
    engine.setMishap('webhooks-lost', true);
    const { id, reference, version } = (await opened.startBreb()).attempt;
    await settle();
    engine.settle(opened.payinOf(reference).id, 'CONFIRMED');
    const before = requests.length;
    let claims = 0;
    const { claimOne } = store;
    store.claimOne = (...given) => {
      claims += 1;
      return claimOne.apply(store, given);
    };
    await clock.advance(4_999);
    if (name !== 'wait') {
      await look(opened, id, version);
      await settle();
      assert.deepEqual([requests.length - before, claims], [0, 0], name);
    }
    await clock.advance(1);
    await look(opened, id, version);
    await settle();
    assert.equal(requests.length - before, 1, name);
    assert.equal((await opened.offer()).offer.attempt?.status, 'CONFIRMED', name);
    await opened.close();
  }
});

test('a look at a payment that is known to the end does nothing', async () => {
  const opened = await open();
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  await opened.clock.advance(3_600_000);
  opened.store.claimOne = () => assert.fail('nothing is due');
  opened.store.update = () => assert.fail('nothing has changed');
  assert.equal((await opened.get(`/payins/${attempt.id}`)).attempt.status, 'CONFIRMED');
  assert.equal((await opened.offer()).offer.attempt?.status, 'CONFIRMED');
  await opened.settle();
  assert.deepEqual(
    opened.logged.filter(({ level }) => level === 'error'),
    [],
  );
});

test('a look at a payment that may not be asked about now leaves it alone, and a later one asks', async () => {
  const opened = await open({
    orders: { a: { amountInCents: 500_000 }, b: { amountInCents: 500_000 } },
    options: { serviceReadsPerSecond: 1 },
  });
  const { clock, settle, requests, store } = opened;
  opened.engine.setMishap('webhooks-lost', true);
  for (const order of ['a', 'b']) await opened.startBreb({}, order);
  await settle();
  await clock.advance(5_000);
  let claims = 0;
  const { claimOne } = store;
  store.claimOne = (...given) => {
    claims += 1;
    return claimOne.apply(store, given);
  };
  const before = requests.length;
  const look = async (order: string) => {
    await opened.offer(order);
    await settle();
    return [requests.length - before, claims];
  };
  const [asked, claimed] = await look('a');
  assert.equal(asked, 1);
  assert.deepEqual(await look('b'), [1, claimed]);
  await clock.advance(1_000);
  const [later] = await look('b');
  assert.equal(later, 2);
});
