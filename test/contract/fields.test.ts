import assert from 'node:assert/strict';
import * as v from 'valibot';
import { describe, it } from 'vitest';
import { bankCode, cents, identifier, text, timestamp, webAddress } from '../../src/contract/fields.js';
import { type FieldErrorCode, read } from '../../src/contract/schema.js';

/** What each kind of field takes, and why it refuses the rest. */
const FIELDS = {
  'text of at most three characters': {
    field: text(3),
    taken: [' ', 'ñ', 'a\u0080b', '\u200bab'],
    refused: [
      ['', 'too_short'],
      ['abcd', 'too_long'],
      ['a\u0000', 'format'],
      ['a\n', 'format'],
      ['\u001f', 'format'],
      ['\u007f', 'format'],
      [1, 'wrong_type'],
      [undefined, 'required'],
    ],
  },
  'an id': {
    field: identifier,
    taken: ['a', 'A-1_.~9', 'a'.repeat(128)],
    refused: [
      ['', 'too_short'],
      ['a'.repeat(129), 'too_long'],
      ['a/b', 'format'],
      ['a b', 'format'],
      ['ñ', 'format'],
    ],
  },
  'an amount': {
    field: cents,
    taken: [1, Number.MAX_SAFE_INTEGER],
    refused: [
      [0, 'too_small'],
      [-1, 'too_small'],
      [0.5, 'wrong_type'],
      [Number.MAX_SAFE_INTEGER + 1, 'wrong_type'],
      ['1', 'wrong_type'],
    ],
  },
  'a moment': {
    field: timestamp,
    taken: ['2026-03-23T22:28:01.123Z', '2024-02-29T00:00:00.000Z'],
    refused: [
      ['2026-02-30T00:00:00.000Z', 'format'],
      ['2026-03-23', 'format'],
      ['0'.repeat(100), 'too_long'],
    ],
  },
  'an address': {
    field: webAddress,
    taken: ['https://x.co', 'HTTP://x.co/a'],
    refused: [
      ['', 'too_short'],
      ['javascript:alert(1)//https://x.co', 'format'],
      ['x https://x.co', 'format'],
      ['https://', 'format'],
      [`https://x.co/${'a'.repeat(2_036)}`, 'too_long'],
    ],
  },
  'the code of a bank': {
    field: bankCode,
    taken: ['CO_NEQUI', 'CO_BANCO_W2'],
    refused: [
      ['CO_', 'format'],
      ['CO_nequi', 'format'],
      ['COL_NEQUI', 'format'],
      ['xCO_NEQUI', 'format'],
      [`CO_${'A'.repeat(62)}`, 'too_long'],
    ],
  },
} as const;

describe('what is wrong with fields', () => {
  it('is said once for each, and cuts a name of the sender’s own', () => {
    const named = v.record(v.string(), v.number());
    const reading = read(named, { ['a'.repeat(200)]: '1', b: '2', c: 3 });
    assert.ok(!reading.ok);
    assert.deepEqual(reading.errors, [
      { field: 'a'.repeat(128), code: 'wrong_type' },
      { field: 'b', code: 'wrong_type' },
    ]);
  });
});

describe('a field', () => {
  for (const [name, { field, taken, refused }] of Object.entries(FIELDS)) {
    it(`that is ${name}`, () => {
      for (const value of taken) assert.deepEqual(read(field, value), { ok: true, value });
      for (const [value, code] of refused satisfies readonly (readonly [unknown, FieldErrorCode])[])
        assert.deepEqual(read(field, value), { ok: false, errors: [{ field: '', code }] }, String(value));
    });
  }
});
