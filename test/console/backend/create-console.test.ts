import assert from 'node:assert/strict';
import { afterEach, test } from 'vitest';
import { type AttemptListPage, attemptsOf, type Overview } from '../../../src/console.js';
import { systemClock } from '../../../src/service/clock.js';
import type { OrderView, Reconciliation, ReviewPage } from '../../../src/server.js';
import { crowdOf, KEY_ONLY } from '../../server/world.js';
import './shared-keys.js';
import { close, open } from './desk.js';

/** The console's backend, asked as its page asks. */

afterEach(close);

test('the overview has the sums of five periods, each method and the health', async () => {
  const desk = await open();
  const { attempt } = await desk.startBreb();
  desk.engine.decide(desk.payinOf(attempt.reference).id, 'CONFIRMED');
  await desk.pass(2_000);
  const { collected, health } = await desk.get<{
    collected: Record<string, { paidInCents: number }>;
    health: { ready: boolean };
  }>('/overview');
  assert.deepEqual(
    Object.entries(collected).map(([period, { paidInCents }]) => [period, paidInCents]),
    [
      ['today', 5_000_000],
      ['yesterday', 0],
      ['weekAgo', 0],
      ['week', 5_000_000],
      ['month', 5_000_000],
    ],
  );
  assert.equal(health.ready, true);
  const week = await desk.get<Overview>('/overview/7');
  assert.deepEqual([week.dayCount, week.methods[0]?.paid, week.waits[0]?.paid], [7, 1, 1]);
  assert.equal((await desk.ask('GET', '/overview/365', undefined, desk.headers)).status, 404);
});

test('what needs a person is listed with its story and resolved with a note', async () => {
  const desk = await open();
  const first = (await desk.startBreb()).attempt;
  const second = (await desk.startBreb({ replaces: first.id })).attempt;
  for (const { reference } of [second, first]) {
    desk.engine.decide(desk.payinOf(reference).id, 'CONFIRMED');
    await desk.pass(2_000);
  }
  const { orders } = await desk.get<ReviewPage>('/review');
  assert.deepEqual(
    orders.map(({ order, items }) => [order, items[0]?.kind]),
    [['order-1', 'duplicate']],
  );
  const item = orders[0]?.items[0]?.key ?? '';
  assert.equal((await desk.post('/orders/order-1/handled', { item: 'no such' })).status, 404);
  assert.equal((await desk.post('/orders/order-1/handled', {})).status, 422);
  assert.equal((await desk.post('/orders/order-1/handled', { item, note: 'x'.repeat(501) })).status, 422);
  assert.equal((await desk.post('/orders/order-1/handled', { item, note: ' Devuelto ' })).status, 204);
  assert.deepEqual((await desk.get<ReviewPage>('/review')).orders, []);
  const { history, notices } = await desk.get<OrderView>('/orders/order-1');
  assert.deepEqual([history.at(-1)?.event, history.at(-1)?.note], ['review_handled', 'Devuelto']);
  const look = () => desk.get<OrderView>('/orders/order-1');
  assert.deepEqual([(await look()).review.length, (await look()).handled.map(({ key }) => key)], [0, [item]]);
  assert.equal((await desk.post('/orders/order-1/reopen', { item: 'no such' })).status, 404);
  assert.equal((await desk.post('/orders/order-1/reopen', { item })).status, 204);
  assert.deepEqual([(await look()).review[0]?.key, (await look()).handled], [item, []]);
  assert.equal((await look()).history.at(-1)?.event, 'review_reopened');
  const told = desk.told.length;
  const [notice] = notices;
  assert.equal((await desk.post('/orders/order-1/repeat', { notice: notice?.key })).status, 204);
  await desk.pass(1_000);
  assert.equal(desk.told.length, told + 1);
  assert.equal((await desk.ask('GET', '/orders/nobody', undefined, desk.headers)).status, 404);
});

