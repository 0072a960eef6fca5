import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import * as fc from 'fast-check';
import {
  documentTypesFor,
  nitCheckDigit,
  parseEmail,
  parseName,
  parsePhone,
} from '../../../src/contract/payer/identity.js';
import { ID_TYPES, type IdType } from '../../../src/contract/kinds.js';
import { parseAnyDocument } from '../../../src/contract/payer/documents.js';
import vectors from '../../data/identity-and-money-vectors.json' with { type: 'json' };
import { hostileText } from '../hostile-text.js';

const good = (value: string) => ({ ok: true, value });
const refused = (reason: string) => ({ ok: false, reason });

const vectorsByType: [IdType, { valid: string[]; invalid: string[] }][] = [
  ['CO_NIT', vectors.nit],
  ['CO_CC', vectors.cc],
  ['CO_CE', vectors.ce],
  ['PASSPORT', vectors.passport],
  ['MXN_RFC', vectors.rfc],
];

describe('documentTypesFor', () => {
  it('lets a company pay with its NIT and nothing else', () => {
    assert.deepEqual(documentTypesFor('BUSINESS'), ['CO_NIT']);
  });

  it('lets a person pay with anything but a NIT', () => {
    assert.deepEqual(documentTypesFor('INDIVIDUAL'), ['CO_CC', 'CO_CE', 'PASSPORT']);
  });
});

describe('nitCheckDigit', () => {
  // One for each of the eleven remainders, from 0 to 10. All but the first are published NITs.
  for (const [number, digit] of [
    ['900100005', '0'],
    ['899999068', '1'],
    ['860007738', '9'],
    ['890903938', '8'],
    ['860034313', '7'],
    ['890399010', '6'],
    ['860035827', '5'],
    ['800197268', '4'],
    ['899999063', '3'],
    ['900156264', '2'],
    ['860003020', '1'],
  ] as const) {
    it(`gives ${number} the digit ${digit}`, () => assert.equal(nitCheckDigit(number), digit));
  }
});

