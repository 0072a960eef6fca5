import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import { createSandbox, manualClock, SnapshotError } from '../../../src/sandbox.js';
import {
  brebPayin,
  customer,
  first,
  HOUR_MS,
  link,
  payout,
  psePayin,
  startSandbox,
  withDocument,
} from '../harness.js';

/** A day's work with everything in it, to compare runs and snapshots by. */
async function workADay(service: ReturnType<typeof startSandbox>) {
  await service.post('/payins', { ...brebPayin, breb: { keyType: 'QR_CODE' } });
  await service.post('/payins', { ...psePayin, reference: 'ORDER-2', inlineCustomer: customer });
  await service.get('/breb/keys/@PROVEEDOR1');
  await service.post('/payouts', payout);
  await service.post('/payment-links', link);
  await service.pass(1_000);
}

describe('repeatability', () => {
  test('same seed, clock and calls: same ids, keys, tokens and events', async () => {
    const [one, two, other] = [
      startSandbox({ seed: 1 }),
      startSandbox({ seed: 1 }),
      startSandbox({ seed: 2 }),
    ];
    for (const service of [one, two, other]) {
      await workADay(service);
      await service.pass(HOUR_MS);
    }
    assert.deepEqual(one.sandbox.snapshot(), two.sandbox.snapshot());
    assert.deepEqual(one.received, two.received);
    assert.notEqual(one.engine.payins[0]?.id, other.engine.payins[0]?.id);
  });

  test('without a seed two sandboxes have nothing in common', () => {
    const ids = [createSandbox(), createSandbox()].map((sandbox) => {
      const { id } = sandbox.engine.createPayin(brebPayin);
      sandbox.close();
      return id;
    });
    assert.notEqual(ids[0], ids[1]);
  });

  test('ten thousand payins have ten thousand ids and keys', () => {
    const { engine } = startSandbox({ webhooks: [] });
    const ids = new Set<string>();
    const keys = new Set<string>();
    for (let index = 0; index < 10_000; index++) {
      const payin = engine.createPayin({ ...brebPayin, reference: `R${index}` });
      ids.add(payin.id);
      if (payin.source.rail === 'BRE_B') keys.add(payin.source.keyString);
    }
    assert.deepEqual([ids.size, keys.size], [10_000, 10_000]);
    engine.close();
  });
});

describe('automatic outcomes', () => {
  test('a document number decides after five seconds, to the millisecond', async () => {
    for (const [document, status] of [
      ['1000000001', 'CONFIRMED'],
      ['1000000003', 'DECLINED'],
      ['1000000005', 'CANCELED'],
      ['7777777', 'CONFIRMED'],
    ] as const) {
      const { post, pass, engine } = startSandbox();
      await post('/payins', { ...psePayin, inlineCustomer: withDocument(document) });
      await pass(4_999);
      assert.equal(engine.payins[0]?.status, 'PENDING');
      await pass(1);
      assert.equal(engine.payins[0]?.status, status);
    }
  });

  test('without a document a payin waits for the payer', async () => {
    const { post, pass, engine } = startSandbox();
    await post('/payins', brebPayin);
    await pass(24 * HOUR_MS);
    assert.equal(engine.payins[0]?.status, 'PROCESSING');
  });

  test('autoOutcome always confirms without one; never leaves all to the payer', async () => {
    const always = startSandbox({ autoOutcome: 'always' });
    await always.post('/payins', brebPayin);
    await always.pass(5_000);
    assert.equal(always.engine.payins[0]?.status, 'CONFIRMED');
    const never = startSandbox({ autoOutcome: 'never' });
    await never.post('/payins', { ...brebPayin, inlineCustomer: customer });
    await never.pass(HOUR_MS);
    assert.equal(never.engine.payins[0]?.status, 'PROCESSING');
  });

  test("a payer who opens the bank's page takes the decision over", async () => {
    const { post, pass, engine } = startSandbox();
    await post('/payins', { ...psePayin, inlineCustomer: customer });
    await pass(2_000);
    const payin = first(engine.payins);
    assert.ok(payin.source.rail === 'PSE');
    engine.visitBank(payin.source.bankToken);
    await pass(HOUR_MS);
    assert.equal(engine.payins[0]?.status, 'PROCESSING');
    engine.decide(payin.id, 'DECLINED');
    assert.equal(engine.payins[0]?.status, 'DECLINED');
    assert.throws(() => engine.decide(payin.id, 'CONFIRMED'), /already_final/);
  });

  test('the pages open only with their token', async () => {
    const { post, engine } = startSandbox();
    const { id } = (await post('/payins', brebPayin)).body;
    assert.equal(engine.visitBank('nonsense'), undefined);
    assert.equal(engine.visitCheckout(id, 'nonsense'), undefined);
    assert.equal(engine.visitCheckout(id, first(engine.payins).checkoutToken)?.id, id);
  });
});

