import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  digest,
  isReference,
  keyedDigest,
  linkReference,
  newReference,
  orderIdIn,
  randomId,
} from '../../src/server/ids.js';

test('a reference begins with the plain characters of the order’s id, then proves the id, and is unique', async () => {
  for (const [orderId, stem] of [
    ['order-1', 'order-1'],
    ['pedido #1/2 ñ', 'pedido-1-2-'],
    ['a'.repeat(40), 'a'.repeat(40)],
    ['b'.repeat(198), 'b'.repeat(40)],
  ] as const) {
    const reference = await newReference(orderId);
    assert.match(reference, new RegExp(`^${stem}(-[2-9A-HJKMNP-TV-Z]{8}){2}$`));
    assert.ok(isReference(reference));
    assert.equal(await orderIdIn(reference), orderId === stem ? stem : undefined);
  }
  assert.notEqual(await newReference('order-1'), await newReference('order-1'));
});

test('a link’s reference ends with its concept in plain characters, as far as there is room', () => {
  const name = 'EN-7K2M9QXW';
  for (const [concept, reference] of [
    ['Café molido, 500 g', `${name}-cafe-molido-500-g`],
    ['¡Año nuevo!', `${name}-ano-nuevo`],
    ['x'.repeat(80), `${name}-${'x'.repeat(40)}`],
    ['咖啡', name],
    ['', name],
    [null, name],
  ] as const) {
    assert.equal(linkReference(name, concept), reference);
    assert.ok(isReference(reference));
  }
});

test('references of ids that look the same in plain characters prove different orders', async () => {
  const proof = async (orderId: string) => (await newReference(orderId)).slice(0, 'A-1-23456789'.length);
  assert.equal(await proof('A-1'), await proof('A-1'));
  assert.notEqual(await proof('A/1'), await proof('A-1'));
  assert.equal(await orderIdIn(await newReference('A/1')), undefined);
});

test('what the kit did not make names no order', async () => {
  const made = await newReference('order-1');
  for (const text of [
    '',
    'order-1',
    'order-1-23456789-23456789',
    made.toLowerCase(),
    made.slice(0, -1),
    `${made}A`,
  ])
    assert.equal(await orderIdIn(text), undefined, text);
});

test('a proof is the same in every release', async () => {
  assert.equal(await orderIdIn('order-1-MX62GA9V-22222222'), 'order-1');
});

test('ids that cannot be guessed have 24 characters that are harmless in a path', () => {
  assert.match(randomId(), /^[\w-]{24}$/);
  assert.notEqual(randomId(), randomId());
});

test('a digest is the same in every instance and every release', async () => {
  assert.equal(await digest(''), '47DEQpj8HBSa-_TImW-5JC');
  assert.equal(await digest('order-1'), 'C6_iIVbSaYwUO4YEBEbTZu');
});

test('a digest under a secret is the same wherever the secret is, and without one only within the process', async () => {
  const shared = keyedDigest('a secret of the tests that is long enough');
  assert.equal(await shared('198.51.100.4'), 'JOjpJT_-K9t-Ql3BypDJj4');
  assert.equal(await shared('198.51.100.4'), 'JOjpJT_-K9t-Ql3BypDJj4');
  assert.notEqual(await shared('198.51.100.5'), 'JOjpJT_-K9t-Ql3BypDJj4');
  const [one, two] = [keyedDigest(undefined), keyedDigest(undefined)];
  assert.equal(await one('198.51.100.4'), await one('198.51.100.4'));
  assert.notEqual(await one('198.51.100.4'), await two('198.51.100.4'));
});
