import * as v from 'valibot';
import { PERSON_TYPES } from '../../contract/payer/kinds.js';
import { createMemory } from '../../transport/memory.js';

const field = v.optional(v.pipe(v.string(), v.maxLength(256)), '');

/** The form as a payer filled it in. */
const FilledSchema = v.object({
  /** Whose payment it was for; in what a device keeps, none. */
  order: field,
  personType: v.picklist(PERSON_TYPES),
  values: v.object({ bank: field, name: field, idType: field, idNumber: field, phone: field, email: field }),
});
export type Filled = v.InferOutput<typeof FilledSchema>;

const read = (value: unknown): Filled => v.parse(FilledSchema, value);

/** Until the order is paid or another takes its place. The names have a space, which no order's token has. */
export const typedInTab = createMemory('typed form', read, () => sessionStorage);

/** With the payer's consent, until the payer or the merchant withdraws it. */
export const keptOnDevice = createMemory('kept payer', read, () => localStorage);