test('the file for the accountant is one that Excel in Spanish reads right', async () => {
  const desk = await open({
    orders: { '=HYPERLINK("x")': { amountInCents: 1_234_550 }, 'A;B': { amountInCents: 5 } },
  });
  const { attempt } = await desk.startBreb({}, '=HYPERLINK("x")');
  desk.engine.decide(desk.payinOf(attempt.reference).id, 'CONFIRMED');
  await desk.pass(2_000);
  const answer = await desk.ask('GET', '/attempts.csv?rail=BRE_B', undefined, desk.headers);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/csv; charset=utf-8/);
  assert.match(
    answer.headers.get('content-disposition') ?? '',
    /^attachment; filename="ventas-\d{4}-\d\d-\d\d\.csv"/,
  );
  const bytes = new Uint8Array(await answer.arrayBuffer());
  assert.deepEqual([...bytes.slice(0, 3)], [0xef, 0xbb, 0xbf], 'a mark says that it is UTF-8');
  const [head, row, end] = new TextDecoder().decode(bytes).split('\r\n');
  assert.equal(
    head,
    'Fecha;Pedido;Referencia;Medio de pago;Estado;Valor;Recibido;Devuelto o enviado;Neto;Fecha de pago;CUS;Banco;Motivo;Código',
  );
  const cells = row?.split(';') ?? [];
  assert.match(cells[0] ?? '', /^2026-01-15 10:00:0\d$/, 'in Colombian time');
  assert.equal(cells[1], `"'=HYPERLINK(""x"")"`, 'a formula is text');
  assert.deepEqual(cells.slice(3, 7), ['Bre-B', 'Confirmado', '12345,50', '12345,50']);
  assert.equal(end, '');
  const none = await desk.ask('GET', '/attempts.csv?from=2030-01-01', undefined, desk.headers);
  assert.equal((await none.text()).split('\r\n').length, 2);
  const searched = desk.ask('GET', `/attempts?search=${'x'.repeat(128)}`, undefined, desk.headers);
  assert.equal((await searched).status, 200);
  const tooLong = `search=${'x'.repeat(129)}`;
  for (const wrong of ['from=yesterday', 'rail=CASH', 'state=maybe', 'after=x', tooLong])
    assert.equal((await desk.ask('GET', `/attempts?${wrong}`, undefined, desk.headers)).status, 422, wrong);
  const listed = await desk.get<{ totals: { count: number; paidInCents: number } }>(
    '/attempts?from=2026-01-15&to=2026-01-15&state=paid',
  );
  assert.deepEqual([listed.totals.count, listed.totals.paidInCents], [1, 1_234_550]);
});

test('figures are added up once in three seconds, however many look', async () => {
  const desk = await open();
  const started = async () => (await desk.get<Overview>('/overview/7')).methods[0]?.started;
  const before = await started();
  await desk.startBreb();
  await desk.clock.advance(2_999);
  assert.equal(await started(), before);
  await desk.clock.advance(1);
  assert.equal(await started(), 1);
});

test('reconciling compares whole Colombian days and shows what is not the same', async () => {
  // The console has another clock, by which its session lasts until the shop's midnight.
  const desk = await open({ orders: crowdOf(3), work: false, sandbox: { webhooks: [] } }, true, {
    clock: systemClock,
  });
  const startAt = async (time: string, order: string) => {
    await desk.clock.advance(Date.parse(time) - desk.clock.now());
    return desk.payinOf((await desk.startBreb(KEY_ONLY, order)).attempt.reference).id;
  };
  await startAt('2026-01-15T15:00:10.000Z', 'order-0');
  desk.engine.settle(await startAt('2026-01-16T04:59:59.999Z', 'order-1'), 'CONFIRMED');
  await startAt('2026-01-16T05:00:00.000Z', 'order-2');
  const compare = async (day: string) => {
    const answer = await desk.post('/reconcile', { from: day, to: day });
    assert.equal(answer.status, 200);
    const { compared, payments, cursor } = (await answer.json()) as Reconciliation & { compared: number };
    return [compared, payments.map(({ order, result }) => [order, result]), cursor];
  };
  assert.deepEqual(await compare('2026-01-15'), [2, [['order-1', 'settled']], null]);
  assert.deepEqual(await compare('2026-01-16'), [1, [], null]);
  const turned = await desk.post('/reconcile', { from: '2026-01-16', to: '2026-01-15' });
  assert.equal(turned.status, 422);
  assert.match(await turned.text(), /"field":"to"/);
  assert.equal((await desk.post('/reconcile', { from: '2026-13-45', to: '2026-01-15' })).status, 422);
});

