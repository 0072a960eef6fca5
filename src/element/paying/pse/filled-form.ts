import * as v from 'valibot';
import { PERSON_TYPES } from '../../../contract/kinds.js';
import { createMemory } from '../../../transport/memory.js';
import { typedForm } from '../typed-form.js';

const field = v.optional(v.pipe(v.string(), v.maxLength(256)), '');

/** The form as a payer filled it in. */
const FilledFormSchema = v.object({
  /** Whose payment it was for; in what a device remembers, none. */
  order: field,
  personType: v.picklist(PERSON_TYPES),
  values: v.object({ bank: field, name: field, idType: field, idNumber: field, phone: field, email: field }),
});
export type FilledForm = v.InferOutput<typeof FilledFormSchema>;

const read = (value: unknown): FilledForm => v.parse(FilledFormSchema, value);

/** Until the order is paid or another takes its place. */
export const typedInTab = typedForm(read);

/** With the payer's consent, until the payer or the merchant withdraws it. The name has a space, too. */
export const rememberedOnDevice = createMemory('kept payer', read, () => localStorage);
