import type { Merchant, Method, OfferedBank } from '../contract/backend.js';
import { isCents } from '../contract/money.js';
import type { Config } from '../machine/input.js';
import type { BasicOrder } from '../transport/basic.js';

export interface BasicAttributes {
  readonly amountInCents: number | null;
  readonly description: string | null;
  readonly banks: readonly OfferedBank[] | null;
  readonly merchant: (Partial<Merchant> & Pick<Merchant, 'name'>) | null;
}

/** The order as the attributes tell it, for a backend without offers. Null unless there is an amount to show. */
export function basicOrder(facts: BasicAttributes, config: Config): BasicOrder | null {
  if (!isCents(facts.amountInCents)) return null;
  const methods: Method[] = [];
  for (const rail of config.rails ?? ['BRE_B', 'PSE']) {
    if (rail === 'PSE') {
      if (facts.banks?.length) {
        const requires: Extract<Method, { rail: 'PSE'; kind: 'PAYIN' }>['requires'] = [
          'name',
          'idType',
          'idNumber',
          'phone',
          'email',
        ];
        methods.push({ kind: 'PAYIN', rail, banks: [...facts.banks], requires });
      }
      continue;
    }
    for (const keyType of config.keyType ? [config.keyType] : (['QR_CODE', 'SINGLE_USE'] as const)) {
      methods.push({ kind: 'PAYIN', rail, keyType, requires: [] });
    }
  }
  return {
    amountInCents: facts.amountInCents,
    description: facts.description,
    merchant: {
      taxId: null,
      supportEmail: null,
      supportPhone: null,
      payeeName: null,
      ...(facts.merchant ?? { name: location.hostname }),
    },
    methods,
  };
}
