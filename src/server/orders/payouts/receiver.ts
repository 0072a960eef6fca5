import type { MaskedReceiver } from '../../../contract/merchant/payouts.js';
import type { InlineCustomer, KeyLookup } from '../../../contract/service/resources.js';
import { maskKey, maskName, maskNumber } from '../masks.js';

/** The owner of a key as a person compares them: enough to recognise, and no more. */

type Receiver = KeyLookup['details'];

/** The owner of the key beside the person who was expected. */
export function maskReceiver(receiver: Receiver, expected?: InlineCustomer): MaskedReceiver {
  const { name, documentType, documentNumber, bankAccountNumber, bankName, keyString, keyType } = receiver;
  return {
    name: maskName(name),
    document: documentNumber === null ? null : `${documentType ?? ''} ${maskNumber(documentNumber)}`.trim(),
    account: bankAccountNumber === null ? null : maskNumber(bankAccountNumber),
    bank: bankName,
    key: maskKey(keyString),
    keyType,
    ...(expected && {
      typed: {
        name: maskName(expected.name),
        document: `${expected.idType} ${maskNumber(expected.idNumber)}`,
      },
      differs: !isSame(receiver, expected),
    }),
  };
}

/** By the document where the bank gives one: names are written in too many ways. */
function isSame({ name, documentNumber }: Receiver, expected: InlineCustomer): boolean {
  if (documentNumber !== null) return lettersOf(documentNumber) === lettersOf(expected.idNumber);
  return lettersOf(name) === lettersOf(expected.name);
}

function lettersOf(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}
