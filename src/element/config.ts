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
  'bank',
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

/** An attribute that is missing or wrong; `mistakes.ts` says how to mend it. */
export type Mistake =
  'backend' | 'order' | 'rails' | 'key-type' | 'currency' | 'amount-in-cents' | 'callback-url' | 'finish-url';

export interface ReadConfig {
  readonly config: Config;
  /** The same text for the same checkout. */
  readonly key: string;
  /** For the page's engineer; the payer sees calmer words. */
  readonly mistakes: readonly Mistake[];
  /** A mistake that leaves nothing to pay with. */
  readonly fatal: boolean;
}

const KEY_TYPES: readonly string[] = ['SINGLE_USE', 'QR_CODE'] satisfies KeyType[];

/** The names as written, separated by spaces or commas. */
export const namesIn = (list: string | null): string[] => list?.split(/[\s,]+/).filter(Boolean) ?? [];

export const isRail = (name: string): name is Rail => name === 'BRE_B' || name === 'PSE';

/** Reads the attributes. A wrong optional one is left out and reported; only a missing essential one is fatal. */
export function readConfig(written: Written, pageUrl: string): ReadConfig {
  const { order, keyType, amountInCents } = written;
  const named = namesIn(written.rails);
  const rails = named.filter(isRail);
  const callbackUrl = webAddress(written.callbackUrl ?? '', pageUrl);
  const knownKeyType = KEY_TYPES.includes(keyType ?? '');
  const checks: readonly [Mistake, boolean][] = [
    ['backend', !written.backend && !written.transport],
    ['order', order === ''],
    ['rails', rails.length < named.length],
    ['key-type', Boolean(keyType) && !knownKeyType],
    ['currency', written.currency !== 'COP'],
    ['amount-in-cents', amountInCents !== null && !isCents(amountInCents)],
    ['callback-url', Boolean(written.callbackUrl) && callbackUrl === null],
  ];
  const mistakes = checks.filter(([, wrong]) => wrong).map(([mistake]) => mistake);
  return {
    mistakes,
    fatal: mistakes.includes('backend') || mistakes.includes('order'),
    key: JSON.stringify(WRITTEN.map((name) => written[name])),
    config: {
      order: order || null,
      rails: rails.length > 0 ? rails : null,
      keyType: knownKeyType ? (keyType as KeyType) : null,
      bank: written.bank,
      callbackUrl: callbackUrl ?? withoutReturnId(pageUrl),
      hosted: written.hosted,
      linkMode: written.share ? 'SHOW' : 'FOLLOW',
    },
  };
}

/** What the page wrote as an address of the web, or null. */
export function webAddress(written: string, pageUrl: string): string | null {
  try {
    const { protocol, href } = new URL(written, pageUrl);
    return written && /^https?:$/.test(protocol) ? href : null;
  } catch {
    return null;
  }
}
