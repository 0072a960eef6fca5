import type { Clock } from '../../service/clock.js';
import type { AnyRecord } from './state.js';

export type Table<R extends AnyRecord> = ReturnType<typeof createTable<R>>;

interface Version<R> {
  readonly atMs: number;
  readonly record: R;
}

/** More versions than any payment goes through. */
const MAX_VERSIONS = 16;

/** All records of one kind, in the order they were made, each with what it was before. */
export function createTable<R extends AnyRecord>(
  clock: Clock,
  changed: (record: R) => void,
  maxRecords = Number.POSITIVE_INFINITY,
) {
  const versions = new Map<string, Version<R>[]>();
  const ids = new Map<number, string>();
  let lastSequence = 0;

  const latest = (id: string) => versions.get(id)?.at(-1)?.record;
  const oldestFirst = () => [...versions.keys()].flatMap((id) => latest(id) ?? []);

  return {
    get size(): number {
      return versions.size;
    },
    get: latest,
    /** Records are numbered from 1 without gaps, unless old ones were dropped. */
    atSequence: (sequence: number) => latest(ids.get(sequence) ?? ''),
    nextSequence: () => lastSequence + 1,
    put(record: R): R {
      const known = versions.get(record.id) ?? [];
      versions.set(record.id, [...known.slice(1 - MAX_VERSIONS), { atMs: clock.now(), record }]);
      ids.set(record.sequence, record.id);
      lastSequence = Math.max(lastSequence, record.sequence);
      if (versions.size > maxRecords) {
        const [oldest] = versions.keys();
        if (oldest !== undefined) {
          ids.delete(latest(oldest)?.sequence ?? 0);
          versions.delete(oldest);
        }
      }
      changed(record);
      return record;
    },
    /** The record as it was at an instant, or undefined when it was not there yet. */
    asOf: (id: string, atMs: number) => versions.get(id)?.findLast((version) => version.atMs <= atMs)?.record,
    newestFirst: () => oldestFirst().reverse(),
    oldestFirst,
    clear(): void {
      versions.clear();
      ids.clear();
      lastSequence = 0;
    },
  };
}
