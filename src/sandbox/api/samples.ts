import type { Engine } from '../service/engine.js';
import type { ResourceRecord } from '../service/state.js';
import { SAMPLE_CUSTOMER } from './customer.js';

/** What a merchant's server would have sent, for a click on the control page. */

export const SAMPLES = ['qr', 'key', 'pse', 'payout', 'link'] as const;
export type Sample = (typeof SAMPLES)[number];

export function createSample(engine: Engine, sample: Sample): ResourceRecord {
  const common = { amountInCents: 12_500_000, currency: 'COP' } as const;
  const reference = `PRUEBA-${String(engine.revision + 1).padStart(4, '0')}`;
  switch (sample) {
    case 'qr':
    case 'key': {
      const keyType = sample === 'qr' ? 'QR_CODE' : 'SINGLE_USE';
      return engine.createPayin({ ...common, reference, rail: 'BRE_B', breb: { keyType } });
    }
    case 'pse': {
      const pse = { bank: 'CO_BANKA', personType: 'INDIVIDUAL' } as const;
      return engine.createPayin({ ...common, reference, rail: 'PSE', pse, inlineCustomer: SAMPLE_CUSTOMER });
    }
    case 'payout': {
      const breb = { keyString: '@prueba' };
      engine.lookupKey(breb.keyString);
      return engine.createPayout({
        ...common,
        reference,
        rail: 'BRE_B',
        inlineCustomer: SAMPLE_CUSTOMER,
        breb,
      });
    }
    case 'link':
      return engine.createLink({
        amountType: 'FIXED',
        amountInCents: common.amountInCents,
        reference,
        callbackUrl: `${engine.publicUrl}/_/`,
      });
    default:
      return sample satisfies never;
  }
}
