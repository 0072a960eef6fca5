import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { idFrom, storedId, storedKey } from '../../../src/server/stores/store-keys.js';

const anyId = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 400 }),
  fc.string({ unit: fc.constantFrom('\\', '\0', '\ud800', '\udc00', 'a', 'ñ'), maxLength: 12 }),
  fc.nat(300).map((length) => 'x'.repeat(length)),
);

test('a plain id is its own key', () => {
  for (const id of ['order-1', 'pedido ñ 🎉', '', 'a\\b']) assert.equal(storedKey(id), id);
});

test('an id that is too long or has odd characters is kept by its SHA-256', () => {
  for (const id of ['x'.repeat(201), 'a\0b', 'a\ud800', '\\', 'y'.repeat(100_000)]) {
    const digest = createHash('sha256').update(JSON.stringify(id)).digest('hex');
    assert.equal(storedKey(id), `\\${digest}`);
  }
});

test('a key is text that any database can index, and leads back to its id', () => {
  fc.assert(
    fc.property(anyId, (id) => {
      const key = storedKey(id);
      const kept = storedId(id, key);
      assert.ok(key.length <= 200 && !key.includes('\0') && Buffer.from(key).toString() === key);
      assert.ok(kept === null || Buffer.from(kept).toString() === kept);
      assert.equal(idFrom(key, kept), id);
      assert.equal(key === id, kept === null);
    }),
  );
});

test('different ids have different keys', () => {
  fc.assert(fc.property(anyId, anyId, (one, two) => (one === two) === (storedKey(one) === storedKey(two))));
});
