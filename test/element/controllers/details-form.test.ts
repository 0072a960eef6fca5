import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Hints } from '../../../src/contract/offer.js';
import { DetailsForm, type PayinMethod } from '../../../src/element/paying/pse/details-form.js';
import type { Host, Prefill } from '../../../src/element/host.js';
import type { Hint } from '../../../src/machine/input.js';

const PSE = {
  kind: 'PAYIN',
  rail: 'PSE',
  banks: [
    { code: 'CO_BANCOLOMBIA', name: 'Bancolombia' },
    { code: 'CO_BBVA', name: 'BBVA Colombia' },
    { code: 'CO_BOGOTA', name: 'Banco de Bogotá' },
  ],
  requires: ['name', 'idType', 'idNumber', 'email', 'phone'],
} satisfies PayinMethod;
const KEY = {
  kind: 'PAYIN',
  rail: 'BRE_B',
  keyType: 'SINGLE_USE',
  requires: ['idType', 'idNumber'],
} satisfies PayinMethod;

const NOTHING: Prefill = { customer: {}, bank: null, mayRemember: true };

interface Known {
  readonly prefill?: Partial<Prefill>;
  readonly hint?: Hint | null;
  readonly hints?: Hints;
}

/** A form outside a page: how often it asks to be drawn, and nothing to draw. */
function started(method: PayinMethod = PSE, { prefill, hint = null, hints = {} }: Known = {}) {
  let drawn = 0;
  const host = {
    addController: () => undefined,
    requestUpdate: () => drawn++,
    updateComplete: new Promise(() => undefined),
  } as unknown as Host;
  const form = new DetailsForm(host);
  form.prime(method, { ...NOTHING, ...prefill }, hint, hints, 'A-1');
  return { form, drawn: () => drawn };
}

const remembers = (choice: Hint['choice']): Hint => ({
  attempt: null,
  idempotencyKey: null,
  answered: true,
  choice,
});
const errorsOf = (form: DetailsForm) => Object.fromEntries(form.errors);

