import assert from 'node:assert/strict';
import { test } from 'vitest';
import { pageAddress, readConfig, type Written } from '../../src/element/config.js';

const PAGE = 'https://shop.test/pay?pay-return=jS5iRljCz6f_03yethWdiXi6&x=1';
const WRITTEN: Written = {
  order: 'token',
  backend: '/checkout',
  level: null,
  rails: null,
  keyType: null,
  bank: null,
  callbackUrl: null,
  hosted: false,
  share: false,
  modal: false,
  amountInCents: null,
  currency: 'COP',
  description: null,
  banks: null,
  apps: null,
  merchantName: null,
  privacyUrl: null,
  termsUrl: null,
  merchant: null,
  transport: null,
};
const read = (changes: Partial<Record<keyof Written, unknown>> = {}) =>
  readConfig({ ...WRITTEN, ...changes } as Written, PAGE);

test('what is left out is null, and the payer comes back to the page without its return id', () => {
  const { config, mistakes, fatal } = read();
  assert.deepEqual(config, {
    order: 'token',
    rails: null,
    keyType: null,
    bank: null,
    callbackUrl: 'https://shop.test/pay?x=1',
    hosted: false,
    linkMode: 'FOLLOW',
  });
  assert.deepEqual([mistakes, fatal], [[], false]);
});

test('what is written is taken', () => {
  const { config, mistakes } = read({
    level: 'basic',
    rails: 'PSE, BRE_B',
    keyType: 'QR_CODE',
    bank: 'CO_BBVA',
    callbackUrl: '/gracias',
    hosted: true,
    share: true,
    amountInCents: 100,
  });
  assert.deepEqual(config, {
    order: 'token',
    rails: ['PSE', 'BRE_B'],
    keyType: 'QR_CODE',
    bank: 'CO_BBVA',
    callbackUrl: 'https://shop.test/gracias',
    hosted: true,
    linkMode: 'SHOW',
  });
  assert.deepEqual(mistakes, []);
});

test('a mistake is said once, with what to write instead, and a wrong value is left out', () => {
  for (const [changes, says] of [
    [{ backend: null }, /^Set the "backend" attribute/],
    [{ order: '' }, /^The "order" attribute is empty/],
    [{ rails: 'BRE_B CARD CASH' }, /^"rails" has unknown names \(CARD, CASH\)/],
    [{ level: 'half' }, /^"level" is "half"\. Use basic or full/],
    [{ keyType: 'PHONE' }, /^"key-type" is "PHONE"/],
    [{ currency: 'USD' }, /^"currency" is "USD"/],
    [{ amountInCents: 10.5 }, /^"amount-in-cents" is not a whole number/],
    [{ amountInCents: 0 }, /^"amount-in-cents" is not a whole number/],
    [{ callbackUrl: 'javascript:alert(1)' }, /^"callback-url" is not a web address/],
  ] as const) {
    const { mistakes } = read(changes);
    assert.equal(mistakes.length, 1, JSON.stringify(changes));
    assert.match(mistakes[0] ?? '', says);
  }
  const { config } = read({ rails: 'CARD', keyType: 'PHONE', callbackUrl: 'mailto:x' });
  assert.deepEqual(
    [config.rails, config.keyType, config.callbackUrl],
    [null, null, 'https://shop.test/pay?x=1'],
  );
});

test('only what leaves nothing to pay with is fatal', () => {
  assert.equal(read({ backend: null }).fatal, true);
  assert.equal(read({ backend: null, transport: {} }).fatal, false);
  assert.equal(read({ order: '' }).fatal, true);
  assert.equal(read({ order: null }).fatal, false);
  assert.equal(read({ level: 'half', rails: 'CARD', currency: 'USD' }).fatal, false);
});

test('another value makes another checkout, the same ones the same', () => {
  assert.equal(read().key, read().key);
  for (const name of Object.keys(WRITTEN).filter((each) => each !== 'transport'))
    assert.notEqual(read({ [name]: 'other' }).key, read().key, name);
});

test('an address of the page is one of the web', () => {
  assert.equal(pageAddress('gracias', PAGE), 'https://shop.test/gracias');
  assert.equal(pageAddress('http://other.test', PAGE), 'http://other.test/');
  for (const wrong of ['', 'javascript:1', 'data:,x', 'https://', 'ftp://x'])
    assert.equal(pageAddress(wrong, PAGE), null, wrong);
});
