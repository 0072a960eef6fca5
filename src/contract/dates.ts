import { intlLocale } from './intl-locale.js';

const TIMESTAMP = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?(?:Z|([+-])(\d\d):(\d\d))$/;
const LONGEST_TIMESTAMP = 35;

/**
 * Milliseconds since the epoch, or `null` when the text is not a complete timestamp with its offset.
 * `Date.parse` alone accepts dates without a zone (read in the payer's own) and 31 February.
 */
export function parseTimestamp(text: string): number | null {
  if (text.length > LONGEST_TIMESTAMP) return null;
  const match = TIMESTAMP.exec(text);
  if (!match) return null;
  const part = (index: number) => Number(match[index] ?? 0);
  const [year, month, day, hour, minute, second] = [part(1), part(2), part(3), part(4), part(5), part(6)];
  if (hour > 23 || minute > 59 || second > 59 || part(9) > 23 || part(10) > 59) return null;

  const date = new Date(0);
  // Not Date.UTC, which takes the years 0 to 99 for the twentieth century.
  date.setUTCFullYear(year, month - 1, day);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== day) return null;
  date.setUTCHours(hour, minute, second, Number((match[7] ?? '').slice(0, 3).padEnd(3, '0')));

  const offsetMs = (part(9) * 60 + part(10)) * 60_000;
  return date.getTime() - (match[8] === '-' ? -offsetMs : offsetMs);
}

/**
 * A timestamp as a receipt shows it, in Colombian time wherever the payer is. Text that is no timestamp is
 * shown as it came: a receipt with an odd date is better than no receipt.
 */
export function formatTimestamp(text: string, locale: string): string {
  const epochMs = parseTimestamp(text);
  return epochMs === null ? text : formatter(intlLocale(locale)).format(epochMs);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatter(tag: string): Intl.DateTimeFormat {
  let found = formatters.get(tag);
  if (!found) {
    found = new Intl.DateTimeFormat(tag, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'America/Bogota',
    });
    formatters.set(tag, found);
  }
  return found;
}
