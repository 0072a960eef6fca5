import type { Hint } from '../machine/input.js';
import { flag, identifier, keyType, object, one, orNull, rail, variant } from '../transport/guard.js';

/**
 * Reads what this tab remembered. Other versions of the widget, the page and its payer can all write there, so every
 * member is looked at; anything odd throws.
 */
export const readHint = object({
  attempt: orNull(object({ kind: one('PAYIN PAYMENT_LINK'), id: identifier })),
  idempotencyKey: orNull(identifier),
  answered: flag,
  choice: variant(
    object({ kind: one('PAYMENT_LINK') }),
    object({ kind: one('PAYIN'), rail, bank: identifier, personType: identifier }),
    object({ kind: one('PAYIN'), rail, keyType }),
  ),
}) as (value: unknown) => Hint;
