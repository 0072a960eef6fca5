/** What the store asks of a PostgreSQL driver. `fromPg` and `fromPostgresJs` make it of the common ones. */
export interface PostgresPort {
  /** Runs one parameterised statement (`$1`, `$2`, …) on any connection. */
  readonly query: PostgresQuery;

  /**
   * Runs the work on one connection between `begin isolation level read committed` and `commit`; rolls back and throws
   * what the work threw. An error of the server carries its five-character SQLSTATE as `code`.
   */
  transaction<Result>(work: (query: PostgresQuery) => Promise<Result>): Promise<Result>;

  /**
   * Listens to a channel on a connection of its own, and returns how to stop. Resolves once the server listens. `onLost` is
   * to be called when messages may have been missed; the store then stops this and listens anew. Without `listen` the
   * store asks for changes each second while there are waiters.
   */
  readonly listen?: (
    channel: string,
    onMessage: (payload: string) => void,
    onLost: () => void,
  ) => Promise<() => Promise<void>>;
}

export type PostgresQuery = (
  sql: string,
  values: readonly PostgresValue[],
) => Promise<readonly PostgresRow[]>;

export type PostgresValue = string | number | null;

export type PostgresRow = Readonly<Record<string, unknown>>;
