import assert from 'node:assert/strict';
import { test } from 'vitest';
import { SCENARIO_NAMES } from '../../../src/sandbox.js';
import {
  BASE,
  brebPayin,
  customer,
  first,
  HOUR_MS,
  MINUTE_MS,
  payout,
  psePayin,
  WEBHOOK_URL,
} from '../harness.js';
import { startPages } from './harness.js';

type Started = ReturnType<typeof startPages>;

/** Presses a button of the control page. */
async function press({ submit }: Started, fields: Record<string, string>, address = '/_/') {
  const answer = await submit(address, fields);
  assert.equal(answer.status, 303, answer.html);
  return new URL(answer.location ?? '', `${BASE}/_/`);
}

/** The references in the list, from the top. */
function references(html: string): string[] {
  return [...html.matchAll(/<span class="what">\s*<b>([^<]*)<\/b>/g)].map((match) => match[1] ?? '');
}

function paidOut({ engine }: Started) {
  engine.lookupKey(payout.breb.keyString);
  return engine.createPayout(payout);
}

test('the address of the sandbox leads to the control page', async () => {
  const { open } = startPages();
  const { status, headers } = await open('/');
  assert.equal(status, 303);
  assert.equal(new URL(headers.get('location') ?? '', `${BASE}/`).pathname, '/_/');
});

test('empty lists say what will appear in them and offer to make one', async () => {
  const { open } = startPages();
  for (const [section, text, sample] of [
    ['payins', /Todavía no hay cobros/, 'sample-qr'],
    ['payouts', /Todavía no hay pagos enviados/, 'sample-payout'],
    ['links', /Todavía no hay enlaces/, 'sample-link'],
    ['events', /Todavía no ha pasado nada/, undefined],
  ] as const) {
    const { html } = await open(`/_/?section=${section}`);
    assert.match(html, text);
    if (sample) assert.ok(html.includes(`value="${sample}"`));
  }
});

test('one click makes a sample of each kind and opens it', async () => {
  const started = startPages();
  const { engine, open } = started;
  for (const [sample, section] of [
    ['sample-qr', 'payins'],
    ['sample-key', 'payins'],
    ['sample-pse', 'payins'],
    ['sample-payout', 'payouts'],
    ['sample-link', 'links'],
  ] as const) {
    const next = await press(started, { do: sample }, `/_/?section=${section}`);
    const id = next.searchParams.get('open') ?? '';
    assert.ok(engine.find(id), sample);
    assert.match((await open(next.pathname + next.search)).html, /id="detail-title"/);
  }
  assert.equal(engine.payins.length, 3);
});

test('lists are newest first and can be searched and filtered by status', async () => {
  const { brebPayin, psePayin, engine, open } = startPages();
  brebPayin({ reference: 'CAFE-1' });
  psePayin({ reference: 'CAFE-2' });
  const declined = brebPayin({ reference: 'TE-1' });
  engine.settle(declined.id, 'DECLINED');
  const list = async (query: string) => references((await open(`/_/?${query}`)).html);
  assert.deepEqual(await list(''), ['TE-1', 'CAFE-2', 'CAFE-1']);
  assert.deepEqual(await list('q=cafe'), ['CAFE-2', 'CAFE-1']);
  assert.deepEqual(await list(`q=${declined.id}`), ['TE-1']);
  assert.deepEqual(await list('q=pse'), ['CAFE-2']);
  assert.deepEqual(await list('status=DECLINED'), ['TE-1']);
  assert.deepEqual(await list('q=cafe&status=DECLINED'), []);
  assert.match((await open('/_/?q=nothing')).html, /Nada coincide con el filtro/);
});

test('a long list has pages, each with the way to the next', async () => {
  const { brebPayin, open } = startPages();
  for (let index = 1; index <= 60; index++) brebPayin({ reference: `R-${index}` });
  const first = (await open('/_/')).html;
  assert.equal(references(first).length, 50);
  assert.equal(references(first)[0], 'R-60');
  assert.match(first, /1 a 50 de 60/);
  const older = /href="([^"]*page=2[^"]*)"/.exec(first)?.[1]?.replaceAll('&amp;', '&');
  const second = (await open(`/_/${older}`)).html;
  assert.deepEqual(
    references(second),
    Array.from({ length: 10 }, (_, index) => `R-${10 - index}`),
  );
  assert.match(second, /51 a 60 de 60[^]*/);
  assert.match(second, /Más recientes/);
  assert.doesNotMatch(second, /Anteriores/);
  assert.deepEqual(
    references((await open('/_/?page=99')).html),
    references(second),
    'the last page there is',
  );
});