describe('settling by hand', () => {
  test('repeats nothing: the same outcome twice is one event', async () => {
    const { post, pass, engine, events } = startSandbox();
    const { id } = (await post('/payins', brebPayin)).body;
    engine.settle(id, 'CONFIRMED');
    engine.settle(id, 'CONFIRMED');
    await pass(0);
    assert.deepEqual(events(), ['payin.processing', 'payin.confirmed']);
  });

  test('an amount goes only with a confirmed payin', async () => {
    const { post, engine } = startSandbox();
    const { id } = (await post('/payins', brebPayin)).body;
    assert.throws(() => engine.settle(id, 'DECLINED', { confirmedAmountInCents: 5 }), /invalid_amount/);
    assert.throws(() => engine.settle('unknown', 'CONFIRMED'), /not_found/);
    engine.lookupKey(payout.breb.keyString);
    const out = engine.createPayout(payout).id;
    assert.throws(() => engine.settle(out, 'CONFIRMED', { confirmedAmountInCents: 5 }), /invalid_amount/);
  });

  test('changes are announced with a growing revision', async () => {
    const { post, engine } = startSandbox();
    const seen: string[] = [];
    const before = engine.revision;
    const stop = engine.subscribe(({ kind, revision }) => seen.push(`${kind} ${revision - before}`));
    await post('/payins', brebPayin);
    stop();
    await post('/payins', { ...brebPayin, reference: 'ORDER-2' });
    assert.deepEqual(seen, ['payin 1', 'event 2', 'delivery 3']);
  });
});

describe('snapshots', () => {
  test('a restored sandbox goes on as if it had never stopped', async () => {
    const straight = startSandbox();
    await workADay(straight);
    const snapshot: unknown = JSON.parse(JSON.stringify(straight.sandbox.snapshot()));
    await straight.pass(2 * HOUR_MS);

    const restored = startSandbox({ snapshot });
    await restored.pass(1_000 + 2 * HOUR_MS);
    const summary = ({ engine }: typeof restored) =>
      [...engine.payins, ...engine.payouts, ...engine.links].map(({ id, status }) => `${id} ${status}`);
    assert.deepEqual(summary(restored), summary(straight));
    assert.deepEqual(restored.events().sort(), straight.events().slice(-restored.events().length).sort());
    assert.equal((await restored.post('/payins', brebPayin)).status, 409);
    assert.equal((await restored.post('/payouts', payout)).status, 201);
  });

  test('what fell due while nothing ran happens at the start', async () => {
    const before = startSandbox();
    await before.post('/payment-links', link);
    const snapshot: unknown = JSON.parse(JSON.stringify(before.sandbox.snapshot()));
    const clock = manualClock(before.clock.now() + 5 * HOUR_MS);
    const sandbox = createSandbox({ snapshot, clock });
    await clock.advance(0);
    assert.deepEqual(
      sandbox.engine.events.map(({ event }) => event),
      ['paymentlink.expired'],
    );
    const expired = first(sandbox.engine.links);
    assert.equal(expired.status, 'EXPIRED');
    assert.equal(expired.updatedAtMs - expired.createdAtMs, HOUR_MS);
  });

  test('a file that is no snapshot is refused', () => {
    for (const snapshot of [
      null,
      {},
      'x',
      { version: 2 },
      { ...(startSandbox().sandbox.snapshot() as object), payins: [{}] },
    ]) {
      assert.throws(() => createSandbox({ snapshot }), SnapshotError);
    }
  });
});

test('the sandbox refuses to start in production', () => {
  const before = process.env['NODE_ENV'];
  process.env['NODE_ENV'] = 'production';
  try {
    assert.throws(() => createSandbox(), /NODE_ENV=production/);
  } finally {
    if (before === undefined) delete process.env['NODE_ENV'];
    else process.env['NODE_ENV'] = before;
  }
});

test('a closed sandbox does nothing more', async () => {
  const service = startSandbox();
  await service.post('/payins', { ...brebPayin, inlineCustomer: customer });
  service.sandbox.close();
  await service.pass(HOUR_MS);
  assert.deepEqual(service.events(), []);
  assert.equal(service.engine.payins[0]?.status, 'PROCESSING');
});
