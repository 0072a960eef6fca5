import type { Attempt, Offer } from '../contract/backend.js';
import type { Method } from '../contract/offer.js';
import type { Choice, Config, RememberedChoice } from './input.js';
import type { Offering } from './state.js';

/** Which methods a payer may choose from, and in which order. */

/** Whether the offer has both kinds of Bre-B key. A payer knows one Bre-B, so they are one method then. */
export const hasBothKeys = ({ methods }: Offer): boolean =>
  (['QR_CODE', 'SINGLE_USE'] as const).every((keyType) =>
    methods.some((method) => 'keyType' in method && method.keyType === keyType),
  );

/**
 * The methods that both the offer and the element's attributes allow, in the merchant's order. Of two kinds of key the
 * QR's is asked for, because its answer has the key too.
 */
export function methodsOf(offer: Offer, { rails, keyType, hosted }: Config): Offering['methods'] | null {
  const place = ({ rail }: Method) => (rails && rail ? rails.indexOf(rail) : 0);
  const wantedKey = keyType ?? (hasBothKeys(offer) ? 'QR_CODE' : null);
  const methods = offer.methods.filter(
    (method) =>
      place(method) >= 0 &&
      (method.kind === 'PAYMENT_LINK'
        ? hosted || !offer.methods.some(({ kind }) => kind === 'PAYIN')
        : !hosted && (wantedKey === null || method.rail === 'PSE' || method.keyType === wantedKey)),
  );
  // Sorting is stable: methods of one rail stay as the offer has them.
  methods.sort((one, other) => place(one) - place(other));
  const [first, ...rest] = methods;
  return first ? [first, ...rest] : null;
}

/** Whether two are the same way of paying, as far as both say. */
export function isAlike(
  one: Method | Choice | RememberedChoice | Attempt,
  other: Method | Choice | RememberedChoice | Attempt,
): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'PAYMENT_LINK' || other.kind === 'PAYMENT_LINK') return true;
  const [key, otherKey] = [keyTypeOf(one), keyTypeOf(other)];
  return one.rail === other.rail && (key === otherKey || !key || !otherKey);
}

function keyTypeOf(method: object): unknown {
  const { keyType, sourceData } = method as { keyType?: string; sourceData?: { keyType?: string } | null };
  return keyType ?? sourceData?.keyType;
}
