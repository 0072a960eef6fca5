import type { Hint } from './input.js';

/**
 * Reads what this tab remembered. Other versions of the widget, the page and its payer can all write there, so every
 * member is looked at; anything odd is as good as nothing.
 */
export function readHint(value: unknown): Hint | null {
  const { attempt, idempotencyKey, answered, choice } = members(value);
  const { kind, rail, keyType, bank, personType } = members(choice);
  const target = members(attempt);
  const sound =
    (attempt === null || (isKind(target['kind']) && isName(target['id']))) &&
    (idempotencyKey === null || isName(idempotencyKey)) &&
    typeof answered === 'boolean' &&
    (kind === 'PAYMENT_LINK' ||
      (kind === 'PAYIN' &&
        (rail === 'PSE'
          ? isName(bank) && isName(personType)
          : rail === 'BRE_B' && (keyType === 'SINGLE_USE' || keyType === 'QR_CODE'))));
  return sound ? (value as Hint) : null;
}

const members = (value: unknown) => Object(value) as Record<string, unknown>;
const isKind = (value: unknown) => value === 'PAYIN' || value === 'PAYMENT_LINK';
const isName = (value: unknown) => typeof value === 'string' && /^[\w.~-]{1,128}$/.test(value);
