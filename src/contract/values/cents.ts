/**
 * Cents for a decimal text with a dot and at most two places, or `null` for any other. Thirteen digits of pesos
 * is as far as a double still tells every cent apart, and keeps the result an exact integer.
 */
export function centsFromDecimal(text: string): number | null {
  const match = /^(\d{1,13})(?:\.(\d{0,2}))?$/.exec(text);
  return match ? Number(`${match[1]}${(match[2] ?? '').padEnd(2, '0')}`) : null;
}

/**
 * Cents for an amount the service states in pesos, or `null` when it is not a whole number of cents. The number's
 * own shortest decimal text is read, never multiplied: 1.1 * 100 is not 110.
 */
export function centsFromPesos(pesos: number): number | null {
  return centsFromDecimal(String(pesos));
}
