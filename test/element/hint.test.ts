import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { readHint } from '../../src/element/opening/hint.js';

const breb = { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE' };
const pse = { kind: 'PAYIN', rail: 'PSE', bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' };
const hint = {
  attempt: { kind: 'PAYIN', id: 'payin-1' },
  idempotencyKey: 'key-0000000000000001',
  answered: true,
  choice: breb,
};

describe('what a tab remembers of a payment', () => {
  it('is read as it was written, whatever was chosen', () => {
    for (const choice of [breb, pse, { kind: 'PAYMENT_LINK' }])
      assert.deepEqual(readHint({ ...hint, choice }), { ...hint, choice });
    const begun = { ...hint, attempt: null, idempotencyKey: null, answered: false };
    assert.deepEqual(readHint(begun), begun);
  });

  it('is not read where another version, the page or the payer wrote something odd', () => {
    const odd: readonly unknown[] = [
      null,
      'hint',
      {},
      { ...hint, attempt: { kind: 'PAYOUT', id: 'payin-1' } },
      { ...hint, attempt: { kind: 'PAYIN', id: '' } },
      { ...hint, attempt: { kind: 'PAYIN' } },
      { ...hint, idempotencyKey: 7 },
      { ...hint, answered: 'yes' },
      { ...hint, choice: { ...breb, keyType: 'CASH' } },
      { ...hint, choice: { ...pse, personType: 'OTHER' } },
      { ...hint, choice: { ...pse, bank: '' } },
      { ...hint, choice: { kind: 'PAYIN', rail: 'CARD' } },
      { ...hint, choice: undefined },
    ];
    for (const value of odd)
      assert.throws(() => readHint(value), { name: 'ValiError' }, JSON.stringify(value));
  });
});
