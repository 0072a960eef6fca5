import type { Language } from './bilingual.js';

/**
 * Why a payment ended without money, in words. The service's document names no codes, so a code is understood by what
 * it contains; the code itself belongs into a tooltip or a column of its own.
 */

type Reason = readonly [part: RegExp, words: Readonly<Record<Language, string>>];

const REASONS: readonly Reason[] = [
  [/FUND/i, { es: 'Fondos insuficientes', en: 'Insufficient funds' }],
  [/AMOUNT|LIMIT|CEILING/i, { es: 'El valor no se acepta', en: 'The amount is not accepted' }],
  [/CANCEL/i, { es: 'Quien paga canceló', en: 'Canceled by the payer' }],
  [/EXPIR|TIME/i, { es: 'Se acabó el tiempo', en: 'The time was up' }],
  [/DECLIN|REJECT|DENIED/i, { es: 'Rechazado por el banco', en: 'Declined by the bank' }],
  [/UNAVAILABLE|NETWORK|RATE_LIMITED/i, { es: 'El servicio no respondió', en: 'The service did not answer' }],
  [/REFUSED|INVALID|UNAUTHORIZED/i, { es: 'El servicio no lo aceptó', en: 'The service did not accept it' }],
  [/REPLACED/i, { es: 'Cambió de medio de pago', en: 'Another method was chosen' }],
];
const OTHER: Reason[1] = { es: 'Otro motivo', en: 'Another reason' };

export function reasonWords(code: string, language: Language): string {
  return (REASONS.find(([part]) => part.test(code))?.[1] ?? OTHER)[language];
}
