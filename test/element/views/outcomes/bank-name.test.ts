import assert from 'node:assert/strict';
import { it } from 'vitest';
import { bankName } from '../../../../src/element/paying/outcomes/receipt.js';
import { breb, offer, pse } from '../../../machine/fixtures.js';

it('names a bank as the payer knows it: as the service does, else as the offer does, else by its code', () => {
  const paidFrom = (bank: string, name: string | null) =>
    bankName(
      pse({ sourceData: { ...pse().sourceData!, bank, bankName: name } }),
      offer({
        methods: [
          {
            kind: 'PAYIN',
            rail: 'PSE',
            requires: [],
            banks: [
              { code: 'CO_NEQUI', name: 'Nequi' },
              { code: 'CO_BBVA', name: 'BBVA Colombia' },
            ],
          },
        ],
      }),
    );
  assert.equal(paidFrom('CO_BBVA', 'BBVA'), 'BBVA');
  assert.equal(paidFrom('CO_BBVA', null), 'BBVA Colombia');
  assert.equal(paidFrom('CO_OTHER', null), 'CO_OTHER');
  assert.equal(bankName(breb(), null), null);
});
