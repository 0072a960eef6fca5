import { centsFromDecimal } from '../../contract/values/cents.js';
import { isCents } from '../../contract/values/money.js';

/** Cents for pesos as people here type them: `120000`, `120000,50`, `120.000`; null for anything else. */
export function centsFromTyped(text: string): number | null {
  const typed = text.trim().slice(0, 24);
  const grouped = /^\d{1,3}(?:\.\d{3})+(?:,\d{1,2})?$/.test(typed);
  const cents = centsFromDecimal((grouped ? typed.replaceAll('.', '') : typed).replace(',', '.'));
  return isCents(cents) ? cents : null;
}
