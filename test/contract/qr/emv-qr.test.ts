import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import { crc16 } from '../../../src/contract/qr/crc16.js';
import { buildEmvQr, EMV_KEY_FIELDS, type EmvKeyKind } from '../../../src/contract/qr/emv-build.js';
import { parseEmvQr } from '../../../src/contract/qr/emv-qr.js';
import vectors from '../../data/emv-qr-vectors.json' with { type: 'json' };
import { hostileText } from '../hostile-text.js';

const [dynamic, fixed, sample] = vectors.valid.map(({ payload }) => payload) as [string, string, string];

/** A payload with the right checksum, whatever its content. */
const sealed = (body: string) => `${body}6304${crc16(`${body}6304`)}`;
const refused = (reason: string) => ({ ok: false, reason });

function read(payload: string) {
  const parsed = parseEmvQr(payload);
  assert.ok(parsed.ok);
  return parsed.qr;
}

describe('crc16', () => {
  it('gives the published check value', () => assert.equal(crc16('123456789'), '29B1'));

  for (const { name, payload, crc } of vectors.valid) {
    it(`agrees with the vector "${name}"`, () => assert.equal(crc16(payload.slice(0, -4)), crc));
  }
});

describe('parseEmvQr', () => {
  for (const { name, payload, crc } of vectors.invalid) {
    it(`refuses "${name}"`, () => assert.deepEqual(parseEmvQr(payload), refused(`crc_${crc}`)));
  }

  it('reads the amount and the fields of a dynamic Colombian payload', () => {
    const { amountInCents, fields } = read(dynamic);
    assert.equal(amountInCents, 5_000_000);
    assert.deepEqual(
      ['00', '01', '53', '58', '59', '60', '62', '80'].map((id) => fields.get(id)),
      [
        '01',
        '12',
        '170',
        'CO',
        'TIENDA DEMO',
        'BOGOTA',
        '0708WEB000010802001103522',
        '0016CO.COM.RBM.CANAL0105ECOMM',
      ],
    );
    assert.equal([...fields.keys()].at(-1), '63');
  });

  it('reads a static payload with amount 0 as one where the payer types the amount', () => {
    const { amountInCents, fields } = read(fixed);
    assert.equal(fields.get('01'), '11');
    assert.equal(amountInCents, null);
  });

  it('reads a foreign payload with fields in any order and lengths in characters', () => {
    const { amountInCents, fields } = read(sample);
    assert.equal(amountInCents, 2_372);
    assert.equal(fields.get('53'), '156');
    assert.equal(fields.get('59'), 'BEST TRANSPORT');
  });

  it('gives a reason for each refusal', () => {
    assert.deepEqual(parseEmvQr(''), refused('required'));
    assert.deepEqual(parseEmvQr('0'.repeat(1_024)), refused('crc_missing'));
    assert.deepEqual(parseEmvQr('0'.repeat(1_025)), refused('too_long'));
    assert.deepEqual(parseEmvQr(sealed('000201\ud800')), refused('invalid_characters'));
    assert.deepEqual(parseEmvQr(`${dynamic}\n`), refused('invalid_characters'));
    assert.deepEqual(
      parseEmvQr(dynamic.slice(0, -4) + dynamic.slice(-4).toLowerCase()),
      refused('crc_missing'),
    );
    assert.deepEqual(parseEmvQr(sealed('00020154')), refused('malformed'));
    assert.deepEqual(parseEmvQr(sealed('000201XX01A')), refused('malformed'));
    assert.deepEqual(parseEmvQr(sealed('0002015908')), refused('malformed'));
    assert.deepEqual(parseEmvQr(sealed('5802CO')), refused('unknown_format'));
    assert.deepEqual(parseEmvQr(sealed('5802CO000201')), refused('unknown_format'));
    assert.deepEqual(parseEmvQr(sealed('000202')), refused('unknown_format'));
    assert.deepEqual(parseEmvQr(sealed('00020154011540212')), refused('duplicate_field'));
    for (const amount of ['1,50', '-1', '1.234', '1e5', 'ABC', '.5']) {
      const body = `00020154${String(amount.length).padStart(2, '0')}${amount}`;
      assert.deepEqual(parseEmvQr(sealed(body)), refused('invalid_amount'), amount);
    }
  });

  it('passes over a template that is not well-formed inside', () => {
    assert.equal(read(sealed('0002012604ABCD5802CO')).fields.get('58'), 'CO');
  });

  it('notices every change of a single character', () => {
    fc.assert(
      fc.property(fc.nat(dynamic.length - 1), fc.stringMatching(/^[0-9A-Za-z]$/), (at, character) => {
        fc.pre(dynamic[at] !== character);
        assert.ok(!parseEmvQr(dynamic.slice(0, at) + character + dynamic.slice(at + 1)).ok);
      }),
    );
  });

  it('answers any text without throwing, even with a right checksum', () => {
    fc.assert(
      fc.property(hostileText, fc.stringMatching(/^(?:\d\d0\d[0-9A-Z]{0,9}){0,8}$/), (text, nearly) => {
        for (const payload of [text, sealed(text.slice(0, 500)), sealed(`000201${nearly}`)]) {
          assert.equal(typeof parseEmvQr(payload).ok, 'boolean');
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('buildEmvQr', () => {
  it('builds the vector, character by character', () => {
    const payload = buildEmvQr({
      key: { kind: 'ALPHANUMERIC', value: '@DEMO5AF43BE4F5' },
      amountInCents: 5_000_000,
      merchantName: 'TIENDA DEMO',
      merchantCity: 'BOGOTA',
      transactionId: '1234567890123456789',
    });
    assert.equal(payload, dynamic);
  });

  it('builds what the parser reads back, in any script', () => {
    const name = fc
      .string({ unit: 'grapheme-composite', minLength: 1, maxLength: 40 })
      .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text));
    fc.assert(
      fc.property(
        fc.constantFrom(...(Object.keys(EMV_KEY_FIELDS) as EmvKeyKind[])),
        fc.stringMatching(/^[0-9A-Z@]{1,40}$/),
        fc.integer({ min: 1, max: 999_999_999_999_999 }),
        name,
        (kind, value, amountInCents, merchantName) => {
          const { fields, ...parsed } = read(
            buildEmvQr({
              key: { kind, value },
              amountInCents,
              merchantName,
              merchantCity: 'BOGOTÁ',
              transactionId: '7',
            }),
          );
          assert.equal(parsed.amountInCents, amountInCents);
          const key = EMV_KEY_FIELDS[kind] + String(value.length).padStart(2, '0') + value;
          assert.equal(fields.get('26'), `0014CO.COM.RBM.LLA${key}`);
          assert.equal(fields.get('59'), [...merchantName].slice(0, 25).join(''));
          assert.equal(fields.get('60'), 'BOGOTÁ');
        },
      ),
    );
  });

  it('shortens a name and a city to what their fields hold', () => {
    const { fields } = read(
      buildEmvQr({
        key: { kind: 'ALPHANUMERIC', value: '@A' },
        amountInCents: 1,
        merchantName: 'Panadería y cafetería La 93',
        merchantCity: 'San Andrés de Tumaco',
        transactionId: '1',
      }),
    );
    assert.deepEqual([fields.get('59'), fields.get('60')], ['Panadería y cafetería La ', 'San Andrés de T']);
  });

  it('refuses a value that no field can hold', () => {
    const content = { amountInCents: 1, merchantName: 'A', merchantCity: 'B', transactionId: '1' };
    const built = (value: string) => buildEmvQr({ ...content, key: { kind: 'ALPHANUMERIC', value } });
    for (const value of ['', '@'.repeat(78)]) assert.throws(() => built(value), RangeError);
    assert.equal(read(built('@'.repeat(77))).fields.get('26')?.length, 99);
  });
});
