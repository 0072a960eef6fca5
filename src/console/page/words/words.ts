import { bilingual } from '../../../look/bilingual.js';
import { COMMON_TEXTS } from '../../../look/words.js';
import { frame } from './frame.js';
import { fields } from './fields.js';
import { sales } from './sales.js';
import { review } from './review.js';
import { out } from './out.js';
import { links } from './links.js';

/** The console's texts by area. */
export const WORDS = bilingual({
  ...COMMON_TEXTS,
  ...frame,
  ...fields,
  ...sales,
  ...review,
  ...out,
  ...links,
});

export type Words = (typeof WORDS)['es'];
export type Fact = keyof Words['facts'];
