import assert from 'node:assert/strict';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { centsOf, duration, money, moment, typedAmount, webAddress } from '../../src/look/parts/format.js';

describe('an amount that somebody types', () => {
  const inSpanish: [string, number | null][] = [
    ['42900', 4_290_000],
    ['42.900', 4_290_000],
    ['1.042.900', 104_290_000],
    ['42.900,5', 4_290_050],
    ['42.900,05', 4_290_005],
    ['0,01', 1],
    ['$ 42.900', 4_290_000],
    ['COP 42.900', 4_290_000],
    [' 42 900 ', 4_290_000],
    ['99999999999', 9_999_999_999_900],
    ['999.999.999.999', 99_999_999_999_900],
    // English separators would make a thousandth of it.
    ['42,900', null],
    ['42.900.00', null],
    ['42.9', null],
    ['4.2900', null],
    ['.900', null],
    ['42.900,', null],
    ['42.900,123', null],
    ['0', null],
    ['0,00', null],
    ['-42.900', null],
    ['1e5', null],
    ['100000000000', null],
    ['1.000.000.000.000', null],
    ['42.900 pesos', null],
    ['', null],
  ];
  for (const [typed, cents] of inSpanish) {
    it(`${JSON.stringify(typed)} is ${cents === null ? 'no amount' : `${cents} cents`}`, () => {
      assert.equal(centsOf(typed, 'es'), cents);
      // English has the two signs the other way round.
      const swapped = typed.replace(/[.,]/g, (sign) => (sign === '.' ? ',' : '.'));
      assert.equal(centsOf(swapped, 'en'), cents);
    });
  }

  it('is read back as it was written into the field, in both languages', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 9_999_999_999_999 }),
        fc.constantFrom('es', 'en'),
        (cents, language) => assert.equal(centsOf(typedAmount(cents, language), language), cents),
      ),
    );
  });
});

it('money has its cents only where there are some', () => {
  const plain = (text: string) => text.replace(/\s/g, ' ');
  assert.equal(plain(money(4_290_000, 'es')), '$ 42.900');
  assert.equal(plain(money(4_290_050, 'es')), '$ 42.900,50');
  assert.equal(plain(money(-4_290_000, 'es')), '-$ 42.900');
  assert.equal(plain(money(4_290_005, 'en')), 'COP 42,900.05');
});

it('a duration has its two largest units, and leaves out a second one that is nothing', () => {
  const plain = (ms: number) => duration(ms, 'es').replace(/\s/g, ' ');
  assert.deepEqual(
    [0, 1_499, 59_400, 60_000, 61_000, 3_599_000, 3_600_000, 3_661_000, 5_400_000, 7_199_000].map(plain),
    ['0 s', '1 s', '59 s', '1 min', '1 min 1 s', '59 min 59 s', '1 h', '1 h 1 min', '1 h 30 min', '2 h'],
  );
});

it('a moment is the Colombian one wherever the reader is, and text that is no time stays as it came', () => {
  assert.match(moment('2026-01-15T04:30:00.000Z', 'es'), /^14\W.*2026.*11:30:00/);
  assert.equal(moment('soon', 'es'), 'soon');
});

it('only addresses of the web without credentials are linked to', () => {
  assert.equal(webAddress('https://shop.example/a'), 'https://shop.example/a');
  for (const text of [
    'javascript:alert(1)',
    'data:text/html,x',
    'https://ana@shop.example/',
    'https://:p@shop.example/',
    '/a',
    null,
  ])
    assert.equal(webAddress(text), null, String(text));
});
