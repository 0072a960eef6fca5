import type { Rail, KeyType } from '../contract/service-resources.js';
import { isCents } from '../contract/money.js';
import { withoutReturnId } from '../contract/return-id.js';
import type { Config } from '../machine/input.js';
import type { PayCheckoutElement } from './pay-checkout-element.js';

/** What makes a checkout, as the page wrote it. Another value makes another checkout. */
const WRITTEN = [
  'order',
  'backend',
  'rails',
  'keyType',
  'callbackUrl',
  'hosted',
  'share',
  'modal',
  'amountInCents',
  'currency',
  'description',
  'banks',
  'merchant',
] as const satisfies (keyof PayCheckoutElement)[];

export type Written = Pick<PayCheckoutElement, (typeof WRITTEN)[number] | 'transport'>;

export interface ReadConfig {
  readonly config: Config;
  /** The same text for the same checkout. */
  readonly key: string;
  /** For the page's engineer; the payer sees calmer words. */
  readonly mistakes: readonly string[];
  /** A mistake that leaves nothing to pay with. */
  readonly fatal: boolean;
}

const RAILS: readonly string[] = ['BRE_B', 'PSE'] satisfies Rail[];
const KEY_TYPES: readonly string[] = ['SINGLE_USE', 'QR_CODE'] satisfies KeyType[];

/** Reads the attributes. A wrong optional one is left out and reported; only a missing essential one is fatal. */
export function readConfig(written: Written, pageUrl: string): ReadConfig {
  const mistakes: string[] = [];
  let fatal = false;
  if (!written.backend && !written.transport) {
    fatal = true;
    mistakes.push(
      'Set the "backend" attribute to the address of your checkout endpoints, for example backend="/checkout".',
    );
  }
  if (written.order === '') {
    fatal = true;
    mistakes.push(
      'The "order" attribute is empty. Set it to the order’s token, or leave it out until there is one.',
    );
  }
  const rails = written.rails?.split(/[\s,]+/).filter(Boolean) ?? [];
  const unknown = rails.filter((rail) => !RAILS.includes(rail));
  if (unknown.length > 0) {
    mistakes.push(
      `"rails" has unknown names (${unknown.join(', ')}). Use BRE_B, PSE or both, separated by a space.`,
    );
  }
  if (written.keyType && !KEY_TYPES.includes(written.keyType)) {
    mistakes.push(`"key-type" is "${written.keyType}". Use SINGLE_USE or QR_CODE.`);
  }
  if (written.currency !== 'COP')
    mistakes.push(`"currency" is "${written.currency}". Only COP can be charged.`);
  const { amountInCents } = written;
  if (amountInCents !== null && !isCents(amountInCents)) {
    mistakes.push('"amount-in-cents" is not a whole number of cents above zero; it is ignored.');
  }
  const known = rails.filter((rail): rail is Rail => RAILS.includes(rail));
  return {
    mistakes,
    fatal,
    key: JSON.stringify(WRITTEN.map((name) => written[name])),
    config: {
      order: written.order || null,
      rails: known.length > 0 ? known : null,
      keyType: KEY_TYPES.includes(written.keyType ?? '') ? (written.keyType as KeyType) : null,
      callbackUrl: callbackUrl(written.callbackUrl, pageUrl, mistakes),
      hosted: written.hosted,
      linkMode: written.share ? 'SHOW' : 'FOLLOW',
    },
  };
}

function callbackUrl(given: string | null, pageUrl: string, mistakes: string[]): string {
  const own = withoutReturnId(pageUrl);
  if (!given) return own;
  try {
    const { protocol, href } = new URL(given, pageUrl);
    if (protocol === 'https:' || protocol === 'http:') return href;
  } catch {
    // Said below, with the other ways an address can be wrong.
  }
  mistakes.push('"callback-url" is not a web address; the page’s own address is used instead.');
  return own;
}
