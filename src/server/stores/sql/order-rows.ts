import type { Row } from './database.js';
import { frozenJson } from '../frozen-json.js';
import type { OrderRow } from '../store.js';

/** Orders as a database returns them, with the body as text. */

export function orderFrom(row: Row): OrderRow {
  return { id: String(row['key']), revision: Number(row['revision']), body: frozenJson(String(row['body'])) };
}

/** Of UTF-16 code units: some thousand orders. */
const MOST_CHARACTERS = 4_000_000;

/**
 * Bodies as they were parsed when they were last read, since payers ask many times for what has not changed. The
 * database is asked each time, and only the very same text gets the same body again: none can be out of date, whichever
 * instance wrote.
 */
export class RecentBodies {
  readonly #bodies = new Map<string, { readonly text: string; readonly body: unknown }>();
  #characters = 0;

  orderFrom(row: Row): OrderRow {
    const [id, text] = [String(row['key']), String(row['body'])];
    const known = this.#bodies.get(id);
    if (known?.text === text) return { id, revision: Number(row['revision']), body: known.body };
    const order = orderFrom(row);
    if (this.#characters + text.length > MOST_CHARACTERS) this.clear();
    this.#characters += text.length - (this.#bodies.get(id)?.text.length ?? 0);
    this.#bodies.set(id, { text, body: order.body });
    return order;
  }

  /** When orders are deleted: nothing of them may stay here. */
  clear(): void {
    this.#bodies.clear();
    this.#characters = 0;
  }
}