test('payins are filtered by rail, and everything by the day it was made in Colombia', async () => {
  const { brebPayin, psePayin, open, pass } = startPages();
  brebPayin({ reference: 'FIRST-DAY' });
  const firstDay = /<time datetime="(\d{4}-\d{2}-\d{2})/.exec((await open('/_/')).html)?.[1] ?? '';
  await pass(48 * HOUR_MS);
  psePayin({ reference: 'THIRD-DAY' });
  const list = async (query: string) => references((await open(`/_/?${query}`)).html);
  assert.deepEqual(await list('rail=PSE'), ['THIRD-DAY']);
  assert.deepEqual(await list('rail=BRE_B'), ['FIRST-DAY']);
  assert.deepEqual(await list(`to=${firstDay}`), ['FIRST-DAY']);
  const nextDay = new Date(Date.parse(firstDay) + 24 * HOUR_MS).toISOString().slice(0, 10);
  assert.deepEqual(await list(`from=${nextDay}`), ['THIRD-DAY']);
  assert.deepEqual(await list(`from=${nextDay}&to=${nextDay}`), []);
  assert.deepEqual(await list('from=yesterday'), ['THIRD-DAY', 'FIRST-DAY'], 'no day, no filter');
  const { html } = await open('/_/');
  assert.match(html, /<time [^>]*>\d{1,2} (de )?\w+\.?, \d{2}:/, 'another day is named');
});

test('the log has each request of the API with its answer, and nobody’s data', async () => {
  const { open, post, get, brebPayin } = startPages();
  brebPayin({ reference: 'NOT-A-REQUEST' });
  const { body } = await post('/payins', { ...psePayin, reference: 'LOGGED' });
  await get('/breb/keys/3001234567');
  await get('/payins/unknown');
  const list = await open('/_/?section=requests');
  assert.deepEqual(references(list.html), ['GET /payins/unknown', 'GET /breb/keys/•••', 'POST /payins']);
  assert.deepEqual(references((await open('/_/?section=requests&status=4xx')).html), ['GET /payins/unknown']);
  const opened = [...list.html.matchAll(/href="([^"]*open=req-[^"]*)"/g)]
    .at(-1)?.[1]
    ?.replaceAll('&amp;', '&');
  const { html } = await open(`/_/${opened}`);
  for (const shown of ['LOGGED', body.id, 'Lo que llegó', 'Lo que se respondió'])
    assert.ok(html.includes(shown), shown);
  for (const personal of Object.values(customer)) {
    if (personal === customer.idType) continue;
    assert.ok(!html.includes(personal), `${personal} is shown`);
  }
  assert.ok(!list.html.includes('3001234567'));
});

test('a page that shows the log hears of a request, and no other page does', async () => {
  const { open, get } = startPages();
  const revision = async (section: string) => (await open(`/_/revision?section=${section}`)).html;
  const [log, payins] = [await revision('requests'), await revision('payins')];
  await get('/payins');
  assert.notEqual(await revision('requests'), log);
  assert.equal(await revision('payins'), payins);
});

test('starting over forgets everything but where events go', async () => {
  const started = startPages();
  const { engine, open, post, pass } = started;
  const { id } = started.brebPayin({ reference: 'AGAIN' });
  await post('/payins', { ...brebPayin, reference: 'ALSO' });
  started.paymentLink();
  engine.setMishap('webhooks-lost', true);
  engine.armMishap('underpaid', 2);
  const targets = engine.webhooks;
  assert.match((await open('/_/?section=connection')).html, /Empezar de cero/);
  await press(started, { do: 'reset' }, '/_/?section=connection');
  assert.deepEqual([engine.payins, engine.links, engine.events, engine.deliveries], [[], [], [], []]);
  assert.deepEqual(engine.mishaps, { everywhere: [], armed: {} });
  assert.equal(engine.find(id), undefined);
  assert.deepEqual(engine.webhooks, targets);
  assert.match((await open('/_/?section=requests')).html, /todavía no ha llamado/);
  await pass(24 * HOUR_MS);
  assert.deepEqual([engine.events, engine.payins], [[], []], 'nothing that was planned happens');
  started.brebPayin({ reference: 'AGAIN' });
  assert.equal(engine.payins.length, 1, 'the reference is free again');
});

