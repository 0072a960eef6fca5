import { intlLocale } from './intl-locale.js';

/** Colombia's clocks have kept this offset all year since 1993. */
export const COLOMBIA_MS = -5 * 3_600_000;

const MONTHS = [
  'enero',
  'febrero',
  'marzo',
  'abril',
  'mayo',
  'junio',
  'julio',
  'agosto',
  'septiembre',
  'octubre',
  'noviembre',
  'diciembre',
];

/**
 * A moment in Colombia, wherever the payer is: `9:04 p. m.`, or with its day. Spanish is written here and `Intl` writes
 * the rest, as with money: the first formatter of a page would block it for longer than all else of its last screen.
 */
export function formatMoment(epochMs: number, locale: string, dateStyle?: 'long'): string {
  // A receipt with an odd date is better than no receipt.
  if (Number.isNaN(epochMs)) return '';
  const tag = intlLocale(locale);
  if (tag !== 'es-CO') {
    const format = {
      ...(dateStyle && { dateStyle }),
      timeStyle: 'short',
      timeZone: 'America/Bogota',
    } as const;
    return new Intl.DateTimeFormat(tag, format).format(epochMs);
  }
  const there = new Date(epochMs + COLOMBIA_MS);
  const hour = there.getUTCHours();
  const minute = String(there.getUTCMinutes()).padStart(2, '0');
  // An hour is never broken between "p." and "m.".
  const time = `${hour % 12 || 12}:${minute}\u00a0${hour < 12 ? 'a' : 'p'}.\u00a0m.`;
  const month = MONTHS[there.getUTCMonth()];
  return dateStyle ? `${there.getUTCDate()} de ${month} de ${there.getUTCFullYear()}, ${time}` : time;
}

/** `2026-11-18T14:05:00` on Colombian clocks. */
export function colombianTime(epochMs: number): string {
  return new Date(epochMs + COLOMBIA_MS).toISOString().slice(0, 19);
}

export function colombianDay(epochMs: number): string {
  return colombianTime(epochMs).slice(0, 10);
}
