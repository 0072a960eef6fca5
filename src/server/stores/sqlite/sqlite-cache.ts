import type { OrderRow } from '../store.js';

/** An order as the table has it. `state` is what waiters compare. */
export interface CachedRow {
  readonly key: string;
  readonly state: number;
  readonly row: OrderRow;
}

/** Of the bodies' UTF-16 code units, so about twice as many bytes. */
const mostCharacters = 8_000_000;

/**
 * Orders that were read and have not changed since. A payer asks many times for the same one, and asking SQLite for
 * the version of its file costs a third of asking for the order. The version moves when somebody else commits; what
 * this process writes it must `forget` itself.
 */
export class SqliteCache {
  readonly #rows = new Map<string, CachedRow & { readonly characters: number }>();
  /** Which order a key led to; only those whose order is here count. */
  readonly #owners = new Map<string, string>();
  #characters = 0;
  #version: unknown;

  /** Everything goes when the file has another version than when it was read. */
  enter(version: unknown): void {
    if (version === this.#version) return;
    this.clear();
    this.#version = version;
  }

  read(key: string): CachedRow | undefined {
    return this.#rows.get(key);
  }

  find(ownKey: string): CachedRow | undefined {
    const key = this.#owners.get(ownKey);
    return key === undefined ? undefined : this.#rows.get(key);
  }

  keep(row: CachedRow, characters: number, ownKey?: string): void {
    if (this.#characters + characters > mostCharacters || this.#owners.size > this.#rows.size * 8 + 64)
      this.clear();
    this.forget(row.key);
    this.#rows.set(row.key, { ...row, characters });
    this.#characters += characters;
    if (ownKey !== undefined) this.#owners.set(ownKey, row.key);
  }

  forget(key: string): void {
    const row = this.#rows.get(key);
    if (row === undefined) return;
    this.#rows.delete(key);
    this.#characters -= row.characters;
  }

  clear(): void {
    this.#rows.clear();
    this.#owners.clear();
    this.#characters = 0;
  }
}
