import * as v from 'valibot';
import type { FieldFault } from '../../contract/merchant/console.js';
import { LONGEST_NOTE } from '../../contract/merchant/payouts.js';
import { read } from '../../contract/schema.js';
import { parseDay } from '../../contract/values/dates.js';
import { ATTEMPT_STATES, type AttemptsQuery } from './attempts.js';
import { ConsoleProblemError } from './problem.js';

/** What the console's page may ask and send, read at the edge. */

const DAY_MS = 86_400_000;

/** The first moment of a day. */
const day = v.pipe(
  v.string(),
  v.transform(parseDay),
  v.number(),
  v.transform((at) => new Date(at)),
);

const AttemptsSchema = v.object({
  from: v.optional(day),
  /** The last day, which is part of it. */
  to: v.optional(day),
  rail: v.optional(v.picklist(['BRE_B', 'PSE', 'PAYMENT_LINK'])),
  state: v.optional(v.picklist(ATTEMPT_STATES)),
  search: v.optional(v.pipe(v.string(), v.maxLength(128))),
  after: v.optional(v.pipe(v.string(), v.maxLength(256))),
});

export const HandledSchema = v.object({
  item: v.pipe(v.string(), v.minLength(1), v.maxLength(512)),
  note: v.optional(v.pipe(v.string(), v.trim(), v.maxLength(LONGEST_NOTE))),
});

export const RepeatSchema = v.object({ notice: v.pipe(v.string(), v.minLength(1), v.maxLength(512)) });

export const ReconcileSchema = v.object({ from: day, to: day });

/** An empty parameter counts as absent. */
export function readQuery<Schema extends v.GenericSchema>(
  schema: Schema,
  search: URLSearchParams,
): v.InferOutput<Schema> {
  return readBody(schema, Object.fromEntries([...search].filter(([, value]) => value !== '')));
}

export function readAttemptsQuery(search: URLSearchParams): { query: AttemptsQuery; after?: string } {
  const { from, to, after, ...rest } = readQuery(AttemptsSchema, search);
  const query = {
    ...(from !== undefined && { from }),
    ...(to !== undefined && { until: endOf(to) }),
    ...Object.fromEntries(Object.entries(rest).filter(([, value]) => value !== undefined)),
  };
  return { query, ...(after !== undefined && { after }) };
}

/** The first moment after a day, which is given by its first. */
export function endOf(day: Date): Date {
  return new Date(day.getTime() + DAY_MS);
}

export function readBody<Schema extends v.GenericSchema>(
  schema: Schema,
  body: unknown,
): v.InferOutput<Schema> {
  const reading = read(schema, body);
  if (!reading.ok) throw new ConsoleProblemError('invalid_input', reading.errors);
  return reading.value;
}

/**
 * What a merchant writes on a link or a payout. The reference goes to the service, which returns it in its events.
 * The interface has no field for a concept, which goes out in a reference that the kit makes, or for a note, which
 * stays in the merchant's own database.
 */
interface OwnWords {
  readonly reference: string | null;
  /** What the payer pays for: on the poster and in the message. */
  readonly concept: string | null;
  /** For the merchant alone. */
  readonly note: string | null;
}

const LONGEST = { reference: 64, concept: 80, note: LONGEST_NOTE } as const;

export function readWords(body: unknown): {
  readonly words: OwnWords;
  readonly faults: readonly FieldFault[];
} {
  const given = Object(body) as Record<string, unknown>;
  const faults: FieldFault[] = [];
  const take = (field: keyof OwnWords): string | null => {
    const value = given[field] ?? '';
    const text = typeof value === 'string' ? value.trim() : '';
    if (typeof value !== 'string') faults.push({ field, code: 'wrong_type' });
    else if (text.length > LONGEST[field]) faults.push({ field, code: 'too_long' });
    else if (/[\p{Cc}\p{Cs}]/u.test(text)) faults.push({ field, code: 'format' });
    return text === '' ? null : text;
  };
  return {
    words: { reference: take('reference'), concept: take('concept'), note: take('note') },
    faults,
  };
}

/** A note that was written later, or null when it was taken away. */
export function readNote(body: unknown): string | null {
  const { note } = Object(body) as { note?: unknown };
  const { words, faults } = readWords({ note });
  if (faults.length > 0) throw new ConsoleProblemError('invalid_input', faults);
  return words.note;
}
