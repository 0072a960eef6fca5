/** Kinds of documents and of payers, for the schemas, which need nothing of how they are checked (`identity.ts`). */

export const ID_TYPES = ['CO_CC', 'CO_CE', 'CO_NIT', 'MXN_RFC', 'PASSPORT'] as const;
export type IdType = (typeof ID_TYPES)[number];

export const PERSON_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;
export type PersonType = (typeof PERSON_TYPES)[number];