describe('parseAnyDocument', () => {
  for (const [idType, { valid, invalid }] of vectorsByType) {
    for (const text of valid) {
      it(`accepts ${text} as ${idType}`, () => assert.ok(parseAnyDocument(idType, text).ok));
    }
    for (const text of invalid) {
      it(`refuses ${text} as ${idType}`, () => assert.ok(!parseAnyDocument(idType, text).ok));
    }
  }

  it('tells what is missing, what is wrong, and a digit that is not the NIT’s', () => {
    assert.deepEqual(parseAnyDocument('CO_CC', '12'), refused('format'));
    assert.deepEqual(parseAnyDocument('CO_CC', '12345678901'), refused('format'));
    assert.deepEqual(parseAnyDocument('CO_CC', '12A456'), refused('format'));
    assert.deepEqual(parseAnyDocument('CO_CC', ' \u00a0\u200b '), refused('required'));
    assert.deepEqual(parseAnyDocument('CO_CE', '12-45'), refused('format'));
    assert.deepEqual(parseAnyDocument('CO_NIT', '890903938-7'), refused('nitCheckDigit'));
    assert.deepEqual(parseAnyDocument('CO_NIT', '8909039387'), refused('nitCheckDigit'));
    assert.deepEqual(parseAnyDocument('CO_NIT', '89090393-88'), refused('format'));
    assert.deepEqual(parseAnyDocument('MXN_RFC', 'GODE561331GR8'), refused('format'));
  });

  it('forgives how payers write and paste numbers', () => {
    assert.deepEqual(parseAnyDocument('CO_CC', ' 1.000.000.001\u00a0'), good('1000000001'));
    assert.deepEqual(parseAnyDocument('CO_CC', '79’123.456'), good('79123456'));
    assert.deepEqual(parseAnyDocument('CO_CC', '７９１２３４５６'), good('79123456'));
    assert.deepEqual(parseAnyDocument('CO_CC', '\u202d79123456\u202c'), good('79123456'));
    assert.deepEqual(parseAnyDocument('PASSPORT', 'ab 123456'), good('AB123456'));
    assert.deepEqual(parseAnyDocument('MXN_RFC', 'gode-561231-gr8'), good('GODE561231GR8'));
    assert.deepEqual(parseAnyDocument('MXN_RFC', 'n\u0303abc561231gr8'), good('ÑABC561231GR8'));
  });

  it('does not take a foreign letter for an ASCII one', () => {
    assert.deepEqual(parseAnyDocument('PASSPORT', 'abcdeß'), refused('format'));
    assert.deepEqual(parseAnyDocument('CO_CE', 'ı23456'), refused('format'));
    assert.deepEqual(parseAnyDocument('CO_CC', '١٢٣٤٥٦'), refused('format'));
    assert.deepEqual(parseAnyDocument('MXN_RFC', 'ſODE561231GR8'), refused('format'));
  });

  it('takes a very short cédula: there are some', () => {
    assert.deepEqual(parseAnyDocument('CO_CC', '123'), good('123'));
  });

  it('gives one NIT for all its spellings, without the check digit', () => {
    for (const text of ['890903938', '8909039388', '890.903.938-8', '890 903 938 – 8', '890,903,938-8']) {
      assert.deepEqual(parseAnyDocument('CO_NIT', text), good('890903938'), text);
    }
  });

  it('accepts exactly one check digit for each NIT', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{9}$/), (base) => {
        const accepted = [...'0123456789'].filter(
          (digit) => parseAnyDocument('CO_NIT', `${base}-${digit}`).ok,
        );
        assert.deepEqual(accepted, [nitCheckDigit(base)]);
      }),
    );
  });

  it('is stable: what it gives, it accepts unchanged', () => {
    const nearly = fc.stringMatching(/^[ 0-9A-Za-z.Ñ&-]{0,16}$/);
    fc.assert(
      fc.property(fc.constantFrom(...ID_TYPES), nearly, (idType, text) => {
        const first = parseAnyDocument(idType, text);
        if (first.ok) assert.deepEqual(parseAnyDocument(idType, first.value), first);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parsePhone', () => {
  for (const [text, value] of Object.entries(vectors.phone.valid)) {
    it(`reads ${text} as ${value}`, () => assert.deepEqual(parsePhone(text), good(value)));
  }
  for (const text of vectors.phone.invalid) {
    it(`refuses ${text}`, () => assert.ok(!parsePhone(text).ok));
  }

  it('forgives how payers write and paste numbers', () => {
    for (const text of [
      '(300) 123.4567',
      '0057 300 1234567',
      '＋57 ３００１２３４５６７',
      '\u202a+57\u00a0300‑123‑4567\u202c',
    ]) {
      assert.deepEqual(parsePhone(text), good('+573001234567'), text);
    }
  });

  it('tells what is missing from what is wrong', () => {
    assert.deepEqual(parsePhone(''), refused('required'));
    assert.deepEqual(parsePhone('abc'), refused('format'));
    assert.deepEqual(parsePhone('300+1234567'), refused('format'));
    assert.deepEqual(parsePhone('tel+573001234567'), refused('format'));
    assert.deepEqual(parsePhone('12345'), refused('format'));
    assert.deepEqual(parsePhone('300123456'), refused('format'));
    assert.deepEqual(parsePhone('+57300123456'), refused('format'));
    assert.deepEqual(parsePhone('+5730012345678'), refused('format'));
    assert.deepEqual(parsePhone('+1234567890123456'), refused('format'));
    assert.deepEqual(parsePhone('5215512345678'), refused('format'));
    assert.deepEqual(parsePhone('+0123456789'), refused('format'));
    assert.deepEqual(parsePhone('+576011234567'), refused('format'));
  });

  it('takes two zeros for the plus of another country', () => {
    assert.deepEqual(parsePhone('0034 600 123 456'), good('+34600123456'));
  });

  it('gives international form or nothing', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+]?[ 0-9().-]{0,20}$/), (text) => {
        const phone = parsePhone(text);
        if (!phone.ok) return;
        assert.match(phone.value, /^\+[1-9]\d{7,14}$/);
        assert.deepEqual(parsePhone(phone.value), phone);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('parseEmail', () => {
  it('accepts the addresses payers have', () => {
    for (const text of [
      'ana@example.com',
      'a.b+tag@mail.example.com.co',
      "o'neil_9@x-y.co",
      'a@xn--and-6ma2c.co',
    ]) {
      assert.deepEqual(parseEmail(text), good(text));
    }
  });

  it('lowers the host, not the name, and drops what a paste brought along', () => {
    assert.deepEqual(parseEmail('\u00a0Ana@Example.COM\u200b\n'), good('Ana@example.com'));
  });

  it('tells what is missing from what is wrong', () => {
    assert.deepEqual(parseEmail(' '), refused('required'));
    assert.deepEqual(parseEmail('ana'), refused('format'));
    assert.deepEqual(parseEmail('josé@example.com'), refused('format'));
    assert.deepEqual(parseEmail('ana maria@example.com'), refused('format'));
    assert.deepEqual(parseEmail(`a@${'b'.repeat(250)}.co`), refused('format'));
    for (const text of [
      '@example.com',
      'a@b@example.com',
      '.a@example.com',
      'a..b@example.com',
      'a.@example.com',
      '"a"@example.com',
      `${'a'.repeat(65)}@example.com`,
    ]) {
      assert.deepEqual(parseEmail(text), refused('format'), text);
    }
    for (const text of [
      'a@',
      'a@localhost',
      'a@example.',
      'a@.co',
      'a@-x.co',
      'a@x-.co',
      'a@x_y.co',
      'a@127.0.0.1',
      `a@${'b'.repeat(64)}.co`,
    ]) {
      assert.deepEqual(parseEmail(text), refused('format'), text);
    }
  });

  it('accepts every ordinary address and keeps it', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (text) => {
        const email = parseEmail(text);
        assert.ok(email.ok);
        assert.equal(email.value.toLowerCase(), text.toLowerCase());
      }),
    );
  });
});

describe('parseName', () => {
  it('accepts people and companies of every script', () => {
    for (const text of [
      'Ana María Ñáñez',
      "O'Neill & Cía.",
      'D1 S.A.S.',
      '王小明',
      'Nguyễn Thị',
      'محمد علي',
    ]) {
      assert.deepEqual(parseName(text), good(text.normalize('NFC')));
    }
  });

  it('composes accents and leaves one space between words', () => {
    assert.deepEqual(parseName('  Jose\u0301\u00a0\u00a0Pe\u0301rez\t'), good('José Pérez'));
    assert.deepEqual(parseName('Ana D\u2019Angelo\u2013Ruiz'), good("Ana D'Angelo-Ruiz"));
  });

  it('tells what is missing from what is wrong', () => {
    assert.deepEqual(parseName('\u200b'), refused('required'));
    assert.deepEqual(parseName('A'), refused('format'));
    assert.deepEqual(parseName('a'.repeat(101)), refused('format'));
    assert.deepEqual(parseName('12345'), refused('format'));
    for (const text of ['<b>Ana', 'Ana|Luz', 'La "Tienda"', 'Ana\0Luz', 'Ana\ud800']) {
      assert.deepEqual(parseName(text), refused('format'), text);
    }
  });
});

describe('every parser of identity', () => {
  const parsers = [
    parsePhone,
    parseEmail,
    parseName,
    ...ID_TYPES.map((idType) => (text: string) => parseAnyDocument(idType, text)),
  ];

  it('answers any text without throwing', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const parse of parsers) {
          const parsed = parse(text);
          if (parsed.ok) assert.ok(parsed.value.length >= 1 && parsed.value.length <= 254);
          else assert.match(parsed.reason, /^(?:required|format|nitCheckDigit)$/);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('takes the longest name and address, and no longer one', () => {
    const name = (length: number) => `Ana ${'a'.repeat(length - 4)}`;
    assert.deepEqual(parseName(name(100)), good(name(100)));
    assert.deepEqual(parseName(name(101)), refused('format'));
    const labels = [64, 63, 63].map((length) => 'a'.repeat(length));
    const email = (length: number) => `${labels[0]}@${labels[1]}.${labels[2]}.${'a'.repeat(length - 193)}`;
    assert.equal(email(254).length, 254);
    assert.deepEqual(parseEmail(email(254)), good(email(254)));
    assert.deepEqual(parseEmail(email(255)), refused('format'));
    assert.deepEqual(parseName('Ana'.padEnd(256)), good('Ana'));
    assert.deepEqual(parseName('Ana'.padEnd(257)), refused('format'));
  });

  it('refuses long text before looking at it', () => {
    for (const parse of parsers) assert.deepEqual(parse(' '.repeat(1_000_000)), refused('format'));
  });
});
