import { isCents } from '../contract/values/money.js';
import { withoutReturnId } from '../contract/return-id.js';
import { KEY_TYPES, RAILS, type Rail } from '../contract/kinds.js';
import type { Config } from '../machine/input.js';
import type { Transport } from '../transport/port.js';
import type { CheckoutProperties } from './properties.js';

/** What makes a checkout, as the page wrote it. Another value makes another checkout. */
const WRITTEN = [
  'order',
  'backend',
  'level',
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
  'apps',
  'merchantName',
  'privacyUrl',
  'termsUrl',
  'merchant',
] as const satisfies (keyof CheckoutProperties)[];

export type Written = Pick<CheckoutProperties, (typeof WRITTEN)[number] | 'transport'>;

export interface ReadConfig {
  readonly config: Config;
  /** The same text for the same checkout, unless it has another transport. */
  readonly key: string;
  readonly transport: Transport | null;
  /** Sentences for the page's engineer; the payer sees calmer ones. */
  readonly mistakes: readonly string[];
  /** A mistake that leaves nothing to pay with. */
  readonly fatal: boolean;
}

/** The names as written, separated by spaces or commas. */
export const namesIn = (list: string | null): string[] => list?.split(/[\s,]+/).filter(Boolean) ?? [];

const isRail = (name: string): name is Rail => (RAILS as readonly string[]).includes(name);

/** Reads the attributes. A wrong optional one is left out and reported; only a missing essential one is fatal. */
export function readConfig(written: Written, pageUrl: string): ReadConfig {
  const { order, keyType, amountInCents, currency } = written;
  const named = namesIn(written.rails);
  const rails = named.filter(isRail);
  const unknownRails = named.filter((name) => !isRail(name));
  const callbackUrl = pageAddress(written.callbackUrl ?? '', pageUrl);
  const knownKeyType = KEY_TYPES.find((each) => each === keyType) ?? null;
  const nowhereToAsk = !written.backend && !written.transport;
  const emptyOrder = order === '';

  const mistakes: string[] = [];
  if (nowhereToAsk) {
    mistakes.push(
      'Set the "backend" attribute to the address of your checkout endpoints, for example backend="/checkout".',
    );
  }
  if (emptyOrder) {
    mistakes.push(
      'The "order" attribute is empty. Set it to the order’s token, or leave it out until there is one.',
    );
  }
  if (unknownRails.length > 0) {
    mistakes.push(
      `"rails" has unknown names (${unknownRails.join(', ')}). Use BRE_B, PSE or both, separated by a space.`,
    );
  }
  if (written.level && !['basic', 'full'].includes(written.level)) {
    mistakes.push(`"level" is "${written.level}". Use basic or full.`);
  }
  if (keyType && !knownKeyType) mistakes.push(`"key-type" is "${keyType}". Use SINGLE_USE or QR_CODE.`);
  if (currency !== 'COP') mistakes.push(`"currency" is "${currency}". Only COP can be charged.`);
  if (amountInCents !== null && !isCents(amountInCents)) {
    mistakes.push('"amount-in-cents" is not a whole number of cents above zero; it is ignored.');
  }
  if (written.callbackUrl && callbackUrl === null) {
    mistakes.push('"callback-url" is not a web address; the page’s own address is used instead.');
  }

  return {
    mistakes,
    fatal: nowhereToAsk || emptyOrder,
    key: JSON.stringify(WRITTEN.map((name) => written[name])),
    transport: written.transport,
    config: {
      order: order || null,
      rails: rails.length > 0 ? rails : null,
      keyType: knownKeyType,
      bank: written.bank,
      callbackUrl: callbackUrl ?? withoutReturnId(pageUrl),
      hosted: written.hosted,
      linkMode: written.share ? 'SHOW' : 'FOLLOW',
    },
  };
}

/** What the page wrote as an address of the web, or null. */
export function pageAddress(written: string, pageUrl: string): string | null {
  try {
    const { protocol, href } = new URL(written, pageUrl);
    return written && /^https?:$/.test(protocol) ? href : null;
  } catch {
    return null;
  }
}
