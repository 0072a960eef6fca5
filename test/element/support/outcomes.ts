import type { Attempt } from '../../../src/contract/backend.js';
import { merchant, offer } from '../../machine/fixtures.js';
import { CannedTransport } from './canned-transport.js';
import { Payer } from './harness.js';

/** A payer whose order has this attempt already, once the text is on the screen. */
export async function sees(attempt: Attempt, text: string): Promise<Payer> {
  const transport = new CannedTransport();
  transport.offered = offer({ attempt });
  const payer = Payer.arrives({ transport });
  await payer.sees(text);
  return payer;
}

export const withContact = {
  ...merchant,
  name: 'Café Andino',
  taxId: '900.373.913-4',
  supportPhone: '601 555 0101',
};
export const bank = {
  bank: 'CO_BANCOLOMBIA',
  bankName: 'Bancolombia',
  pseUrl: 'https://bank.example/pse',
  cus: '90123456',
};
