import { attemptFacts } from './attempt-view.js';
import type { AttemptRecord, OrderRecord } from './record.js';

/**
 * Attempts as JSON text. A payer asks many times for what has not changed, and with a QR in it an attempt is tens of
 * kilobytes: the text is made once per revision and only the moment of asking is added.
 */

/** Of UTF-16 code units, so about twice as many bytes. */
const CACHE_CHARACTERS = 16_000_000;

interface Entry {
  readonly revision: number;
  readonly head: string;
}

export class AttemptTexts {
  readonly #entries = new Map<string, Entry>();
  #characters = 0;

  /** The attempt of a stored order, as the wire has it. */
  of(record: OrderRecord, revision: number, attempt: AttemptRecord, now: number, waited: boolean): string {
    let entry = this.#entries.get(attempt.id);
    if (entry?.revision !== revision) {
      entry = { revision, head: headOf(record, attempt) };
      this.#keep(attempt.id, entry);
    }
    return complete(entry.head, now, waited);
  }

  #keep(id: string, entry: Entry): void {
    this.#drop(id);
    this.#entries.set(id, entry);
    this.#characters += entry.head.length;
    for (const oldest of this.#entries.keys()) {
      if (this.#characters <= CACHE_CHARACTERS) break;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    const entry = this.#entries.get(id);
    if (entry === undefined) return;
    this.#entries.delete(id);
    this.#characters -= entry.head.length;
  }
}

/** An attempt that was just changed, or is part of something else. */
export function attemptText(record: OrderRecord, attempt: AttemptRecord, now: number): string {
  return complete(headOf(record, attempt), now, false);
}

function headOf(record: OrderRecord, attempt: AttemptRecord): string {
  const facts = { ...attemptFacts(record, attempt), version: String(record.version) };
  return JSON.stringify(facts).slice(0, -1);
}

function complete(head: string, now: number, waited: boolean): string {
  return `${head},"now":"${new Date(now).toISOString()}","waited":${waited}}`;
}