for (const [button, status, confirmedAmountInCents] of [
  ['confirm', 'CONFIRMED', 5_000_000],
  ['confirm-under', 'CONFIRMED', 4_500_000],
  ['confirm-over', 'CONFIRMED', 5_500_000],
  ['decline', 'DECLINED', null],
  ['cancel', 'CANCELED', null],
] as const) {
  test(`"${button}" settles a payin at once: ${status}, ${confirmedAmountInCents} cents`, async () => {
    const started = startPages();
    const { id } = started.brebPayin();
    await press(started, { do: button, id }, `/_/?open=${id}`);
    assert.equal(started.payin(id).status, status);
    assert.equal(started.payin(id).confirmedAmountInCents, confirmedAmountInCents);
  });
}

test('any amount can be confirmed, and only an amount', async () => {
  const started = startPages();
  const { id } = started.brebPayin();
  const refused = await started.submit('/_/', { do: 'confirm-other', id, pesos: 'x' });
  assert.equal(refused.status, 409);
  assert.match(refused.html, /role="alert"[^]*Escribe un valor en pesos/);
  await press(started, { do: 'confirm-other', id, pesos: '12.345,67' });
  assert.equal(started.payin(id).confirmedAmountInCents, 1_234_567);
});

test('a declined payin can still be confirmed, a confirmed one no longer declined', async () => {
  const started = startPages();
  const { id } = started.brebPayin();
  await press(started, { do: 'decline', id });
  await press(started, { do: 'confirm', id });
  assert.equal(started.payin(id).status, 'CONFIRMED');
  const refused = await started.submit('/_/', { do: 'decline', id });
  assert.equal(refused.status, 409);
  assert.match(refused.html, /el resultado ya es final/);
});

test('after confirmation come the settlement status and the chargeback, not before', async () => {
  const started = startPages();
  const { id } = started.brebPayin();
  const early = await started.submit('/_/', { do: 'charge-back', id });
  assert.match(early.html, /Solo se puede con un cobro confirmado/);
  await press(started, { do: 'confirm', id });
  await press(started, { do: 'settlement', id, settlementStatus: 'SETTLED' });
  assert.equal(started.payin(id).settlementStatus, 'SETTLED');
  await press(started, { do: 'charge-back', id });
  assert.notEqual(started.payin(id).chargebackAtMs, null);
  assert.match((await started.open(`/_/?open=${id}`)).html, /Contracargo/);
});

for (const [button, status] of [
  ['confirm', 'CONFIRMED'],
  ['decline', 'DECLINED'],
  ['cancel', 'CANCELED'],
] as const) {
  test(`"${button}" makes a payout ${status}`, async () => {
    const started = startPages();
    const { id } = paidOut(started);
    await press(started, { do: button, id }, `/_/?section=payouts&open=${id}`);
    assert.equal(started.engine.find(id)?.status, status);
  });
}

test('a link can be made to expire before its hour', async () => {
  const started = startPages();
  const { id } = started.paymentLink();
  await press(started, { do: 'expire', id });
  assert.equal(started.engine.find(id)?.status, 'EXPIRED');
});

test('an event shows each attempt to deliver it, and can be sent again', async () => {
  let status = 500;
  const started = startPages({ receive: () => new Response(null, { status }) });
  const { brebPayin, engine, pass, open, received } = started;
  const { id } = brebPayin();
  await pass(1_000);
  const event = first(engine.events.filter(({ resourceId }) => resourceId === id));
  const page = `/_/?section=events&open=${event.id}`;
  const before = (await open(page)).html;
  assert.match(before, /Respondió 500/);
  assert.match(before, /Próximo intento/);
  assert.ok(before.includes(WEBHOOK_URL));
  status = 200;
  const attempts = received.length;
  const [delivery] = engine.deliveries;
  await press(started, { do: 'resend', id: delivery?.id ?? '' }, page);
  await pass(0);
  assert.equal(received.length, attempts + 1);
  assert.match((await open(page)).html, /Respondió 200/);
});

test('without an address the event says that nobody was told', async () => {
  const { brebPayin, engine, open } = startPages({ webhooks: [] });
  brebPayin();
  const [event] = engine.events;
  assert.match((await open(`/_/?section=events&open=${event?.id}`)).html, /no se envió a nadie/);
});

test('every scenario has its switch', async () => {
  const { open } = startPages();
  const { html } = await open('/_/?section=mishaps');
  const switches = [...html.matchAll(/id="mishap-([\w-]+)"/g)].map((match) => match[1] ?? '');
  assert.deepEqual(switches.sort(), [...SCENARIO_NAMES].sort());
  assert.equal([...html.matchAll(/role="switch"/g)].length, SCENARIO_NAMES.length);
});

