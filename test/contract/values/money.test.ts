import assert from 'node:assert/strict';
import { describe, it, vi } from 'vitest';
import * as fc from 'fast-check';
import { centsFromDecimal, centsFromPesos } from '../../../src/contract/values/cents.js';
import {
  decimalAmount,
  formatMoney,
  isCents,
  plainAmount,
  spokenMoney,
} from '../../../src/contract/values/money.js';
import vectors from '../../data/identity-and-money-vectors.json' with { type: 'json' };

const anyCents = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });

const byIntl = (cents: number, tag: string, currencyDisplay: 'symbol' | 'name') => {
  const digits = cents % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat(tag, {
    style: 'currency',
    currency: 'COP',
    currencyDisplay,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(decimalAmount(cents));
};

describe('formatMoney', () => {
  for (const [cents, shown] of Object.entries(vectors.cop.cases)) {
    it(`shows ${cents} cents as ${shown}`, () => {
      assert.equal(formatMoney(Number(cents), 'COP', 'es'), shown);
    });
  }

  it('puts a no-break space after the sign, so that an amount never breaks in two', () => {
    assert.equal(formatMoney(5_000_000, 'COP', 'es-CO'), '$\u00a050.000');
  });

  it('writes Colombian pesos alike for every kind of Spanish', () => {
    for (const locale of ['es', 'ES', 'es-MX', 'es-419', 'es-ES']) {
      assert.equal(formatMoney(123_400, 'COP', locale), '$\u00a01.234', locale);
    }
  });

  it('names the currency in English, where $ would read as dollars', () => {
    assert.equal(formatMoney(123_456_700, 'COP', 'en'), 'COP\u00a01,234,567');
    assert.equal(formatMoney(1_234_567, 'COP', 'en-US'), 'COP\u00a012,345.67');
  });

  it('takes no other currency for pesos', () => {
    assert.match(formatMoney(100_000, 'USD', 'es-CO'), /US/);
    assert.match(formatMoney(100_000, 'EUR', 'en'), /€/);
    assert.match(formatMoney(1_234_567, 'USD', 'es-CO'), /12\.345,67/);
    assert.doesNotMatch(formatMoney(1_234_500, 'USD', 'es-CO'), /,00/);
  });

  it('takes a region for no language', () => {
    assert.equal(formatMoney(123_400, 'COP', 'ca-ES'), byIntl(123_400, 'ca-ES', 'symbol'));
    assert.notEqual(formatMoney(123_400, 'COP', 'ca-ES'), '$\u00a01.234');
  });

  it('makes no formatter for pesos in its own languages, and one for others', (t) => {
    const { NumberFormat } = Intl;
    const made = vi.spyOn(Intl, 'NumberFormat').mockImplementation(function (...given) {
      return new NumberFormat(...given);
    });
    t.onTestFinished(() => made.mockRestore());
    for (const locale of ['es', 'en'])
      for (const write of [formatMoney, spokenMoney]) write(7_654_300, 'COP', locale);
    assert.equal(made.mock.calls.length, 0);
    for (const cents of [100, 200]) formatMoney(cents, 'COP', 'pt-BR');
    assert.equal(made.mock.calls.length, 1);
  });

  it('falls back to Colombian Spanish for a language that no runtime knows', () => {
    for (const locale of ['', 'es_CO', 'not a tag', 'xx', '__proto__']) {
      assert.equal(formatMoney(100, 'COP', locale), '$\u00a01', locale);
    }
  });

  it('keeps every digit of every amount', () => {
    fc.assert(
      fc.property(anyCents, fc.constantFrom('es', 'en'), (cents, locale) => {
        const shown = formatMoney(cents, 'COP', locale);
        const digits = shown.replace(/\D/g, '');
        assert.equal(Number(cents % 100 === 0 ? `${digits}00` : digits), cents);
      }),
    );
  });

  it('writes and says pesos exactly as Intl does, in both languages', () => {
    const plain = (text: string) => text.replace(/\s/g, ' ');
    const amounts = fc.oneof(anyCents, fc.integer({ min: 0, max: 300_000 }), fc.constantFrom(100, 200, 1));
    fc.assert(
      fc.property(amounts, fc.constantFrom('es-CO', 'en-US'), (cents, tag) => {
        assert.equal(plain(formatMoney(cents, 'COP', tag)), plain(byIntl(cents, tag, 'symbol')));
        assert.equal(spokenMoney(cents, 'COP', tag), plain(byIntl(cents, tag, 'name')));
      }),
    );
  });

  it('refuses what is not a whole number of cents', () => {
    for (const wrong of [0.5, NaN, Infinity, -1, 2 ** 53]) {
      assert.throws(() => formatMoney(wrong, 'COP', 'es'), RangeError);
    }
  });
});

describe('spokenMoney', () => {
  it('says pesos, not dollars', () => {
    assert.equal(spokenMoney(123_456_700, 'COP', 'es'), '1.234.567 pesos colombianos');
    assert.equal(spokenMoney(123_456_700, 'COP', 'en'), '1,234,567 Colombian pesos');
  });

  it('says cents when there are any', () => {
    assert.equal(spokenMoney(1_234_567, 'COP', 'es'), '12.345,67 pesos colombianos');
    assert.equal(spokenMoney(1_234_567, 'COP', 'en'), '12,345.67 Colombian pesos');
  });

  it('says another currency by its name, with spaces at which a voice does not pause', () => {
    assert.equal(spokenMoney(123_400, 'USD', 'en'), '1,234 US dollars');
  });

  it('says one peso in the singular', () => {
    assert.equal(spokenMoney(100, 'COP', 'es'), '1 peso colombiano');
    assert.equal(spokenMoney(100, 'COP', 'en'), '1 Colombian peso');
  });
});

describe('plainAmount', () => {
  it('is digits alone for whole pesos', () => {
    assert.equal(plainAmount(123_456_700), '1234567');
    assert.equal(plainAmount(100), '1');
  });

  it('writes cents after a comma, which no Colombian app takes for grouping', () => {
    assert.equal(plainAmount(1_234_567), '12345,67');
    assert.equal(plainAmount(5), '0,05');
  });
});

describe('centsFromPesos', () => {
  it('reads pesos exactly', () => {
    assert.equal(centsFromPesos(50_000), 5_000_000);
    assert.equal(centsFromPesos(1.1), 110);
    assert.equal(centsFromPesos(12_345.67), 1_234_567);
    assert.equal(centsFromPesos(0.07), 7);
  });

  it('refuses what is not a whole number of cents', () => {
    for (const wrong of [0.001, 0.1 + 0.2, 1e-7, -1, NaN, Infinity, 1e13, 1e21, 90_071_992_547_409.91]) {
      assert.equal(centsFromPesos(wrong), null, String(wrong));
    }
  });

  it('undoes a division by a hundred, for every amount it accepts', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 999_999_999_999_999 }), (cents) => {
        assert.equal(centsFromPesos(Number(decimalAmount(cents))), cents);
        assert.equal(centsFromDecimal(decimalAmount(cents)), cents);
      }),
    );
  });
});

describe('isCents', () => {
  it('takes whole numbers from one up', () => {
    assert.ok(isCents(1));
    assert.ok(isCents(Number.MAX_SAFE_INTEGER));
  });

  it('refuses everything else', () => {
    for (const wrong of [0, -1, 1.5, NaN, Infinity, 2 ** 53, '1', 1n, null, undefined, {}, [1]]) {
      assert.ok(!isCents(wrong), String(wrong));
    }
  });
});
