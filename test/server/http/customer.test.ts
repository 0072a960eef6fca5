import assert from 'node:assert/strict';
import { test } from 'vitest';
import {
  type KnownCustomer,
  knownCustomer,
  maskedHints,
  mergeCustomer,
  missingFields,
} from '../../../src/server/http/customer.js';
import { CUSTOMER } from '../world.js';

const FIELDS = ['name', 'idType', 'idNumber', 'phone', 'email'] as const;
const only = (...fields: (keyof typeof CUSTOMER)[]): KnownCustomer =>
  Object.fromEntries(fields.map((field) => [field, CUSTOMER[field]]));
const without = (...fields: (keyof typeof CUSTOMER)[]) =>
  only(...FIELDS.filter((field) => !fields.includes(field)));
/** What a merchant without types may give. */
const known = (given: object | undefined) => knownCustomer(given);

test('what the merchant knows is written as the service takes it', () => {
  assert.deepEqual(
    known({
      name: ' Ana   María Pérez ',
      idType: 'CO_CC',
      idNumber: '1.000.000.001',
      phone: '300 123 4567',
      email: 'ana@Correo.TEST',
    }),
    CUSTOMER,
  );
  assert.deepEqual(known({ idType: 'MXN_RFC', idNumber: 'gode561231gr8' }), {
    idType: 'MXN_RFC',
    idNumber: 'GODE561231GR8',
  });
});

test('data of the merchant that cannot be used count as unknown, and the rest stays known', () => {
  for (const [given, expected] of [
    [undefined, {}],
    [{}, {}],
    [{ ...CUSTOMER, name: 'A' }, without('name')],
    [{ ...CUSTOMER, phone: '12' }, without('phone')],
    [{ ...CUSTOMER, email: 'ana' }, without('email')],
    [{ ...CUSTOMER, idNumber: 'x' }, without('idType', 'idNumber')],
    [without('idNumber'), without('idType', 'idNumber')],
    [without('idType'), without('idType', 'idNumber')],
    [{ ...CUSTOMER, name: null, phone: 3_001_234_567, email: {} }, only('idType', 'idNumber')],
  ] as const)
    assert.deepEqual(known(given), expected, JSON.stringify(given));
});

test('the payer is asked for exactly what is not known', () => {
  assert.deepEqual(missingFields({}), FIELDS);
  assert.deepEqual(missingFields(CUSTOMER), []);
  for (const field of FIELDS) assert.deepEqual(missingFields(without(field)), [field]);
});

test('of each thing that is known the payer recognises a part', () => {
  const masked = {
    name: 'A••• M••• P•••',
    idType: 'CO_CC',
    idNumber: '•••001',
    phone: '•••4567',
    email: 'a•••@correo.test',
  };
  assert.deepEqual(maskedHints(CUSTOMER), masked);
  assert.deepEqual(maskedHints({}), {});
  for (const field of FIELDS)
    assert.deepEqual(maskedHints(only(field)), { [field]: masked[field] }, 'nothing of the others');
});

test('of a number at most a third is shown, and never more than four digits', () => {
  for (const [number, shown] of [
    ['123', '•••3'],
    ['12345', '•••5'],
    ['123456', '•••56'],
    ['123456789012', '•••9012'],
    ['123456789012345', '•••2345'],
  ] as const) {
    assert.equal(maskedHints({ idNumber: number }).idNumber, shown);
    assert.equal(maskedHints({ phone: number }).phone, shown);
  }
});

test('what the payer typed fills in what the merchant does not know, and changes nothing of it', () => {
  const typed = {
    name: 'otra  persona',
    idType: 'CO_CE',
    idNumber: 'ab 123',
    phone: '+57 310 000 0000',
    email: 'otra@Correo.test',
  } as const;
  const read = {
    name: 'otra persona',
    idType: 'CO_CE',
    idNumber: 'AB123',
    phone: '+573100000000',
    email: 'otra@correo.test',
  } as const;
  for (const required of [true, false]) {
    const customer = (of: KnownCustomer) => mergeCustomer(of, typed, required);
    assert.deepEqual(customer({}), { ok: true, customer: read });
    assert.deepEqual(customer(CUSTOMER), { ok: true, customer: CUSTOMER });
    assert.deepEqual(customer(only('name', 'email')), {
      ok: true,
      customer: { ...read, name: CUSTOMER.name, email: CUSTOMER.email },
    });
    assert.deepEqual(customer(only('idType', 'idNumber', 'phone')), {
      ok: true,
      customer: { ...CUSTOMER, name: read.name, email: read.email },
    });
    assert.deepEqual(mergeCustomer(CUSTOMER, undefined, required), { ok: true, customer: CUSTOMER });
  }
});

test('whatever is missing is named where a method needs it; elsewhere the service gets no customer', () => {
  const lacking = (...fields: string[]) => ({
    ok: false,
    errors: fields.map((field) => ({ field: `inlineCustomer.${field}`, code: 'required' })),
  });
  for (const [of, given, missing] of [
    [{}, undefined, FIELDS],
    [{}, {}, FIELDS],
    [without('phone'), undefined, ['phone']],
    [only('name'), without('email'), ['email']],
    // A number without its type, or the other way round, is of no use.
    [{}, without('idNumber'), ['idType', 'idNumber']],
    [{}, without('idType'), ['idType', 'idNumber']],
  ] as const) {
    assert.deepEqual(mergeCustomer(of, given, true), lacking(...missing));
    assert.deepEqual(mergeCustomer(of, given, false), { ok: true, customer: null });
  }
});

test('each field that was typed wrong is named, also where it is not required', () => {
  const typed = { name: ' ', idType: 'CO_CC', idNumber: '1', phone: '12', email: 'ana' } as const;
  const wrong = [
    ['name', 'required'],
    ['phone', 'format'],
    ['email', 'format'],
    ['idNumber', 'format'],
  ].map(([field, code]) => ({ field: `inlineCustomer.${field}`, code }));
  for (const required of [true, false]) {
    assert.deepEqual(mergeCustomer({}, typed, required), { ok: false, errors: wrong });
    for (const field of ['name', 'phone', 'email', 'idNumber'] as const) {
      const errors = wrong.filter((each) => each.field === `inlineCustomer.${field}`);
      const one = { ...CUSTOMER, [field]: typed[field] };
      assert.deepEqual(mergeCustomer({}, one, required), { ok: false, errors });
    }
  }
  assert.deepEqual(mergeCustomer(CUSTOMER, typed, true), { ok: true, customer: CUSTOMER });
});

test('a company pays with its NIT and nothing else, a person with anything but a NIT', () => {
  const company = { ...CUSTOMER, idType: 'CO_NIT', idNumber: '900123456' } as const;
  const refused = { ok: false, errors: [{ field: 'inlineCustomer.idType', code: 'not_allowed' }] };
  assert.deepEqual(mergeCustomer(CUSTOMER, undefined, true, 'INDIVIDUAL'), { ok: true, customer: CUSTOMER });
  assert.deepEqual(mergeCustomer(company, undefined, true, 'BUSINESS'), { ok: true, customer: company });
  assert.deepEqual(mergeCustomer(CUSTOMER, undefined, true, 'BUSINESS'), refused);
  assert.deepEqual(mergeCustomer(company, undefined, true, 'INDIVIDUAL'), refused);
  assert.deepEqual(mergeCustomer(company, undefined, true), { ok: true, customer: company });
});
