import { attemptFacts } from '../orders/attempt-view.js';
import { watchedDueAt } from '../orders/next-task.js';
import type { StoredOrder } from '../order-repository.js';
import { attemptById, type AttemptRecord, type OrderRecord } from '../orders/record.js';

/**
 * Attempts as JSON text. A payer asks many times for what has not changed, and with a QR in it an attempt is tens of
 * kilobytes: what depends on the record alone is worked out once per revision, and only the moment of asking is added.
 */
class AttemptText {
  readonly revision: number;
  readonly kind: AttemptRecord['choice']['kind'];
  /** When somebody should look at the order's payments, now that a payer does. */
  readonly lookAt: number;
  readonly #head: string;

  constructor({ record, revision }: StoredOrder, attempt: AttemptRecord) {
    this.revision = revision;
    this.kind = attempt.choice.kind;
    this.lookAt = watchedDueAt(record) ?? Infinity;
    this.#head = headOf(record, attempt);
  }

  get length(): number {
    return this.#head.length;
  }

  at(now: number, waited: boolean): string {
    return complete(this.#head, now, waited);
  }
}

/** Of UTF-16 code units, so at most twice as many bytes. */
const CACHE_CHARACTERS = 16_000_000;

export class AttemptTexts {
  readonly #texts = new Map<string, AttemptText>();
  #characters = 0;

  /** The attempt of a stored order; undefined when it is of another kind. */
  of(order: StoredOrder, id: string, kind: AttemptText['kind']): AttemptText | undefined {
    let text = this.#texts.get(id);
    if (text?.revision !== order.revision) {
      const attempt = attemptById(order.record, id);
      if (attempt === undefined) return undefined;
      text = new AttemptText(order, attempt);
      this.#keep(id, text);
    }
    return text.kind === kind ? text : undefined;
  }

  #keep(id: string, text: AttemptText): void {
    this.#drop(id);
    this.#texts.set(id, text);
    this.#characters += text.length;
    for (const oldest of this.#texts.keys()) {
      if (this.#characters <= CACHE_CHARACTERS) break;
      this.#drop(oldest);
    }
  }

  #drop(id: string): void {
    this.#characters -= this.#texts.get(id)?.length ?? 0;
    this.#texts.delete(id);
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
  // Under load many answers fall into one millisecond, and writing a date costs more than the rest of the answer.
  if (now !== latest.now) latest = { now, text: new Date(now).toISOString() };
  return `${head},"now":"${latest.text}","waited":${waited}}`;
}

let latest = { now: 0, text: new Date(0).toISOString() };
