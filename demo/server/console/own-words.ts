import { ConsoleProblemError } from '../../../src/console.js';
import { newReference } from './reference.js';

/**
 * What a merchant writes on a link or a payout. The reference goes to the service, which returns it in its events; the
 * interface has no field for a concept or a note, so these stay in the merchant's own database.
 */
export interface OwnWords {
  readonly reference: string;
  /** What the payer pays for: on the poster and in the message. */
  readonly concept: string | null;
  /** For the merchant alone. */
  readonly note: string | null;
}

interface Fault {
  readonly field: string;
  readonly code: string;
}

/** As long as the service takes. */
const LONGEST_REFERENCE = 128;
const LONGEST_CONCEPT = 80;
const LONGEST_NOTE = 500;

/** Without a reference of their own they get one that begins with `prefix`. */
export function readOwnWords(
  body: unknown,
  prefix: string,
): { readonly words: OwnWords; readonly faults: readonly Fault[] } {
  const given = Object(body) as Record<string, unknown>;
  const faults: Fault[] = [];
  const take = (field: string, longest: number): string | null => {
    const value = given[field] ?? '';
    const text = typeof value === 'string' ? value.trim() : '';
    if (typeof value !== 'string') faults.push({ field, code: 'wrong_type' });
    else if (text.length > longest) faults.push({ field, code: 'too_long' });
    else if (/[\p{Cc}\p{Cs}]/u.test(text)) faults.push({ field, code: 'format' });
    return text === '' ? null : text;
  };
  const reference = take('reference', LONGEST_REFERENCE);
  // PSE takes neither in a reference.
  if (reference !== null && /[|"]/.test(reference)) faults.push({ field: 'reference', code: 'format' });
  const isOwn = reference !== null && !faults.some(({ field }) => field === 'reference');
  const words = {
    reference: isOwn ? reference : newReference(prefix),
    concept: take('concept', LONGEST_CONCEPT),
    note: take('note', LONGEST_NOTE),
  };
  return { words, faults };
}

/** A note that was written later, or null when it was taken away. */
export function readNote(body: unknown): string | null {
  const { note } = Object(body) as { note?: unknown };
  const { words, faults } = readOwnWords({ note }, '');
  if (faults.length > 0) throw new ConsoleProblemError('invalid_input', faults);
  return words.note;
}

/** A reference tells one thing from all others. */
export function referenceTaken(): ConsoleProblemError {
  return new ConsoleProblemError('invalid_input', [{ field: 'reference', code: 'taken' }]);
}
