import { QR_PNG } from '../../../demo/gallery/codes.js';
import type { BrebAttempt, Offer } from '../../../src/contract/backend.js';
import { breb, offer } from '../../machine/fixtures.js';
import { CannedTransport } from './canned-transport.js';
import { Payer, instead } from './harness.js';

export const KEY = '@CAFE7K2M9QX4T1';

export const inside = (payer: Payer) => payer.element.shadowRoot!;

/** A payer who sees the key of an open payment. */
export async function atTheKey(
  source: Partial<BrebAttempt['sourceData']> = {},
  facts: Partial<BrebAttempt> = {},
  settings: Parameters<typeof Payer.arrives>[0] = {},
  offered: Partial<Offer> = {},
): Promise<Payer> {
  const transport = new CannedTransport();
  const sourceData = {
    keyType: 'SINGLE_USE' as const,
    keyString: KEY,
    qrString: QR_PNG,
    qrText: null,
    checkoutUrl: null,
    ...source,
  };
  transport.offered = offer({
    attempt: breb({ sourceData, ...facts }),
    now: facts.now ?? new Date().toISOString(),
    ...offered,
  });
  const payer = Payer.arrives({ transport, ...settings });
  await payer.reaches('paying');
  await payer.sees(settings.locale === 'en' ? 'Pay from your bank’s app' : 'Paga desde la app de tu banco');
  return payer;
}

/** The payer's pointer is a finger until the test is over. */
export function withFinger(): void {
  const real = window.matchMedia.bind(window);
  instead(window, 'matchMedia', (query: string) =>
    query === '(pointer: coarse)' ? { matches: true } : real(query),
  );
}
