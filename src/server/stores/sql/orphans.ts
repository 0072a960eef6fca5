import type { Orphan } from '../store.js';
import type { Rows, SqlDatabase, Steps } from './database.js';
import type { Tables } from './schema.js';

/** Events whose order is not known yet, in their tables. */
export class Orphans {
  readonly #database: SqlDatabase;
  readonly #tables: Tables;

  constructor(database: SqlDatabase, tables: Tables) {
    this.#database = database;
    this.#tables = tables;
  }

  async save(orphan: Orphan): Promise<void> {
    const { orphans, orphanKeys } = this.#tables;
    const body = JSON.stringify(orphan);
    const keys = [...new Set(orphan.keys)];
    await this.#database.transact(function* (): Steps<void> {
      const saved = yield [
        `insert into ${orphans} (key, body, received_at) values (?, ?, ?) on conflict do nothing returning key`,
        orphan.id,
        body,
        Math.trunc(orphan.receivedAt),
      ];
      for (const key of saved.length === 0 ? [] : keys) {
        yield [`insert into ${orphanKeys} (key, orphan_key) values (?, ?)`, key, orphan.id];
      }
    });
  }

  async take(keys: readonly string[]): Promise<Orphan[]> {
    const { orphans, orphanKeys } = this.#tables;
    const { elements, forUpdate } = this.#database.dialect;
    const wanted = JSON.stringify(keys);
    const found = `select orphan_key from ${orphanKeys} where key in (${elements})`;
    // Nearly always there is none, which one read shows.
    if ((await this.#database.read(`${found} limit 1`, wanted)).length === 0) return [];
    const taken = await this.#database.transact(function* (): Steps<Rows> {
      const rows = yield [
        `with found as materialized (select key from ${orphans} where key in (${found}) order by key ${forUpdate})
         delete from ${orphans} where key in (select key from found) returning key, body`,
        wanted,
      ];
      yield* unlink(orphanKeys, elements, rows);
      return rows;
    });
    return taken
      .map((row) => JSON.parse(String(row['body'])) as Orphan)
      .sort((left, right) => left.receivedAt - right.receivedAt);
  }

  async purge(before: number): Promise<void> {
    const { orphans, orphanKeys } = this.#tables;
    const { elements } = this.#database.dialect;
    await this.#database.transact(function* (): Steps<void> {
      const text = `delete from ${orphans} where received_at < ? returning key`;
      yield* unlink(orphanKeys, elements, yield [text, Math.trunc(before)]);
    });
  }
}

function* unlink(orphanKeys: string, elements: string, orphans: Rows): Steps<void> {
  if (orphans.length === 0) return;
  const ids = JSON.stringify(orphans.map((row) => row['key']));
  yield [`delete from ${orphanKeys} where orphan_key in (${elements})`, ids];
}
