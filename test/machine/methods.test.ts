import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Method } from '../../src/contract/offer.js';
import type { Choice, Config } from '../../src/machine/input.js';
import { hasBothKeys, isAlike, methodsOf } from '../../src/machine/methods.js';
import { choiceOf, isRemembered, rememberedOf } from '../../src/machine/paying/creating.js';
import { breb, brebMethod, config, keyMethod, link, linkMethod, offer, pse, pseMethod } from './fixtures.js';

const linkFor = (rail: 'BRE_B' | 'PSE', bank: string | null = null): Method => ({
  kind: 'PAYMENT_LINK',
  rail,
  bank,
});
const payPse: Choice = {
  kind: 'PAYIN',
  rail: 'PSE',
  bank: 'CO_BANCOLOMBIA',
  personType: 'INDIVIDUAL',
  customer: { name: 'Ana' },
};
const payQr: Choice = { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE', customer: { name: 'Ana' } };

describe('what a payer may choose from', () => {
  const from = (methods: readonly Method[], facts: Partial<Config> = {}) =>
    methodsOf(offer({ methods: [...methods] }), { ...config, ...facts });

  it('is one Bre-B where the offer has both kinds of key', () => {
    assert.ok(hasBothKeys(offer({ methods: [pseMethod, keyMethod, brebMethod] })));
    for (const methods of [[brebMethod, pseMethod], [keyMethod], [linkFor('BRE_B'), brebMethod], []]) {
      assert.ok(!hasBothKeys(offer({ methods })));
    }
  });

  it('is what the page’s rails allow, in their order, the offer’s order within a rail', () => {
    assert.deepEqual(from([brebMethod, pseMethod], { rails: ['PSE'] }), [pseMethod]);
    assert.deepEqual(from([brebMethod, pseMethod], { rails: ['PSE', 'BRE_B'] }), [pseMethod, brebMethod]);
    assert.deepEqual(from([brebMethod, pseMethod]), [brebMethod, pseMethod]);
    assert.equal(from([brebMethod], { rails: ['PSE'] }), null);
    const [one, other] = [linkFor('PSE', 'CO_A'), linkFor('PSE', 'CO_B')];
    assert.deepEqual(from([one, linkFor('BRE_B'), other], { rails: ['PSE'], hosted: true }), [one, other]);
  });

  it('is the kind of key that the page asks for; a bank has none', () => {
    assert.deepEqual(from([brebMethod, keyMethod, pseMethod], { keyType: 'SINGLE_USE' }), [
      keyMethod,
      pseMethod,
    ]);
    assert.equal(from([brebMethod], { keyType: 'SINGLE_USE' }), null);
  });

  it('is the hosted page only where the page says so, or where there is nothing else', () => {
    assert.deepEqual(from([brebMethod, linkMethod]), [brebMethod]);
    assert.deepEqual(from([brebMethod, linkMethod], { hosted: true }), [linkMethod]);
    assert.deepEqual(from([linkMethod]), [linkMethod]);
    assert.equal(from([brebMethod], { hosted: true }), null);
  });
});

describe('two ways of paying', () => {
  it('are alike when both say the same, as far as both say it', () => {
    const single = breb({ sourceData: { ...breb().sourceData!, keyType: 'SINGLE_USE' } });
    for (const [one, other, alike] of [
      [brebMethod, breb(), true],
      [brebMethod, breb({ sourceData: null }), true],
      [keyMethod, breb({ sourceData: null }), true],
      [keyMethod, single, true],
      [brebMethod, single, false],
      [brebMethod, keyMethod, false],
      [brebMethod, pseMethod, false],
      [pseMethod, pse(), true],
      [pseMethod, payPse, true],
      [brebMethod, payPse, false],
      [linkMethod, link(), true],
      [linkFor('PSE'), linkFor('BRE_B'), true],
      [linkFor('PSE'), pse(), false],
    ] as const) {
      assert.equal(isAlike(one, other), alike, JSON.stringify([one, other]));
      assert.equal(isAlike(other, one), alike, JSON.stringify([other, one]));
    }
  });

  it('are remembered without what is personal', () => {
    assert.deepEqual(rememberedOf(payPse), {
      kind: 'PAYIN',
      rail: 'PSE',
      bank: 'CO_BANCOLOMBIA',
      personType: 'INDIVIDUAL',
    });
    assert.deepEqual(rememberedOf(payQr), { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' });
    assert.deepEqual(rememberedOf({ kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_A' }), {
      kind: 'PAYMENT_LINK',
    });
  });

  it('are the same again only in everything that is remembered', () => {
    assert.ok(isRemembered(rememberedOf(payPse), payPse));
    assert.ok(!isRemembered(rememberedOf(payPse), { ...payPse, bank: 'CO_NEQUI' }));
    assert.ok(!isRemembered(rememberedOf(payPse), { ...payPse, personType: 'BUSINESS' }));
    assert.ok(!isRemembered(rememberedOf(payQr), { ...payQr, keyType: 'SINGLE_USE' }));
    assert.ok(!isRemembered(rememberedOf(payQr), payPse));
  });
});

describe('a choice that needs nothing more', () => {
  const chosen = (method: Method, facts: Partial<Config> = {}) => choiceOf(method, { ...config, ...facts });

  it('is a key that needs no customer data', () => {
    assert.deepEqual(chosen(keyMethod), { kind: 'PAYIN', rail: 'BRE_B', keyType: 'SINGLE_USE' });
    assert.equal(chosen({ ...keyMethod, requires: ['name'] }), null);
    assert.equal(chosen(pseMethod), null);
    assert.equal(chosen({ ...pseMethod, requires: [] } as Method), null, 'a bank has to be named');
  });

  it('is a link, for the rail and the bank that the offer or else the page names', () => {
    const kind = 'PAYMENT_LINK';
    assert.deepEqual(chosen(linkMethod), { kind, rail: null, bank: null });
    assert.deepEqual(chosen(linkMethod, { rails: ['PSE'], bank: 'CO_A' }), {
      kind,
      rail: 'PSE',
      bank: 'CO_A',
    });
    assert.deepEqual(chosen(linkMethod, { rails: ['BRE_B'], bank: 'CO_A' }), {
      kind,
      rail: 'BRE_B',
      bank: null,
    });
    assert.deepEqual(chosen(linkMethod, { rails: ['PSE', 'BRE_B'], bank: 'CO_A' }), {
      kind,
      rail: null,
      bank: null,
    });
    assert.deepEqual(chosen(linkFor('PSE', 'CO_B'), { rails: ['BRE_B'], bank: 'CO_A' }), {
      kind,
      rail: 'PSE',
      bank: 'CO_B',
    });
    assert.deepEqual(chosen(linkMethod, { rails: [] }), { kind, rail: null, bank: null });
  });
});
