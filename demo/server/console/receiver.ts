import type { Receiver } from '../../../src/service.js';
import type { MaskedReceiver } from '../../../src/console-page.js';
import { maskKey, maskName, maskNumber } from './masks.js';

/** Who the merchant wants to pay, as it was typed or as the payment says. */
interface Typed {
  readonly name: string;
  readonly idType: string;
  readonly idNumber: string;
}

/** The owner of a key as the page shows them, beside who was typed, if anybody was. */
export function maskReceiver(receiver: Receiver, typed?: Typed): MaskedReceiver {
  const { name, documentType, documentNumber, bankAccountNumber, bankName, keyString, keyType } = receiver;
  return {
    name: maskName(name),
    document: documentNumber === null ? null : `${documentType ?? ''} ${maskNumber(documentNumber)}`.trim(),
    account: bankAccountNumber === null ? null : maskNumber(bankAccountNumber),
    bank: bankName,
    key: maskKey(keyString),
    keyType,
    ...(typed && {
      typed: { name: maskName(typed.name), document: `${typed.idType} ${maskNumber(typed.idNumber)}` },
      differs: !isSame(receiver, typed),
    }),
  };
}

/** By the document where the bank gives one: names are written in too many ways. */
function isSame({ name, documentNumber }: Receiver, typed: Typed): boolean {
  if (documentNumber !== null) return lettersOf(documentNumber) === lettersOf(typed.idNumber);
  return lettersOf(name) === lettersOf(typed.name);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
