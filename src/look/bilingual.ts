/**
 * Texts in both languages, each under one name: Spanish, which is the original, then English. A text that takes values
 * is a function that returns both.
 */

export const LANGUAGES = ['es', 'en'] as const;
export type Language = (typeof LANGUAGES)[number];

export type Pair = readonly [es: string, en: string];
/** Names for codes that others write; one that is not here is shown as it is. */
export type Names = Readonly<Record<string, Pair>>;

type Filled = (...values: never[]) => Pair;
export interface Texts {
  readonly [name: string]: Texts | Pair | Filled;
}

export type InLanguage<Of> = Of extends Pair
  ? string
  : Of extends (...values: infer Values) => Pair
    ? (...values: Values) => string
    : { readonly [Name in keyof Of]: InLanguage<Of[Name]> };

/** The texts of each language by itself. */
export function bilingual<Of extends Texts>(texts: Of): Readonly<Record<Language, InLanguage<Of>>> {
  return { es: pick(texts, 0) as InLanguage<Of>, en: pick(texts, 1) as InLanguage<Of> };
}

function pick(texts: Texts[string], language: 0 | 1): unknown {
  if (isPair(texts)) return texts[language];
  if (typeof texts === 'function') return (...values: never[]) => texts(...values)[language];
  return Object.fromEntries(Object.entries(texts).map(([name, each]) => [name, pick(each, language)]));
}

function isPair(texts: Texts[string]): texts is Pair {
  return Array.isArray(texts);
}
