import type { AttemptRecord, OrderRecord, Submission, SubmissionDraft, UnverifiedEvent } from './record.js';

/**
 * The record as the store keeps it, under the names of the first release: during an upgrade old and new instances share
 * a database, so each must read what the other writes. A new field is optional here and gets its default in `fromStored`.
 */
export interface StoredRecord extends Omit<OrderRecord, 'attempts'> {
  readonly format: 1;
  readonly attempts: readonly StoredAttempt[];
}

interface StoredAttempt extends Omit<AttemptRecord, 'draft' | 'submissions' | 'disclosed'> {
  readonly draft: StoredDraft | null;
  readonly calls: readonly StoredSubmission[];
  readonly shown: string | null;
}

interface StoredDraft extends Omit<SubmissionDraft, 'nextSubmissionAt'> {
  readonly nextCallAt: number | null;
}

interface StoredSubmission extends Omit<Submission, 'unverifiedEvents'> {
  readonly hints: readonly UnverifiedEvent[];
}

/** @throws Error when the row is of a format this release does not know: money is not guessed at. */
export function fromStored(body: unknown): OrderRecord {
  const { format, ...record } = body as StoredRecord;
  if (format !== 1) throw new Error('An order was written by another version of the kit');
  return {
    ...record,
    attempts: record.attempts.map(({ draft, calls, shown, ...attempt }) => ({
      ...attempt,
      draft: draft && readDraft(draft),
      submissions: calls.map(({ hints, ...submission }) => ({ ...submission, unverifiedEvents: hints })),
      disclosed: shown,
    })),
  };
}

function readDraft({ nextCallAt, ...draft }: StoredDraft): SubmissionDraft {
  return { ...draft, nextSubmissionAt: nextCallAt };
}

export function toStored(record: OrderRecord): StoredRecord {
  return {
    ...record,
    format: 1,
    attempts: record.attempts.map(({ draft, submissions, disclosed, ...attempt }) => ({
      ...attempt,
      draft: draft && writeDraft(draft),
      calls: submissions.map(({ unverifiedEvents, ...submission }) => ({
        ...submission,
        hints: unverifiedEvents,
      })),
      shown: disclosed,
    })),
  };
}

function writeDraft({ nextSubmissionAt, ...draft }: SubmissionDraft): StoredDraft {
  return { ...draft, nextCallAt: nextSubmissionAt };
}
