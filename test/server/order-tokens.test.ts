import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'vitest';
import { orderTokens } from '../../src/server/order-tokens.js';

const SECRET = 'a secret of the tests that is long enough';
const DAY_MS = 86_400_000;

test('the day cannot be changed, left out or made up', async () => {
  const now = () => Date.UTC(2026, 0, 15);
  const tokens = orderTokens([SECRET], now, 30 * DAY_MS);
  const [name = '', day = '', signature = ''] = (await tokens.sign('A-1042')).split('.');
  const later = (Number.parseInt(day, 36) + 300).toString(36);
  for (const forged of [
    `${name}.${later}.${signature}`,
    `${name}.${signature}`,
    `${name}..${signature}`,
    `${name}.NaN.${signature}`,
    `${name}.${day}.${day}.${signature}`,
    `${name}.${day}.${signature}.${signature}`,
    `${name}.${day}`,
    name,
  ]) {
    assert.equal(await tokens.verify(forged), undefined, forged);
  }
});

test('a token for what is no order’s id is not taken, though its signature is right', async () => {
  const made = (id: string) => {
    const day = Math.floor(Date.now() / DAY_MS).toString(36);
    const text = `pay-checkout dated order ${day} ${id}`;
    const signature = createHmac('sha256', SECRET).update(text).digest('base64url');
    return `${Buffer.from(id).toString('base64url')}.${day}.${signature}`;
  };
  const tokens = orderTokens([SECRET], () => Date.now(), DAY_MS);
  for (const id of ['A', 'A'.repeat(198)]) assert.equal(await tokens.verify(made(id)), id);
  for (const id of ['A\0', 'A'.repeat(199)]) assert.equal(await tokens.verify(made(id)), undefined);
});

test('a token holds to the last millisecond of its lifetime after its day, and not one longer', async () => {
  const issued = Date.UTC(2026, 0, 15, 12);
  const midnight = Date.UTC(2026, 0, 16);
  for (const lifetimeMs of [60_000, 30 * DAY_MS]) {
    let now = issued;
    const tokens = orderTokens([SECRET], () => now, lifetimeMs);
    const token = await tokens.sign('A-1042');
    now = midnight + lifetimeMs - 1;
    assert.equal(await tokens.verify(token), 'A-1042');
    now += 1;
    assert.equal(await tokens.verify(token), undefined);
    assert.equal(
      await orderTokens([SECRET], () => now, null).verify(token),
      'A-1042',
      'unless it never ends',
    );
  }
});

test('a token changes at midnight UTC, so that a page that is rendered anew has a new one', async () => {
  let now = Date.UTC(2026, 0, 15);
  const tokens = orderTokens([SECRET], () => now, DAY_MS);
  const token = await tokens.sign('A-1042');
  now = Date.UTC(2026, 0, 16) - 1;
  assert.equal(await tokens.sign('A-1042'), token);
  now += 1;
  assert.notEqual(await tokens.sign('A-1042'), token);
});

test('ids of every length and in every script survive, each with a token of its own', async () => {
  const tokens = orderTokens([SECRET], () => 0, DAY_MS);
  const ids = [
    ...Array.from({ length: 30 }, (_, index) => 'a'.repeat(index + 1)),
    'a'.repeat(198),
    '\ufeffA',
    'A\ufeff',
    '\ufffd',
    '>>>???',
    'ñandú 🛒',
  ];
  const signed = await Promise.all(ids.map((id) => tokens.sign(id)));
  assert.deepEqual(await Promise.all(signed.map((token) => tokens.verify(token))), ids);
  assert.equal(new Set(signed).size, ids.length);
  for (const token of signed) assert.match(token, /^[\w-]+\.[\da-z]+\.[\w-]{43}$/);
});

test('an order has one spelling only: whatever else could be read as its token is refused, without a fault', async () => {
  const tokens = orderTokens([SECRET], () => 0, null);
  const [name = '', day = '', signature = ''] = (await tokens.sign('A-1042')).split('.');
  const [, , ofStrange = ''] = (await tokens.sign('\ufffd')).split('.');
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const next = letters[letters.indexOf(signature.slice(-1)) + 1] ?? '';
  assert.equal(await tokens.verify(`${name}.${day}.${signature}`), 'A-1042');
  for (const other of [
    // The last letter holds two bits that are not of the signature.
    `${name}.${day}.${signature.slice(0, -1)}${next}`,
    `${name}.${signature}`,
    `${name}.x.${day}.${signature}`,
    `${name}=.${day}.${signature}`,
    `${name}.${day}.${signature}=`,
    `${name}A.${day}.${signature}`,
    `${name}.${day}.${signature}AA`,
    `${name}!.${day}.${signature}`,
    `.${day}.${signature}`,
    `${name}.${day}.`,
    `${name}..${signature}`,
    '.',
    '..',
    '',
    // Bytes that are no text are not the text that stands in for them.
    `_w.${day}.${ofStrange}`,
  ])
    assert.equal(await tokens.verify(other), undefined, other);
});