describe('a form of details', () => {
  it('begins as a person with nothing given', () => {
    const { form } = started();
    assert.deepEqual(form.values, { bank: '', name: '', idType: '', idNumber: '', phone: '', email: '' });
    assert.equal(form.personType, 'INDIVIDUAL');
    assert.equal(form.documentType, 'CO_CC');
    assert.equal(form.bank, undefined);
  });

  it('begins with what this tab chose, else with what the page knows, else with what the backend hints at', () => {
    const business = remembers({ kind: 'PAYIN', rail: 'PSE', bank: 'CO_BBVA', personType: 'BUSINESS' });
    const breb = remembers({ kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' });
    const page = { bank: 'CO_BOGOTA', customer: { name: 'Ana Ruiz' } };
    for (const [known, bank, personType] of [
      [{ hint: business, prefill: page }, 'CO_BBVA', 'BUSINESS'],
      [{ hint: breb, prefill: page }, 'CO_BOGOTA', 'INDIVIDUAL'],
      [{ hint: business, hints: { personType: 'INDIVIDUAL' } }, 'CO_BBVA', 'BUSINESS'],
      [{ hints: { personType: 'BUSINESS' } }, '', 'BUSINESS'],
      [{ hints: { personType: 'INDIVIDUAL', idType: 'CO_NIT' } }, '', 'INDIVIDUAL'],
      [{ hints: { idType: 'CO_NIT' } }, '', 'BUSINESS'],
      [{ hints: { idType: 'CO_NIT' }, prefill: { customer: { idType: 'CO_CE' } } }, '', 'INDIVIDUAL'],
      [{ prefill: { customer: { idType: 'CO_NIT' } } }, '', 'BUSINESS'],
    ] as const) {
      const { form } = started(PSE, known);
      assert.equal(form.values.bank, bank, JSON.stringify(known));
      assert.equal(form.personType, personType, JSON.stringify(known));
      assert.equal(form.bank?.code, bank || undefined);
    }
    assert.equal(started(PSE, { prefill: page }).form.values.name, 'Ana Ruiz');
  });

  it('keeps what was typed when it is for another method then', () => {
    const { form } = started(PSE, { prefill: { customer: { name: 'Ana Ruiz' } } });
    form.type('name', 'Luz Mora');
    form.setPersonType('BUSINESS');
    form.prime(KEY, { ...NOTHING, customer: { name: 'Ana Ruiz' }, bank: 'CO_BBVA' }, null, {}, 'A-1');
    assert.equal(form.values.name, 'Luz Mora');
    assert.equal(form.personType, 'BUSINESS');
    assert.deepEqual(form.banks, [], 'a key is of no bank');
    form.prime(PSE, NOTHING, null, {}, 'A-1');
    assert.deepEqual(form.banks, PSE.banks);
  });

  it('has for PSE the documents of the kind of person, and for Bre-B all of them', () => {
    const { form } = started();
    assert.deepEqual(form.documentTypes, ['CO_CC', 'CO_CE', 'PASSPORT']);
    form.type('idType', 'PASSPORT');
    assert.equal(form.documentType, 'PASSPORT');
    form.setPersonType('BUSINESS');
    assert.deepEqual(form.documentTypes, ['CO_NIT']);
    assert.equal(form.documentType, 'CO_NIT', 'a company has no passport');
    const key = started(KEY).form;
    assert.deepEqual(key.documentTypes, ['CO_CC', 'CO_CE', 'PASSPORT', 'CO_NIT']);
    key.type('idType', 'CO_NIT');
    assert.equal(key.documentType, 'CO_NIT');
  });

  it('objects on leaving a field and not before, and never to an empty one', () => {
    const { form, drawn } = started();
    form.leave('email');
    form.type('email', ' ');
    form.leave('email');
    form.type('email', 'ana');
    assert.deepEqual(errorsOf(form), {});
    form.leave('email');
    assert.deepEqual(errorsOf(form), { email: 'email' });
    form.type('email', 'ana@');
    assert.deepEqual(errorsOf(form), { email: 'email' }, 'still not mended');
    form.type('email', 'ana@correo.co');
    assert.deepEqual(errorsOf(form), {}, 'mended with the last letter');
    assert.equal(drawn(), 7, 'drawn after each');
  });

  it('judges the number again by another kind of document, once there is one', () => {
    const { form } = started();
    form.type('idType', 'PASSPORT');
    assert.deepEqual(errorsOf(form), {});
    form.type('idNumber', 'AB123456');
    form.leave('idNumber');
    assert.deepEqual(errorsOf(form), {});
    form.type('idType', 'CO_CC');
    assert.deepEqual(errorsOf(form), { idNumber: 'CO_CC' });
    form.type('idType', 'CO_CE');
    assert.deepEqual(errorsOf(form), {});
  });

  it('takes back its objections with another kind of person', () => {
    const { form, drawn } = started();
    form.submit(PSE);
    const before = drawn();
    form.setPersonType('BUSINESS');
    assert.deepEqual(errorsOf(form), {});
    assert.equal(drawn(), before + 1);
  });

  it('says of each field what is wrong with it', () => {
    const { form } = started();
    assert.equal(form.submit(PSE), null);
    assert.deepEqual(errorsOf(form), {
      name: 'required',
      idNumber: 'required',
      email: 'required',
      phone: 'required',
      bank: 'bank',
    });
    for (const [field, value] of [
      ['name', '?'],
      ['idNumber', '12'],
      ['email', 'ana'],
      ['phone', '12'],
      ['bank', 'CO_OTHER'],
    ] as const)
      form.type(field, value);
    assert.equal(form.submit(PSE), null);
    assert.deepEqual(errorsOf(form), {
      name: 'name',
      idNumber: 'CO_CC',
      email: 'email',
      phone: 'phone',
      bank: 'bank',
    });
    form.setPersonType('BUSINESS');
    form.type('idNumber', '900123456-1');
    form.leave('idNumber');
    assert.deepEqual(errorsOf(form), { idNumber: 'nitCheckDigit' });
  });

  it('gives the choice as the service takes it, with what was asked for and nothing else', () => {
    const { form } = started();
    for (const [field, value] of [
      ['name', ' Ana  Ruiz '],
      ['idNumber', '1.020.304.050'],
      ['email', 'ana@correo.co'],
      ['phone', '300 123 4567'],
      ['bank', 'CO_BBVA'],
    ] as const)
      form.type(field, value);
    assert.deepEqual(form.submit(PSE), {
      kind: 'PAYIN',
      rail: 'PSE',
      bank: 'CO_BBVA',
      personType: 'INDIVIDUAL',
      customer: {
        name: 'Ana Ruiz',
        idType: 'CO_CC',
        idNumber: '1020304050',
        email: 'ana@correo.co',
        phone: '+573001234567',
      },
    });
    assert.deepEqual(form.submit({ ...PSE, requires: [] }), {
      kind: 'PAYIN',
      rail: 'PSE',
      bank: 'CO_BBVA',
      personType: 'INDIVIDUAL',
    });
    assert.deepEqual(form.submit(KEY), {
      kind: 'PAYIN',
      rail: 'BRE_B',
      keyType: 'SINGLE_USE',
      customer: { idType: 'CO_CC', idNumber: '1020304050' },
    });
  });

  it('takes the objections of the backend once each time they come', () => {
    const { form } = started();
    const problems = [
      { field: 'customer.email', code: 'required' },
      { field: 'customer.phone', code: 'invalid' },
      { field: 'bank', code: 'invalid' },
      { field: 'replaces', code: 'invalid' },
    ];
    const expected = { email: 'required', phone: 'refused', bank: 'bank' };
    form.accept(problems);
    assert.deepEqual(errorsOf(form), expected);
    form.setPersonType('BUSINESS');
    form.accept(problems);
    assert.deepEqual(errorsOf(form), {}, 'the same ones, drawn again');
    form.accept([...problems]);
    assert.deepEqual(errorsOf(form), expected);
  });
});

describe('the picker of a bank', () => {
  const names = (form: DetailsForm) => form.picker.matches.map(({ name }) => name);

  it('shows what is written, else the bank that was chosen', () => {
    const { form } = started(PSE, { prefill: { bank: 'CO_BBVA' } });
    const { picker } = form;
    assert.equal(picker.text, 'BBVA Colombia');
    assert.equal(picker.write('banc'), 2);
    assert.equal(picker.text, 'banc');
    assert.equal(form.bank, undefined, 'what is written is no bank yet');
    assert.deepEqual([picker.open, picker.active], [true, 0]);
    picker.pick(PSE.banks[2]);
    assert.equal(form.values.bank, 'CO_BOGOTA');
    assert.deepEqual([picker.open, picker.active, picker.text], [false, -1, 'Banco de Bogotá']);
    assert.equal(names(form).length, 3, 'the whole list again');
  });

  it('takes what fits one bank alone on leaving, and objects to what fits none or many', () => {
    const { form } = started();
    form.picker.write('bbva');
    form.picker.leave();
    assert.equal(form.bank?.code, 'CO_BBVA');
    assert.deepEqual(errorsOf(form), {});
    for (const text of ['banc', 'nadie']) {
      form.picker.write(text);
      form.picker.leave();
      assert.equal(form.bank, undefined);
      assert.deepEqual(errorsOf(form), { bank: 'bank' });
      assert.deepEqual([form.picker.open, form.picker.text], [false, text]);
    }
    const empty = started({ ...PSE, banks: [{ code: 'CO_BBVA', name: 'BBVA Colombia' }] }).form;
    empty.picker.leave();
    assert.equal(empty.bank, undefined, 'nothing was written: nothing is chosen');
    assert.deepEqual(errorsOf(empty), {});
  });
});
