/** ISO 8601 in UTC or with an offset. */
export const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;
export const LONGEST_TIMESTAMP = 35;

/**
 * Milliseconds since the epoch, or `null` when the text is not a complete timestamp with its offset.
 * `Date.parse` alone accepts dates without a zone (read in the payer's own) and 31 February.
 */
export function parseTimestamp(text: string): number | null {
  if (text.length > LONGEST_TIMESTAMP || !TIMESTAMP.test(text)) return null;
  const written = text.slice(0, 19);
  const utcMs = Date.parse(`${written}Z`);
  // What does not exist (31 February, 24:00) is refused by some engines and moved to the next day by others.
  const exists = !Number.isNaN(utcMs) && new Date(utcMs).toISOString().startsWith(written);
  return exists ? Date.parse(text) : null;
}

/** Midnight in Colombia of a day that is written as `2026-01-31`, or `null` where it is none. */
export const parseDay = (text: string): number | null => parseTimestamp(`${text}T00:00:00-05:00`);
