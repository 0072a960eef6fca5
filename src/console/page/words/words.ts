import { COMMON_WORDS, type Language } from '../../../look/words.js';
import * as frame from './frame.js';
import * as fields from './fields.js';
import * as sales from './sales.js';
import * as review from './review.js';
import * as out from './out.js';
import * as links from './links.js';

/** The console's texts by area, Spanish first. English has the same shape, so the compiler finds what is missing. */
const es = {
  ...COMMON_WORDS.es,
  ...frame.es,
  ...fields.es,
  ...sales.es,
  ...review.es,
  ...out.es,
  ...links.es,
};

export type Words = typeof es;
export type Fact = keyof Words['facts'];

export const WORDS: Readonly<Record<Language, Words>> = {
  es,
  en: { ...COMMON_WORDS.en, ...frame.en, ...fields.en, ...sales.en, ...review.en, ...out.en, ...links.en },
};