test('reconciling ends with its page when the merchant has left', async () => {
  const orders = crowdOf(101);
  const desk = await open({ orders, work: false });
  for (const order of Object.keys(orders)) await desk.startBreb(KEY_ONLY, order);
  const days = { from: '2026-01-15', to: '2026-01-15' };
  const left = await desk.ask('POST', '/reconcile', days, desk.headers, { signal: AbortSignal.abort() });
  const { stoppedBy, compared } = (await left.json()) as { stoppedBy: string | null; compared: number };
  assert.deepEqual([stoppedBy, compared], ['aborted', 100]);
});

test('what there is not is refused by its code', async () => {
  const { ask, post, headers } = await open();
  const nothing = await ask('GET', '/nothing', undefined, headers);
  assert.deepEqual([nothing.status, await nothing.json()], [404, { code: 'not_found', errors: [] }]);
  assert.equal((await post('/orders/order-1/repeat', { notice: 'confirmed.nothing' })).status, 404);
});

test('figures that could not be added up are said to have failed, and are asked for again at once', async () => {
  const lines: string[] = [];
  const { ask, headers, store } = await open({}, true, {
    log: (message) => void lines.push(message),
  });
  const { sums } = store;
  store.sums = () => Promise.reject(new Error('the disk is gone'));
  const away = await ask('GET', '/overview', undefined, headers);
  assert.deepEqual([away.status, await away.json()], [500, { code: 'failed', errors: [] }]);
  assert.equal(lines.length, 1);
  store.sums = sums.bind(store);
  assert.equal((await ask('GET', '/overview', undefined, headers)).status, 200);
});

test('pages go on after the one before, with the filter that was asked for', async () => {
  const desk = await open({
    orders: { a: { amountInCents: 500_000 }, b: { amountInCents: 500_000 }, c: { amountInCents: 300_000 } },
  });
  desk.engine.setMishap('underpaid', true);
  for (const order of ['a', 'b']) {
    const { attempt } = await desk.startBreb({}, order);
    desk.engine.decide(desk.payinOf(attempt.reference).id, 'CONFIRMED');
    await desk.pass(2_000);
  }
  await desk.startPse({}, 'c');
  const reviewed = async (path: string) =>
    (await desk.get<ReviewPage>(path)).orders.map(({ order }) => order);
  assert.deepEqual(await reviewed('/review'), ['a', 'b']);
  assert.deepEqual(await reviewed('/review?after=o:a'), ['b']);

  const listed = async (path: string) => {
    const page = await desk.get<AttemptListPage & { totals: { count: number } }>(path);
    return { orders: page.attempts.map(({ order }) => order), next: page.next, count: page.totals.count };
  };
  const { next } = await attemptsOf(desk.store).list({ limit: 1 });
  assert.deepEqual(await listed('/attempts'), { orders: ['c', 'b', 'a'], next: null, count: 3 });
  assert.deepEqual(await listed(`/attempts?after=${next}`), { orders: ['b', 'a'], next: null, count: 3 });
  assert.deepEqual(await listed('/attempts?rail=PSE'), { orders: ['c'], next: null, count: 1 });
  assert.deepEqual(await listed(`/attempts?rail=PSE&after=${next}`), { orders: [], next: null, count: 1 });
});

test('events that no order knows are counted beside what needs a person', async () => {
  const desk = await open();
  const data = { id: crypto.randomUUID(), reference: 'nobody', status: 'CONFIRMED' };
  await desk.webhook({ event: 'payin.confirmed', resource: 'payin', data });
  assert.deepEqual(await desk.get('/review'), {
    orders: [],
    next: null,
    unmatchedEvents: 1,
    oldestUnmatchedEventAt: new Date(desk.clock.now()).toISOString(),
  });
  desk.store.stats = () => Promise.reject(new Error('away'));
  assert.deepEqual(await desk.get('/review'), {
    orders: [],
    next: null,
    unmatchedEvents: 0,
    oldestUnmatchedEventAt: null,
  });
});

test('the file is named by the day in Colombia', async () => {
  let now = Date.parse('2026-01-16T04:59:59.999Z');
  const desk = await open({}, true, { clock: { ...systemClock, now: () => now } });
  const name = async () =>
    (await desk.ask('GET', '/attempts.csv', undefined, desk.headers)).headers.get('content-disposition');
  assert.equal(await name(), 'attachment; filename="ventas-2026-01-15.csv"');
  now += 1;
  assert.equal(await name(), 'attachment; filename="ventas-2026-01-16.csv"');
});
