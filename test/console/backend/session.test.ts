import assert from 'node:assert/strict';
import { createHmac, pbkdf2Sync } from 'node:crypto';
import { test } from 'vitest';
import { memoryStore } from '../../../src/server/stores/memory-store.js';
import {
  isOwnPage,
  isOwnReader,
  type Session,
  type SessionOptions,
  Sessions,
} from '../../../src/console/backend/session.js';
import './shared-keys.js';

const SECRET = 'a secret that only the merchant knows';
const TWELVE_HOURS_MS = 12 * 3_600_000;

const shared = memoryStore();

function at(startMs: number, more: Partial<SessionOptions> = {}) {
  const clock = { now: startMs };
  const options = {
    secret: SECRET,
    secure: true,
    path: '/console/api',
    store: shared,
    now: () => clock.now,
    ...more,
  };
  const sessions = new Sessions(options);
  return {
    clock,
    sessions,
    async enter() {
      const entered = await sessions.enter(options.secret);
      assert.ok(entered);
      return { ...entered, sent: entered.cookie.split(';')[0] ?? '' };
    },
    find: (cookie: string) => sessions.find(new Request('https://shop.test/', { headers: { cookie } })),
  };
}

test('the cookie is for the console alone, out of reach of scripts, and lasts half a day', async () => {
  const { cookie } = await at(0).enter();
  assert.match(
    cookie,
    /^pay_checkout_console=[\w-]+\.43200000\.[\w-]+; Max-Age=43200; Path=\/console\/api; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.ok((await at(0, { secure: false }).enter()).cookie.endsWith('; SameSite=Strict'));
});

test('a session is open for twelve hours and not a moment longer', async () => {
  const { clock, enter, find } = at(0);
  const { session, sent } = await enter();
  for (const now of [0, TWELVE_HOURS_MS - 1]) {
    clock.now = now;
    assert.deepEqual(await find(sent), session);
  }
  clock.now = TWELVE_HOURS_MS;
  assert.equal(await find(sent), undefined);
});

test('only the secret opens a session, and another secret ends it', async () => {
  const { sessions, enter } = at(1_000);
  for (const guess of ['', `${SECRET} `, SECRET.toUpperCase(), null, undefined, [SECRET]])
    assert.equal(await sessions.enter(guess), undefined);
  const { sent, session } = await enter();
  assert.deepEqual(await at(1_000).find(sent), session, 'every instance knows it');
  assert.equal(await at(1_000, { secret: `${SECRET} of tomorrow` }).find(sent), undefined);
});

test('each session has a name and a token of its own', async () => {
  const { enter } = at(1_000);
  const [one, other] = [(await enter()).session, (await enter()).session];
  const values = [one.name, one.csrf, other.name, other.csrf];
  assert.equal(new Set(values).size, 4);
  for (const value of values) assert.match(value, /^[\w-]{20,}$/);
});

test('the cookie is found among others, and an altered one opens nothing', async () => {
  const { enter, find } = at(1_000);
  const { sent, session } = await enter();
  for (const cookies of [`theme=dark; ${sent}`, `${sent}; theme=dark`, `${sent};theme=dark`])
    assert.deepEqual(await find(cookies), session);
  const [name = '', until = '', signature = ''] = sent.slice(sent.indexOf('=') + 1).split('.');
  const altered = [
    `x${name}.${until}.${signature}`,
    `${name}.${Number(until) + 1}.${signature}`,
    `${name}.${until}.${signature}x`,
    `${name}.${until}.`,
    `${name}.${until}`,
    '',
  ];
  for (const value of altered) assert.equal(await find(`pay_checkout_console=${value}`), undefined, value);
  assert.equal(await find(`theme=${sent}`), undefined);
});

test('sessions that were left stay left, however many leave after them', async () => {
  const { clock, sessions, enter, find } = at(1_000);
  const left: { readonly session: Session; readonly sent: string }[] = [];
  for (let index = 0; index < 3; index++) left.push(await enter());
  const { sent: stays } = await enter();
  for (const { session } of left) {
    clock.now += 60_000;
    assert.equal(
      await sessions.leave(session),
      'pay_checkout_console=; Max-Age=0; Path=/console/api; HttpOnly; SameSite=Strict; Secure',
    );
  }
  clock.now = TWELVE_HOURS_MS;
  for (const { sent } of left) assert.equal(await find(sent), undefined);
  assert.ok(await find(stays));
});

test('a session that was left is left for every instance, after a restart and until it would have ended', async () => {
  for (const enteredAt of [0, 1_000, TWELVE_HOURS_MS - 1, TWELVE_HOURS_MS]) {
    const { sessions, enter } = at(enteredAt);
    const [{ session, sent }, { sent: stays }] = [await enter(), await enter()];
    await sessions.leave(session);
    for (const laterMs of [0, 1_000, TWELVE_HOURS_MS - 1]) {
      const another = at(enteredAt + laterMs);
      assert.equal(await another.find(sent), undefined);
      assert.ok(await another.find(stays));
    }
  }
});

test('the key of a cookie takes six hundred thousand rounds to make, so that a cookie tells little', async () => {
  const { sent } = await at(1_000).enter();
  const [name = '', until = '', signature = ''] = sent.slice(sent.indexOf('=') + 1).split('.');
  let bytes: Buffer = Buffer.from(SECRET);
  for (let round = 0; round < 6; round++)
    bytes = pbkdf2Sync(bytes, 'pay-checkout console', 100_000, 32, 'sha256');
  const signed = (key: string | Buffer) =>
    createHmac('sha256', key).update(`pay-checkout console session ${name}.${until}`).digest('base64url');
  assert.equal(signed(bytes), signature);
  assert.notEqual(signed(SECRET), signature);
});

const HOST = 'shop.test:8080';
const asked = (headers: Record<string, string>) =>
  new Request('https://shop.test/', {
    headers: { host: HOST, 'content-type': 'application/json', ...headers },
  });

test('what a page of another site or port asks is not read to it', () => {
  const answers = ['same-origin', 'none', 'same-site', 'cross-site'].map((site) =>
    isOwnReader(asked({ 'sec-fetch-site': site })),
  );
  assert.deepEqual(answers, [true, true, false, false]);
  assert.equal(isOwnReader(asked({})), true, 'a program names no site');
});

test('a change comes as JSON from a page of this very host', () => {
  const cases: readonly (readonly [Record<string, string>, boolean])[] = [
    [{ origin: `https://${HOST}` }, true],
    [{ origin: `http://${HOST}` }, true],
    [{ origin: `https://${HOST}`, 'sec-fetch-site': 'cross-site' }, true],
    [{ origin: 'https://shop.test:8081' }, false],
    [{ origin: 'https://shop.test' }, false],
    [{ origin: 'null' }, false],
    [{ origin: '' }, false],
    [{}, true],
    [{ 'sec-fetch-site': 'same-origin' }, true],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-site' }, false],
    [{ 'content-type': 'application/json; charset=utf-8' }, true],
    [{ 'content-type': 'Application/JSON ;charset=utf-8' }, true],
    [{ 'content-type': 'application/jsonp' }, false],
    [{ 'content-type': 'text/plain' }, false],
    [{ 'content-type': '' }, false],
  ];
  for (const [headers, isOwn] of cases)
    assert.equal(isOwnPage(asked(headers)), isOwn, JSON.stringify(headers));
});
