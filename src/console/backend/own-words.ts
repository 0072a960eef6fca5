import type { FieldFault } from '../../contract/console.js';
import { ConsoleProblemError } from './problem.js';

/**
 * What a merchant writes on a link or a payout. The reference goes to the service, which returns it in its events; the
 * interface has no field for a concept or a note, so these stay in the merchant's own database.
 */
export interface OwnWords {
  readonly reference: string | null;
  /** What the payer pays for: on the poster and in the message. */
  readonly concept: string | null;
  /** For the merchant alone. */
  readonly note: string | null;
}

const LONGEST = { reference: 64, concept: 80, note: 500 } as const;

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
