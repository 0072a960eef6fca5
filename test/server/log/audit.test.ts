import assert from 'node:assert/strict';
import { afterEach, test, vi } from 'vitest';
import type { Measurement } from '../../../src/server.js';
import { consoleLog } from '../../../src/server/log/audit.js';
import { createServiceClient } from '../../../src/service.js';
import { checkoutOf, CUSTOMER, openWorld, type World, type WorldOptions } from '../world.js';

let world: World | undefined;
const open = async (options?: WorldOptions) => (world = await openWorld(options));
afterEach(async () => {
  vi.restoreAllMocks();
  await world?.close();
  world = undefined;
});

/** Merchants who only take `onConfirmed`. */
const ONLY_CONFIRMED = {
  onDeclined: undefined,
  onCanceled: undefined,
  onDuplicatePayment: undefined,
  onAmountMismatch: undefined,
  onChargeback: undefined,
  onPayout: undefined,
  onReport: undefined,
} as object;

/** Whether the event or a regular read comes first is a matter of milliseconds. */
const steps = (entries: readonly { readonly event: string }[]) =>
  entries.map(({ event }) => event).filter((event) => event !== 'event_received');
const events = ({ logged }: World) => steps(logged);

test('every step of a payment is one line, and the money is in it', async () => {
  const opened = await open();
  const { attempt } = await opened.startBreb();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  assert.deepEqual(events(opened), [
    'attempt_created',
    'payment_known',
    'payment_confirmed',
    'notice_delivered',
  ]);
  const { order, reference, rail, amountInCents, confirmedAmountInCents, level } =
    opened.logged.find(({ event }) => event === 'payment_confirmed') ?? {};
  assert.deepEqual(
    { order, reference, rail, amountInCents, confirmedAmountInCents, level },
    {
      order: 'order-1',
      reference: attempt.reference,
      rail: 'BRE_B',
      amountInCents: 5_000_000,
      confirmedAmountInCents: 5_000_000,
      level: 'info',
    },
  );
});

test('with onConfirmed alone, a doubled and an underpaid payment still leave a warning each', async () => {
  const opened = await open({
    options: ONLY_CONFIRMED,
    orders: { a: { amountInCents: 500_000 }, b: { amountInCents: 500_000 } },
  });
  const first = (await opened.startBreb({}, 'a')).attempt;
  const second = (await opened.startBreb({ replaces: first.id }, 'a')).attempt;
  for (const { reference } of [second, first]) {
    opened.engine.decide(opened.payinOf(reference).id, 'CONFIRMED');
    await opened.pass(2_000);
  }
  opened.engine.setMishap('underpaid', true);
  const under = (await opened.startBreb({}, 'b')).attempt;
  opened.engine.decide(opened.payinOf(under.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  const warnings = opened.logged
    .filter(({ level }) => level === 'warn')
    .map(({ event, order }) => `${event} ${order}`);
  assert.deepEqual(warnings, ['payment_duplicate a', 'amount_mismatch b']);
});

test('an event whose payment no order knows is a warning', async () => {
  const opened = await open();
  const data = { id: crypto.randomUUID(), reference: 'somebody-else', status: 'CONFIRMED' };
  const { status } = await opened.webhook({ event: 'payin.confirmed', resource: 'payin', data });
  assert.equal(status, 200);
  assert.deepEqual(opened.logged, [
    { level: 'warn', event: 'event_unmatched', reference: 'somebody-else', status: 'CONFIRMED' },
  ]);
});

test('refused webhooks are one warning a minute, however many a stranger sends', async () => {
  const opened = await open();
  const lines = async () => {
    for (let sent = 0; sent < 50; sent++) await opened.webhook('{}', { 'x-webhook-secret': 'guessed' });
    return opened.logged.map(({ level, event }) => [level, event]);
  };
  const warning = ['warn', 'webhook_refused'];
  assert.deepEqual(await lines(), [warning]);
  await opened.pass(59_999);
  assert.deepEqual(await lines(), [warning]);
  await opened.pass(1);
  assert.deepEqual(await lines(), [warning, warning]);
});

test('the history of an order is kept with it, and says nothing of the payer', async () => {
  const opened = await open();
  const { attempt } = await opened.startPse();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'DECLINED');
  await opened.pass(2_000);
  const row = await opened.store.read('o:order-1');
  const { journal } = row?.body as { journal: { event: string }[] };
  assert.deepEqual(steps(journal), [
    'attempt_created',
    'payment_known',
    'payment_declined',
    'notice_delivered',
  ]);
  for (const value of Object.values(CUSTOMER)) {
    if (value !== CUSTOMER.idType) assert.ok(!JSON.stringify([journal, opened.logged]).includes(value));
  }
});

test('without a logger, a wrong API key is seen on the console at once', async () => {
  const lines: string[] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => lines.push(line));
  }
  const opened = await open({
    options: {
      log: undefined,
      service: createServiceClient({
        baseUrl: 'https://service.test',
        apiKey: 'not-the-key',
        fetch: (request) => world?.sandbox.fetch(request) ?? Promise.reject(new Error('none')),
      }),
    } as object,
  });
  await opened.startBreb();
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const failure = entries.find(({ event }) => event === 'create_failed');
  assert.equal(failure?.['code'], 'unauthorized');
  assert.match(String(failure?.['message']), /credential/);
  assert.match(String(failure?.['time']), /^\d{4}-\d{2}-\d{2}T/);
  assert.doesNotMatch(lines.join(), /not-the-key/);
});

