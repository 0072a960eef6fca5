import { PSE_BANKS } from '../../contract/payer/bank-list.js';
import type { EmvKeyKind } from '../../contract/qr/emv-build.js';
import type { KeyLookup } from '../../contract/service/resources.js';

/** What kind of BREB key a text is, or undefined when it is none. */
export function keyKind(keyString: string): EmvKeyKind | undefined {
  if (keyString.length > 100) return undefined;
  if (/^3\d{9}$/.test(keyString)) return 'MOBILE';
  if (/^@[A-Za-z0-9]{2,19}$/.test(keyString)) return 'ALPHANUMERIC';
  if (/^[\w.+-]{1,64}@[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){1,4}$/.test(keyString)) return 'EMAIL';
  if (/^00\d{8}$/.test(keyString)) return 'MERCHANT_CODE';
  if (/^\d{5,11}$/.test(keyString)) return 'DOCUMENT';
  return undefined;
}

/** Keys without an owner, so that a merchant can try what happens then: `@noexiste…`, `noexiste…@…`, only nines. */
function isVacant(keyString: string): boolean {
  return /^@?noexiste/i.test(keyString) || /^9+$/.test(keyString);
}

/**
 * The receiver behind a key, or undefined when it has no owner. Every well-formed key belongs to an invented
 * receiver, always the same one.
 */
export function lookUpReceiver(keyString: string, keyType: EmvKeyKind): KeyLookup | undefined {
  if (isVacant(keyString)) return undefined;
  const number = fingerprint(keyString);
  const bank = PSE_BANKS[number % PSE_BANKS.length];
  return {
    details: {
      name: `Receptor de Prueba ${String(number % 1_000).padStart(3, '0')}`,
      documentType: keyType === 'MERCHANT_CODE' ? 'CO_NIT' : 'CO_CC',
      documentNumber: keyType === 'DOCUMENT' ? keyString : `10${String(number % 10 ** 8).padStart(8, '0')}`,
      bankAccountNumber: String(number % 10 ** 10).padStart(11, '0'),
      keyString,
      keyType,
      bankName: bank?.name ?? null,
    },
  };
}

/** FNV-1a, to spread keys over invented receivers. */
function fingerprint(text: string): number {
  let hash = 0x811c_9dc5;
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x0100_0193);
  return hash >>> 0;
}
