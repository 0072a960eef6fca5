import { colombianDay } from '../../contract/values/moment.js';
import type { Language } from '../bilingual.js';

/** Money, times and addresses as people read them. Times are Colombian wherever the reader is. */

const LOCALES = { es: 'es-CO', en: 'en-US' } as const satisfies Record<Language, string>;

export function money(amountInCents: number, language: Language): string {
  const digits = amountInCents % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat(LOCALES[language], {
    style: 'currency',
    currency: 'COP',
    currencyDisplay: language === 'es' ? 'symbol' : 'code',
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amountInCents / 100);
}

/** Cents for pesos as the reader types them, with either language's separators, or null when it is no amount. */
export function centsOf(text: string, language: Language): number | null {
  const typed = text.replace(/[\s$]/g, '').replace(/^COP/i, '');
  const pattern =
    language === 'es'
      ? /^(\d{1,11}|\d{1,3}(?:\.\d{3}){1,3})(?:,(\d{1,2}))?$/
      : /^(\d{1,11}|\d{1,3}(?:,\d{3}){1,3})(?:\.(\d{1,2}))?$/;
  const match = pattern.exec(typed);
  if (!match) return null;
  const cents = Number((match[1] ?? '').replace(/[.,]/g, '') + (match[2] ?? '').padEnd(2, '0'));
  return cents > 0 ? cents : null;
}

/** An amount as a person types it into a field: `centsOf` reads it back. */
export function typedAmount(amountInCents: number, language: Language): string {
  const digits = amountInCents % 100 === 0 ? 0 : 2;
  return new Intl.NumberFormat(LOCALES[language], {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  }).format(amountInCents / 100);
}

/** A whole number with its thousands apart. */
export function count(value: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language]).format(value);
}

/** Money where there is little room: 1,2 M. */
export function thousands(amountInCents: number, language: Language): string {
  return new Intl.NumberFormat(LOCALES[language], { notation: 'compact', maximumFractionDigits: 1 }).format(
    amountInCents / 100,
  );
}

/** How long something took, in the two largest units that say something. */
export function duration(ms: number, language: Language): string {
  const seconds = Math.round(ms / 1_000);
  const unit = (value: number, name: 'hour' | 'minute' | 'second') =>
    new Intl.NumberFormat(LOCALES[language], { style: 'unit', unit: name, unitDisplay: 'short' }).format(
      value,
    );
  if (seconds < 60) return unit(seconds, 'second');
  const isLong = seconds >= 3_600;
  const small = isLong ? Math.round(seconds / 60) : seconds;
  const large = unit(Math.floor(small / 60), isLong ? 'hour' : 'minute');
  return small % 60 === 0 ? large : `${large} ${unit(small % 60, isLong ? 'minute' : 'second')}`;
}

/** A date without a time, as the days of the figures are. */
export function day(date: string, language: Language): string {
  return new Intl.DateTimeFormat(LOCALES[language], {
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
  }).format(Date.parse(`${date}T00:00:00Z`));
}

/** The date in Colombia, as date fields want it. */
export function today(): string {
  return colombianDay(Date.now());
}

export function moment(text: string, language: Language): string {
  return show(text, { dateStyle: 'medium', timeStyle: 'medium' }, language);
}

export function shortMoment(text: string, language: Language): string {
  return show(text, { day: 'numeric', month: 'short', hour: 'numeric', minute: '2-digit' }, language);
}

export function clockTime(text: string, language: Language): string {
  return show(text, { timeStyle: 'medium' }, language);
}

function show(text: string, options: Intl.DateTimeFormatOptions, language: Language): string {
  const at = Date.parse(text);
  if (Number.isNaN(at)) return text;
  const words = new Intl.DateTimeFormat(LOCALES[language], { ...options, timeZone: 'America/Bogota' });
  // A line may end between the day and the hour, not within either.
  return words.format(at).replace(/(?<!,)\s/g, '\u00a0');
}

/** A web address that is safe to link to, or null. */
export function webAddress(text: string | null): string | null {
  if (text === null || !URL.canParse(text)) return null;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && username === '' && password === '' ? href : null;
}

/** JSON on several lines, or the text as it came. */
export function pretty(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), null, 2);
  } catch {
    return json;
  }
}