test('a mishap is switched on for everything, for what comes next, for one payin, and off', async () => {
  const started = startPages();
  const { engine, open } = started;
  await press(started, { do: 'mishap-on', scenario: 'underpaid' });
  assert.deepEqual(engine.mishaps.everywhere, ['underpaid']);
  assert.match((await open('/_/?section=connection')).html, /Percances activos/);
  await press(started, { do: 'mishap-next', scenario: 'chargeback' });
  await press(started, { do: 'mishap-next', scenario: 'chargeback' });
  assert.equal(engine.mishaps.armed['chargeback'], 2);
  await press(started, { do: 'mishap-off', scenario: 'underpaid' });
  assert.deepEqual(engine.mishaps.everywhere, []);
  await press(started, { do: 'mishaps-off' });
  assert.equal(engine.mishaps.armed['chargeback'] ?? 0, 0);
  assert.doesNotMatch((await open('/_/')).html, /Percances activos/);

  const { id } = started.brebPayin();
  await press(started, { do: 'own-mishap-on', id, scenario: 'overpaid' });
  assert.deepEqual(started.payin(id).mishaps, ['overpaid']);
  await press(started, { do: 'own-mishap-off', id, scenario: 'overpaid' });
  assert.deepEqual(started.payin(id).mishaps, []);
});

test('addresses for events are added, replaced and removed; what is no address is refused', async () => {
  const started = startPages({ webhooks: [] });
  const { engine, submit } = started;
  const target = { url: 'http://localhost:3000/hooks', headerName: 'x-secret', headerValue: 'one' };
  await press(started, { do: 'webhook-add', ...target });
  await press(started, { do: 'webhook-add', ...target, headerValue: 'two' });
  assert.deepEqual(engine.webhooks, [{ ...target, headerValue: 'two' }]);
  for (const wrong of [
    { url: 'ftp://localhost/' },
    { url: 'nothing' },
    { headerName: 'not a header' },
    { headerName: '' },
    { headerValue: '' },
  ]) {
    const refused = await submit('/_/', { do: 'webhook-add', ...target, ...wrong });
    assert.equal(refused.status, 409, JSON.stringify(wrong));
    assert.match(refused.html, /Escribe una dirección http o https/);
  }
  await press(started, { do: 'webhook-remove', url: target.url });
  assert.deepEqual(engine.webhooks, []);
});

test('a clock that can be moved is moved from the page, by the steps it offers', async () => {
  const started = startPages();
  const { clock, paymentLink, engine, submit, open } = started;
  const { id } = paymentLink();
  const before = clock.now();
  assert.match((await open('/_/?section=connection')).html, /\+1 min/);
  await press(started, { do: 'clock', advanceMs: String(MINUTE_MS) });
  assert.equal(clock.now(), before + MINUTE_MS);
  await press(started, { do: 'clock', advanceMs: String(HOUR_MS) });
  assert.equal(engine.find(id)?.status, 'EXPIRED');
  for (const advanceMs of ['-5', '7', 'NaN', '1e99']) {
    assert.equal((await submit('/_/', { do: 'clock', advanceMs })).status, 409);
  }
});

test('the connection page holds what a server needs', async () => {
  const { open } = startPages({ apiKey: 'key-of-this-test', accessToken: 'token-of-this-test' });
  const { html } = await open('/_/?section=connection');
  for (const text of [BASE, 'key-of-this-test', 'token-of-this-test', '1000000003', 'curl']) {
    assert.ok(html.includes(text), text);
  }
});

test('what the page shows of a payer is the name and the document, and no address of theirs', async () => {
  const { brebPayin, open } = startPages();
  const { id } = brebPayin({ inlineCustomer: customer });
  const { html } = await open(`/_/?open=${id}`);
  assert.ok(html.includes(customer.name));
  assert.ok(!html.includes(customer.email));
});

test('a form that asks for nothing known, or about nobody, is refused in words', async () => {
  const { submit, engine } = startPages();
  const before = engine.revision;
  for (const fields of [
    {},
    { do: 'constructor' },
    { do: 'confirm', id: 'nobody' },
    { do: 'confirm-under', id: 'nobody' },
    { do: 'resend', id: 'nobody' },
    { do: 'mishap-on', scenario: 'toString' },
    { do: 'own-mishap-on', id: 'nobody', scenario: 'underpaid' },
  ]) {
    const answer = await submit('/_/', fields);
    assert.equal(answer.status, 409, JSON.stringify(fields));
    assert.match(answer.html, /role="alert"/);
  }
  assert.equal(engine.revision, before);
});

test('the page learns of every change by its number', async () => {
  const { send, brebPayin } = startPages();
  const before = (await send('/_/revision')).body['revision'];
  brebPayin();
  assert.notEqual((await send('/_/revision')).body['revision'], before);
});
