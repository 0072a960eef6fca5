import assert from 'node:assert/strict';
import { test } from 'node:test';
import { orderTokens } from '../../../src/server/http/tokens.js';

const SECRET = 'a secret of the tests that is long enough';
const DAY_MS = 86_400_000;

test('a token is the same all day, and expires thirty days after its day of issue', async () => {
  let now = Date.UTC(2026, 0, 15, 23, 0);
  const tokens = orderTokens([SECRET], () => now, 30 * DAY_MS);
  const token = await tokens.sign('A-1042');
  assert.equal(await tokens.sign('A-1042'), token);
  now += 30 * DAY_MS;
  assert.equal(await tokens.verify(token), 'A-1042');
  now += DAY_MS;
  assert.equal(await tokens.verify(token), undefined);
  assert.equal(await orderTokens([SECRET], () => now, null).verify(token), 'A-1042');
});

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
    name,
  ]) {
    assert.equal(await tokens.verify(forged), undefined, forged);
  }
});

test('a token of release 0.1.0, which has no day, is still taken under its secret', async () => {
  // `orderToken('A-1042')` of release 0.1.0 under this secret.
  const old = 'QS0xMDQy.Q-n7VrWv_Tm1i85XgrIn1dX5Hp7ckVwMbELl5Q3Eu2U';
  assert.equal(await orderTokens([SECRET], () => Date.now(), DAY_MS).verify(old), 'A-1042');
  assert.equal(await orderTokens([`another ${SECRET}`], () => Date.now(), DAY_MS).verify(old), undefined);
});
