/** The names of what a payment is made by, and of who pays it: for the schemas, which need nothing else of either. */

export const RAILS = ['BRE_B', 'PSE'] as const;
export type Rail = (typeof RAILS)[number];

export const KEY_TYPES = ['SINGLE_USE', 'QR_CODE'] as const;
export type KeyType = (typeof KEY_TYPES)[number];

export const ID_TYPES = ['CO_CC', 'CO_CE', 'CO_NIT', 'MXN_RFC', 'PASSPORT'] as const;
export type IdType = (typeof ID_TYPES)[number];

export const PERSON_TYPES = ['INDIVIDUAL', 'BUSINESS'] as const;
export type PersonType = (typeof PERSON_TYPES)[number];
