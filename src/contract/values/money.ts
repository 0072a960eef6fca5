import { intlLocale } from './intl-locale.js';

/**
 * Money is integer cents. Nothing here divides: amounts become text by moving the point, so no amount passes through a
 * binary fraction. Pesos in the widget's own languages are written here; `Intl` writes the rest, because making its
 * formatters is a third of the work before the first screen.
 */

/** An amount that can be asked of a payer: a whole number of cents, at least one. */
export function isCents(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 1;
}

/** `$ 1.234.567` in Spanish, `COP 1,234,567` in English; cents only when there are any. */
export function formatMoney(amountInCents: number, currency: string, locale: string): string {
  const style = pesoStyle(currency, locale);
  return style
    ? style.sign + grouped(amountInCents, style)
    : format(amountInCents, currency, locale, 'symbol');
}

/** What a screen reader should say instead of "dollars": `1.234.567 pesos colombianos`. */
export function spokenMoney(amountInCents: number, currency: string, locale: string): string {
  const style = pesoStyle(currency, locale);
  if (style) return `${grouped(amountInCents, style)} ${amountInCents === 100 ? style.one : style.many}`;
  // Runtimes disagree on which space joins number and name, and some voices pause at a no-break space.
  return format(amountInCents, currency, locale, 'name').replace(/\s/g, ' ');
}

/**
 * The amount as a payer pastes it into a bank's app: `1234567`, or `12345,67` when there are cents. No
 * grouping, because many amount fields drop what follows a dot; a comma for the cents, because an app that
 * took a dot for grouping would read a hundred times the price.
 */
export function plainAmount(amountInCents: number): string {
  const { pesos, cents } = split(amountInCents);
  return cents === '00' ? pesos : `${pesos},${cents}`;
}

/** `12345.67`: the decimal text that programs read, always with its two cents. */
export function decimalAmount(amountInCents: number): `${number}` {
  const { pesos, cents } = split(amountInCents);
  return `${pesos}.${cents}` as `${number}`;
}

function split(amountInCents: number): { pesos: string; cents: string } {
  if (!Number.isSafeInteger(amountInCents) || amountInCents < 0) {
    throw new RangeError('An amount is a whole number of cents');
  }
  const digits = String(amountInCents).padStart(3, '0');
  return { pesos: digits.slice(0, -2), cents: digits.slice(-2) };
}

interface PesoStyle {
  readonly sign: string;
  readonly group: string;
  readonly point: string;
  readonly one: string;
  readonly many: string;
}

const SPANISH: PesoStyle = {
  sign: '$\u00a0',
  group: '.',
  point: ',',
  one: 'peso colombiano',
  many: 'pesos colombianos',
};
const ENGLISH: PesoStyle = {
  sign: 'COP\u00a0',
  group: ',',
  point: '.',
  one: 'Colombian peso',
  many: 'Colombian pesos',
};

function pesoStyle(currency: string, locale: string): PesoStyle | null {
  if (currency !== 'COP') return null;
  if (/^es\b/i.test(locale)) return SPANISH;
  return /^en\b/i.test(locale) ? ENGLISH : null;
}

/** Digits in threes, and cents only when there are any. */
function grouped(amountInCents: number, { group, point }: PesoStyle): string {
  const { pesos, cents } = split(amountInCents);
  const threes: string[] = [];
  for (let end = pesos.length; end > 0; end -= 3) threes.unshift(pesos.slice(Math.max(end - 3, 0), end));
  const whole = threes.join(group);
  return cents === '00' ? whole : whole + point + cents;
}

function format(
  amountInCents: number,
  currency: string,
  locale: string,
  currencyDisplay: 'symbol' | 'name',
): string {
  // Both bounds: since CLDR 48 the default for COP is 0 digits, which rounds cents away silently.
  const digits = split(amountInCents).cents === '00' ? 0 : 2;
  const tag = intlLocale(locale);
  const key = [tag, currency, currencyDisplay, digits].join();
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(tag, {
      style: 'currency',
      currency,
      currencyDisplay,
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
    formatters.set(key, formatter);
  }
  return formatter.format(decimalAmount(amountInCents));
}

/** Dear to make, and asked for again each second of a countdown. */
const formatters = new Map<string, Intl.NumberFormat>();
