import assert from 'node:assert/strict';
import { describe, it, vi } from 'vitest';
import * as fc from 'fast-check';
import { PSE_BANKS, bankName } from '../../../src/contract/payer/bank-list.js';
import { type Bank, searchBanks, sortBanks } from '../../../src/contract/payer/banks.js';
import data from '../../data/pse-banks.json' with { type: 'json' };
import { hostileText } from '../hostile-text.js';

const found = (query: string) => searchBanks(PSE_BANKS, query).map(({ name }) => name);

describe('PSE_BANKS', () => {
  it('holds the 55 banks of the data file', () => {
    assert.equal(PSE_BANKS.length, 55);
    assert.deepEqual(
      PSE_BANKS.map(({ first: _, ...bank }) => bank),
      data,
    );
  });

  it('names a bank by its code, and by the code one that it does not know', () => {
    assert.equal(bankName('CO_BANCOLOMBIA'), 'Bancolombia');
    assert.equal(bankName('CO_MARTE'), 'CO_MARTE');
  });

  it('has each code once', () => {
    assert.equal(new Set(PSE_BANKS.map(({ code }) => code)).size, 55);
  });

  it("marks PSE's test bank and no other", () => {
    assert.deepEqual(
      PSE_BANKS.filter(({ testOnly }) => testOnly).map(({ code }) => code),
      ['CO_BANKA'],
    );
  });

  it('is listed A to Z by Spanish collation, after the banks that most people have', () => {
    const others = PSE_BANKS.filter(({ first }) => first === undefined);
    assert.deepEqual(
      sortBanks(PSE_BANKS).map(({ name }) => name),
      [
        'Nequi',
        'Bancolombia',
        'Daviplata',
        'Banco Davivienda',
        'Banco de Bogotá',
        'Nu',
        ...others.map(({ name }) => name),
      ],
    );
    assert.deepEqual(sortBanks(others), others);
  });
});

describe('sortBanks', () => {
  it('sorts as Spanish does and leaves the list it was given alone', () => {
    const banks = ['Zeta', 'ñandú', 'Óptima', 'nube', 'opa', 'Ñame', 'ábaco'].map((name) => ({
      code: name,
      name,
    }));
    const before = [...banks];
    assert.deepEqual(
      sortBanks(banks).map(({ name }) => name),
      ['ábaco', 'nube', 'Ñame', 'ñandú', 'opa', 'Óptima', 'Zeta'],
    );
    assert.deepEqual(banks, before);
  });

  it('has the order that Intl gives to Spanish', () => {
    const { compare } = new Intl.Collator('es', { sensitivity: 'base' });
    const name = fc.string({ unit: fc.constantFrom(...'abmnñoxzáéúüÑNZ 1') });
    fc.assert(
      fc.property(fc.array(name), (names) => {
        const banks = names.map((each, index) => ({ code: String(index), name: each }));
        const sorted = [...banks].sort((a, b) => compare(a.name, b.name));
        assert.deepEqual(sortBanks(banks), sorted);
      }),
    );
  });

  it('makes no collator, which would block the page', async (t) => {
    const made = [vi.spyOn(Intl, 'Collator'), vi.spyOn(String.prototype, 'localeCompare')];
    t.onTestFinished(() => made.forEach((each) => each.mockRestore()));
    // Loaded anew, as one that was made before would not be made again.
    const path = '../../../src/contract/payer/banks.js?anew';
    const anew = (await import(path)) as typeof import('../../../src/contract/payer/banks.js');
    assert.notEqual(anew.sortBanks, sortBanks);
    anew.sortBanks(PSE_BANKS);
    for (const { mock } of made) assert.equal(mock.calls.length, 0);
  });
});

