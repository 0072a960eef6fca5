import * as v from 'valibot';
import { KEY_TYPES, PERSON_TYPES } from '../../contract/kinds.js';
import { identifier } from '../../contract/fields.js';
import type { Hint } from '../../machine/input.js';

const HintSchema = v.object({
  attempt: v.nullable(v.object({ kind: v.picklist(['PAYIN', 'PAYMENT_LINK']), id: identifier })),
  idempotencyKey: v.nullable(identifier),
  answered: v.boolean(),
  choice: v.union([
    v.object({ kind: v.literal('PAYIN'), rail: v.literal('BRE_B'), keyType: v.picklist(KEY_TYPES) }),
    v.object({
      kind: v.literal('PAYIN'),
      rail: v.literal('PSE'),
      bank: identifier,
      personType: v.picklist(PERSON_TYPES),
    }),
    v.object({ kind: v.literal('PAYMENT_LINK') }),
  ]),
});

/**
 * Reads what this tab remembered. Other versions of the widget, the page and its payer can all write there, so every
 * member is checked; anything odd throws.
 */
export function readHint(value: unknown): Hint {
  return v.parse(HintSchema, value);
}