test('each line goes where the platform shows its level', () => {
  const lines: [string, string][] = [];
  for (const level of ['info', 'warn', 'error'] as const) {
    vi.spyOn(console, level).mockImplementation((line: string) => lines.push([level, line]));
  }
  const log = consoleLog(() => 0);
  for (const level of ['info', 'warn', 'error'] as const) log({ level, event: 'example' });
  assert.deepEqual(
    lines,
    ['info', 'warn', 'error'].map((level) => [
      level,
      `{"time":"1970-01-01T00:00:00.000Z","level":"${level}","event":"example"}`,
    ]),
  );
});

test('every step of a payment is counted by its rail, for a merchant who gathers figures', async () => {
  const measured: Measurement[] = [];
  const opened = await open({ options: { metrics: (measurement) => void measured.push(measurement) } });
  const { attempt } = await opened.startPse();
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  const counts = measured.filter(({ name }) => /^order\.(attempt_created|payment_confirmed)$/.test(name));
  assert.deepEqual(
    counts,
    ['order.attempt_created', 'order.payment_confirmed'].map((name) => ({
      name,
      value: 1,
      unit: 'count',
      label: 'PSE',
    })),
  );
});

test('a log and figures that throw break no payment', async () => {
  const fail = () => {
    throw new Error('the disk is full');
  };
  const opened = await open({ options: { log: fail, metrics: fail } });
  const { attempt, status } = await opened.startBreb();
  assert.equal(status, 201);
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(2_000);
  assert.deepEqual(
    opened.told.map(({ hook }) => hook),
    ['onConfirmed'],
  );
});

test('calls, events, hooks and refusals are counted and timed', async () => {
  const measured: Measurement[] = [];
  let down = false;
  let hookRuns = 0;
  const opened = await open({
    network: (request, next) => (down ? Promise.reject(new TypeError('fetch failed')) : next(request)),
    options: {
      metrics: (measurement) => void measured.push(measurement),
      rateLimits: { createsPerOrder: 1 },
      async onConfirmed() {
        if (hookRuns++ === 0) throw new Error('not yet');
        await new Promise<void>((resolve) => void opened.clock.setTimer(1_500, resolve));
      },
    },
    orders: { a: { amountInCents: 500_000 }, b: { amountInCents: 500_000 } },
  });
  const { attempt } = await opened.startPse({}, 'a');
  assert.equal((await opened.startPse({}, 'a')).status, 429);
  down = true;
  await opened.startBreb({}, 'b');
  await opened.pass(30_000);
  down = false;
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.webhook('{}', { 'x-webhook-secret': 'guessed' });
  const data = { id: crypto.randomUUID(), reference: 'somebody-else', status: 'CONFIRMED' };
  await opened.webhook({ event: 'payin.confirmed', resource: 'payin', data });
  await opened.pass(600_000);
  const { refunds } = checkoutOf(opened);
  const { id, version } = await refunds.draft({ order: 'a', keyString: CUSTOMER.idNumber });
  await refunds.send(id, { version });
  for (const { name, unit, value } of measured)
    assert.ok(unit === 'count' ? value === 1 : value >= 0 && value < 60_000, `${name} is ${value} ${unit}`);
  const ofHook = measured.find(({ name, label }) => name === 'hook' && label === 'onConfirmed');
  assert.equal(ofHook?.value, 1_500);
  const figures = measured
    .filter(({ name }) => !name.startsWith('order.'))
    .map(({ name, label, unit }) => [name, label, unit].filter(Boolean).join(' '));
  assert.deepEqual([...new Set(figures)].sort(), [
    'event.unmatched count',
    'hook onCanceled ms',
    'hook onConfirmed ms',
    'hook.failed onConfirmed count',
    'rate_limited create_order count',
    'request create_payin ms',
    'request webhook ms',
    'service.create PAYIN ms',
    'service.create PAYOUT ms',
    'service.create.failed network count',
    'service.read ms',
    'service.read.failed network count',
    'webhook payin count',
    'webhook.refused unauthorized count',
  ]);
});

test('a payment whose order cannot be looked up is an error in the log, and is confirmed within seconds once it can', async () => {
  let isDown = false;
  const opened = await open({
    options: {
      findOrder() {
        if (isDown) throw new Error('the shop’s database is away');
        return { amountInCents: 5_000_000 };
      },
    },
  });
  const { attempt } = await opened.startBreb();
  isDown = true;
  opened.engine.decide(opened.payinOf(attempt.reference).id, 'CONFIRMED');
  await opened.pass(5_000);
  const failures = opened.logged.filter(({ event }) => event === 'find_order_failed');
  assert.ok(failures.length > 0);
  for (const { level, reference } of failures)
    assert.deepEqual([level, reference], ['error', attempt.reference]);
  assert.deepEqual(opened.told, []);
  isDown = false;
  await opened.pass(4_000);
  assert.deepEqual(
    opened.told.map(({ hook }) => hook),
    ['onConfirmed'],
    'within the back-off of the event',
  );
});