describe('searchBanks', () => {
  it('does not mind accents, case, punctuation or spacing', () => {
    for (const query of ['itau', 'ITAÚ', 'Itau\u0301', '  itaú ', 'ｉｔａｕ'])
      assert.deepEqual(found(query), ['Itaú'], query);
    assert.deepEqual(found('j.p. morgan'), ['Banco JP Morgan']);
    assert.deepEqual(found('avvillas'), ['Banco AV Villas']);
    const own: Bank[] = [{ code: '1', name: 'Ñoño' }];
    assert.deepEqual(searchBanks(own, 'nono'), own);
  });

  it('finds a bank in spite of one wrong, missing, further or misplaced letter, and of no more', () => {
    for (const query of [
      'bancolonbia',
      'bancolmbia',
      'bancollombia',
      'bancoolmbia',
      'vancolombia',
      'bamcolom',
      'bancolxom',
      'bacolom',
      'bacnolom',
    ])
      assert.deepEqual(found(query), ['Bancolombia'], query);
    assert.deepEqual(found('davivenda'), ['Banco Davivienda']);
    assert.deepEqual(found('banco bogata'), ['Banco de Bogotá']);
    assert.deepEqual(found('ba bogata'), ['Banco de Bogotá']);
    assert.deepEqual(found('nubamk'), ['Nu']);
    assert.deepEqual(found('itao'), ['Itaú']);
    for (const query of ['bancolonvia', 'marte', 'nx', 'xyz']) assert.deepEqual(found(query), [], query);
  });

  it('minds a wrong letter only where no bank is written so', () => {
    assert.ok(found('banco').every((name) => name.toLowerCase().includes('banco')));
  });

  it('finds banks by the other names payers know', () => {
    assert.deepEqual(found('nubank'), ['Nu']);
    assert.deepEqual(found('bcsc'), ['Banco Caja Social']);
    assert.deepEqual(found('credifin'), ['Ban100']);
  });

  it('finds a bank by the words a payer remembers', () => {
    assert.deepEqual(found('banco bogota'), ['Banco de Bogotá']);
    assert.deepEqual(found('bogota banco'), ['Banco de Bogotá']);
  });

  it('puts the beginning of a name before a word, a word before an alias, an alias before the inside', () => {
    const banks: Bank[] = [
      { code: '1', name: 'Xsol' },
      { code: '2', name: 'Zafiro', aliases: ['solar'] },
      { code: '3', name: 'Banco Sol' },
      { code: '4', name: 'Solidez' },
      { code: '5', name: 'Luna' },
    ];
    assert.deepEqual(
      searchBanks(banks, 'sol').map(({ code }) => code),
      ['4', '3', '2', '1'],
    );
    assert.deepEqual(found('davi'), ['Daviplata', 'Banco Davivienda']);
    const turned = ['Banco Sol', 'Sol Banco'].map((name) => ({ code: name, name }));
    assert.deepEqual(
      searchBanks(turned, 'sol banco').map(({ name }) => name),
      ['Sol Banco', 'Banco Sol'],
    );
  });

  it('gives every bank, sorted, for a query that asks for nothing', () => {
    const sorted = sortBanks(PSE_BANKS);
    assert.equal(sorted.length, 55);
    for (const query of ['', '   ', '--', '\u0301'])
      assert.deepEqual(searchBanks(PSE_BANKS, query), sorted, query);
  });

  it('looks at the first hundred characters of a query', () => {
    assert.deepEqual(found(`itau${' '.repeat(96)}marte`), ['Itaú']);
    assert.deepEqual(found(`itau${' '.repeat(95)}marte`), []);
  });

  it('finds nothing for a query that is no bank', () => {
    assert.deepEqual(found('zzz'), []);
    assert.deepEqual(found('__proto__'), []);
  });

  it('finds every bank by any part of its name', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PSE_BANKS),
        fc.nat(30),
        fc.integer({ min: 1, max: 30 }),
        (bank, from, length) => {
          assert.ok(searchBanks(PSE_BANKS, bank.name.slice(from, from + length)).includes(bank));
        },
      ),
    );
  });

  it('answers any text with some of the banks it was given, each once', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (query, name) => {
        const banks = [...PSE_BANKS, { code: 'X', name, aliases: [query] }];
        const result = searchBanks(banks, query);
        assert.equal(new Set(result).size, result.length);
        assert.ok(result.every((bank) => banks.includes(bank)));
      }),
    );
  });
});
