import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ControlView } from '../../../src/sandbox/api/control-view.js';
import {
  BASE,
  brebPayin,
  customer,
  first,
  link,
  payout,
  psePayin,
  startSandbox,
  WEBHOOK_URL,
} from '../harness.js';

/** What the control page reads at an address, and what it sends. */
function control(options: Parameters<typeof startSandbox>[0] = {}) {
  const service = startSandbox(options);
  const { engine } = service;
  const view = async (query = '') =>
    (await service.send(`/_/api/view?${query}`)).body as unknown as ControlView;
  const titles = async (query: string) => (await view(query)).list?.rows.map(({ title }) => title);
  const press = (path: string, body: object = {}) =>
    service.send(`/_/api/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const payin = (change: object) => engine.createPayin({ ...brebPayin, ...change });
  return { ...service, view, titles, press, payin };
}

test('one click makes a sample of each kind', async () => {
  const { press, engine, view } = control();
  for (const sample of ['qr', 'key', 'pse', 'payout', 'link']) {
    const { status, body } = await press('samples', { sample });
    assert.equal(status, 201);
    assert.ok(engine.find(body.id), sample);
    const { detail } = await view(`open=${body.id}`);
    assert.equal(detail?.kind === 'record' && detail.record.id, body.id);
  }
  assert.deepEqual(
    engine.payins.map(({ source }) => (source.rail === 'PSE' ? 'PSE' : source.keyType)),
    ['PSE', 'SINGLE_USE', 'QR_CODE'],
  );
  assert.deepEqual([engine.payouts.length, engine.links.length], [1, 1]);
  assert.equal((await press('samples', { sample: 'constructor' })).status, 400);
});

test('lists are newest first and can be searched and filtered by status', async () => {
  const { payin, engine, titles } = control();
  payin({ reference: 'CAFE-1' });
  engine.createPayin({ ...psePayin, reference: 'CAFE-2' });
  const declined = payin({ reference: 'TE-1' });
  engine.settle(declined.id, 'DECLINED');
  assert.deepEqual(await titles(''), ['TE-1', 'CAFE-2', 'CAFE-1']);
  assert.deepEqual(await titles('q=cafe'), ['CAFE-2', 'CAFE-1']);
  assert.deepEqual(await titles(`q=${declined.id}`), ['TE-1']);
  assert.deepEqual(await titles('q=pse'), ['CAFE-2']);
  assert.deepEqual(await titles('q=bre_b'), ['TE-1', 'CAFE-1']);
  assert.deepEqual(await titles('status=DECLINED'), ['TE-1']);
  assert.deepEqual(await titles('q=cafe&status=DECLINED'), []);
});

test('a long list has pages, and says which part of how many it shows', async () => {
  const { payin, view } = control();
  for (let index = 1; index <= 60; index++) payin({ reference: `R-${index}` });
  const list = async (query: string) => (await view(query)).list;
  const newest = await list('');
  assert.deepEqual([newest?.rows.length, newest?.rows[0]?.title], [50, 'R-60']);
  assert.deepEqual([newest?.page, newest?.matching, newest?.total], [1, 60, 60]);
  const older = await list('page=2');
  assert.deepEqual(
    older?.rows.map(({ title }) => title),
    Array.from({ length: 10 }, (_, index) => `R-${10 - index}`),
  );
  assert.deepEqual(await list('page=99'), older, 'the last page there is');
});

test('the log has each request of the API with its answer, and no personal data', async () => {
  const { view, titles, post, get, payin } = control();
  payin({ reference: 'NOT-A-REQUEST' });
  const sent = { ...psePayin, reference: 'LOGGED', inlineCustomer: customer };
  const { body, headers } = await post('/payins', sent);
  const lookup = await get('/breb/keys/3001234567');
  const numbers = await post('/payins', { ...sent, inlineCustomer: { ...customer, idNumber: 1020304050 } });
  await get('/payins/unknown');
  assert.deepEqual(await titles('section=requests'), [
    'GET /payins/unknown',
    'POST /payins',
    'GET /breb/keys/•••',
    'POST /payins',
  ]);
  assert.deepEqual(await titles('section=requests&status=4xx'), ['GET /payins/unknown', 'POST /payins']);
  const open = async (answer: Headers) =>
    JSON.stringify(await view(`section=requests&open=${answer.get('x-request-id')}`));
  const opened = (await Promise.all([headers, lookup.headers, numbers.headers].map(open))).join();
  for (const shown of ['LOGGED', body.id]) assert.ok(opened.includes(shown), shown);
  for (const personal of [...Object.values(customer), '3001234567']) {
    if (personal === customer.idType) continue;
    assert.ok(!opened.includes(personal), `${personal} is shown`);
  }
});

test('a page that shows the log hears of a request, and no other page does', async () => {
  const { send, get } = control();
  const revision = async (section: string) => (await send(`/_/revision?section=${section}`)).body['revision'];
  const [log, payins] = [await revision('requests'), await revision('payins')];
  await get('/payins');
  assert.notEqual(await revision('requests'), log);
  assert.equal(await revision('payins'), payins);
});

test('the page learns of every change by its number', async () => {
  const { send, payin, view } = control();
  const revision = async () => (await send('/_/revision')).body['revision'];
  const before = await revision();
  payin({});
  assert.notEqual(await revision(), before);
  assert.equal(await revision(), (await view()).revision);
});

test('starting over forgets everything but where events go', async () => {
  const { engine, press, payin, post, clock, view } = control();
  const { id } = payin({ reference: 'AGAIN' });
  engine.lookupKey(payout.breb.keyString);
  engine.createPayout(payout);
  await post('/payins', { ...brebPayin, reference: 'ALSO' });
  engine.createLink(link);
  engine.setMishap('webhooks-lost', true);
  engine.armMishap('underpaid', 2);
  const targets = engine.webhooks;
  assert.equal((await press('reset')).status, 200);
  const { payins, payouts, links, events, deliveries } = engine;
  assert.deepEqual([payins, payouts, links, events, deliveries], [[], [], [], [], []]);
  assert.deepEqual(engine.mishaps, { everywhere: [], armed: {} });
  assert.equal(engine.find(id), undefined);
  assert.deepEqual(engine.webhooks, targets);
  assert.equal((await view('section=requests')).list?.total, 0);
  assert.equal(clock.nextDueAtMs(), undefined, 'nothing is planned');
  assert.throws(() => engine.createPayout(payout), /key_not_looked_up/);
  payin({ reference: 'AGAIN' });
  assert.equal(engine.payins.length, 1, 'the reference is free again');
});

test('a declined payin can still be confirmed, a confirmed one no longer declined', async () => {
  const { engine, payin, view } = control();
  const { id } = payin({});
  const outcomes = async () => {
    const { detail } = await view(`open=${id}`);
    return detail?.kind === 'record' ? detail.outcomes : undefined;
  };
  assert.deepEqual(await outcomes(), ['CONFIRMED', 'DECLINED', 'CANCELED']);
  engine.settle(id, 'DECLINED');
  assert.deepEqual(await outcomes(), ['CONFIRMED']);
  engine.settle(id, 'CONFIRMED');
  assert.deepEqual(await outcomes(), []);
});

test('a payin offers a tenth less and a tenth more, and the page of its payer', async () => {
  const { payin, view, sandbox } = control();
  const { id } = payin({ amountInCents: 5_000_000 });
  const { detail } = await view(`open=${id}`);
  assert.ok(detail?.kind === 'record');
  assert.deepEqual(detail.wrongAmounts, { under: 4_500_000, over: 5_500_000 });
  assert.match(detail.payerPath ?? '', /^\/checkout\//);
  assert.equal((await sandbox.fetch(new Request(BASE + detail.payerPath))).status, 200);
});

test('an event shows each attempt to deliver it', async () => {
  const { payin, engine, pass, clock, view } = control({
    receive: () => new Response(null, { status: 500 }),
  });
  const { id } = payin({});
  await pass(1_000);
  const event = first(engine.events.filter(({ resourceId }) => resourceId === id));
  const { detail } = await view(`section=events&open=${event.id}`);
  assert.ok(detail?.kind === 'event');
  const delivery = first(detail.deliveries);
  assert.deepEqual([delivery.url, delivery.state], [WEBHOOK_URL, 'WAITING']);
  assert.deepEqual(
    delivery.attempts.map(({ status }) => status),
    [500, 500],
  );
  assert.equal(delivery.nextAttemptAtMs, clock.now() + 2_000);
  assert.deepEqual([detail.about?.kind, detail.about?.id], ['payin', id]);
});

test('a payout can be settled once, and a link has no outcomes', async () => {
  const { engine, view } = control();
  engine.lookupKey(payout.breb.keyString);
  const { id } = engine.createPayout(payout);
  const made = engine.createLink(link);
  const outcomesOf = async (each: string) => {
    const { detail } = await view(`open=${each}`);
    assert.ok(detail !== null && 'outcomes' in detail);
    return detail.outcomes;
  };
  assert.deepEqual(await outcomesOf(id), ['CONFIRMED', 'DECLINED', 'CANCELED']);
  engine.settle(id, 'DECLINED');
  for (const each of [id, made.id]) assert.deepEqual(await outcomesOf(each), []);
});

test('the connection holds what a server needs, and no other section does', async () => {
  const { view } = control({ apiKey: 'key-of-this-test', accessToken: 'token-of-this-test' });
  const { connection } = await view('section=connection');
  assert.deepEqual(
    [connection?.baseUrl, connection?.apiKey, connection?.accessToken],
    [BASE, 'key-of-this-test', 'token-of-this-test'],
  );
  assert.ok(connection?.documents.some(([document]) => document === '1000000003'));
  assert.equal((await view('section=payins')).connection, null);
});

test('what the page shows of a payer is the name and the document, and no address of theirs', async () => {
  const { payin, view } = control();
  const { id } = payin({ inlineCustomer: customer });
  const shown = JSON.stringify(await view(`open=${id}`));
  for (const text of [customer.name, customer.idNumber]) assert.ok(shown.includes(text), text);
  for (const text of [customer.email, customer.phone]) assert.ok(!shown.includes(text), text);
});

test('behind a proxy, the page may press under the name that the proxy gives it', async () => {
  const { press, engine, send } = control({ publicUrl: 'https://sandbox.example' });
  const from = (origin: string) =>
    send('/_/api/samples', {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin },
      body: JSON.stringify({ sample: 'qr' }),
    });
  assert.equal((await from('https://sandbox.example')).status, 201);
  assert.equal((await from('https://evil.example')).status, 403);
  assert.equal((await press('samples', { sample: 'qr' })).status, 201, 'a program');
  assert.equal(engine.payins.length, 2);
});
