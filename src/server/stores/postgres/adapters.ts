import type { PostgresPort, PostgresQuery, PostgresRow, PostgresValue } from './port.js';

/** The part of a `Pool` of `pg` that is used. */
export interface PgPool {
  connect(): Promise<PgClient>;
  query(sql: string, values: PostgresValue[]): Promise<{ rows: unknown[] }>;
  on(event: 'error', listener: (error: Error) => void): unknown;
  readonly options?: { readonly max?: number | null | undefined };
}

export interface PgClient {
  query(sql: string, values?: PostgresValue[]): Promise<{ rows: unknown[] }>;
  on(event: 'error' | 'end', listener: () => void): unknown;
  on(event: 'notification', listener: (message: { payload?: string | undefined }) => void): unknown;
  removeListener(event: 'error', listener: () => void): unknown;
  release(destroy?: boolean): void;
}

/** For a `Pool` of `pg`. Listening takes one of its connections for good, so a pool of one is asked in turns instead. */
export function fromPg(pool: PgPool): PostgresPort {
  // A pool reports connections that die while idle as an event, which ends a process without a listener for it.
  pool.on('error', ignore);
  const port: PostgresPort = {
    query: async (sql, values) => (await pool.query(sql, [...values])).rows as PostgresRow[],
    transaction: (work) => transactionOn(pool, work),
  };
  const canSpareOne = (pool.options?.max ?? 10) > 1;
  return canSpareOne
    ? { ...port, listen: (channel, onMessage, onLost) => listenOn(pool, channel, onMessage, onLost) }
    : port;
}

async function transactionOn<Result>(
  pool: PgPool,
  work: (query: PostgresQuery) => Promise<Result>,
): Promise<Result> {
  const client = await pool.connect();
  // A connection that breaks says so by an event as well as by failing the query.
  client.on('error', ignore);
  let broken = true;
  try {
    await client.query('begin isolation level read committed');
    try {
      const result = await work(
        async (sql, values) => (await client.query(sql, [...values])).rows as PostgresRow[],
      );
      await client.query('commit');
      broken = false;
      return result;
    } catch (error) {
      broken = await client.query('rollback').then(
        () => false,
        () => true,
      );
      throw error;
    }
  } finally {
    client.removeListener('error', ignore);
    client.release(broken);
  }
}

async function listenOn(
  pool: PgPool,
  channel: string,
  onMessage: (payload: string) => void,
  onLost: () => void,
): Promise<() => Promise<void>> {
  const client = await pool.connect();
  let over = false;
  const end = (): void => {
    if (over) return;
    over = true;
    client.release(true);
    onLost();
  };
  client.on('error', end);
  client.on('end', end);
  client.on('notification', (message) => {
    if (!over) onMessage(message.payload ?? '');
  });
  try {
    await client.query(`listen "${channel}"`);
  } catch (error) {
    if (!over) client.release(true);
    over = true;
    throw error;
  }
  return async () => {
    if (over) return;
    over = true;
    client.release(true);
  };
}

function ignore(): void {}

/** The part of the `sql` of postgres.js that is used. */
export interface PostgresJs {
  unsafe(
    sql: string,
    values?: PostgresValue[],
    options?: { prepare: boolean },
  ): PromiseLike<readonly unknown[]>;
  begin(options: string, work: (sql: PostgresJsTransaction) => Promise<unknown>): Promise<unknown>;
  listen(
    channel: string,
    onMessage: (payload: string) => void,
    listening: () => void,
  ): PromiseLike<{ unlisten(): Promise<unknown> }>;
}

export interface PostgresJsTransaction {
  unsafe(
    sql: string,
    values?: PostgresValue[],
    options?: { prepare: boolean },
  ): PromiseLike<readonly unknown[]>;
}

/** For the `sql` of postgres.js, which opens a connection of its own to listen. */
export function fromPostgresJs(sql: PostgresJs): PostgresPort {
  return {
    query: queryOn(sql),
    transaction: async <Result>(work: (query: PostgresQuery) => Promise<Result>) =>
      (await sql.begin('isolation level read committed', (scope) => work(queryOn(scope)))) as Result,
    listen: (channel, onMessage, onLost) => listenWith(sql, channel, onMessage, onLost),
  };
}

function queryOn(sql: PostgresJsTransaction): PostgresQuery {
  // Where the merchant has turned preparing off, for a pooler's sake, the driver keeps to that.
  return async (text, values) =>
    (await sql.unsafe(text, [...values], { prepare: true })) as readonly PostgresRow[];
}

async function listenWith(
  sql: PostgresJs,
  channel: string,
  onMessage: (payload: string) => void,
  onLost: () => void,
): Promise<() => Promise<void>> {
  let over = false;
  let listening = false;
  const onListening = (): void => {
    // The driver listens again by itself after a lost connection, and does not say what was missed in between.
    if (listening && !over) {
      over = true;
      onLost();
    }
    listening = true;
  };
  const onPayload = (payload: string): void => {
    if (!over) onMessage(payload);
  };
  try {
    const { unlisten } = await sql.listen(channel, onPayload, onListening);
    return async () => {
      over = true;
      await unlisten();
    };
  } catch (error) {
    forgetFailedChannel(sql, channel);
    throw error;
  }
}

/**
 * postgres.js 3.4 keeps the failed answer of a LISTEN that it tried by itself after a lost connection, and gives it to
 * every later caller for that channel. To be deleted when `sql.listen` recovers without this.
 */
function forgetFailedChannel(sql: PostgresJs, channel: string): void {
  const { channels } = sql.listen as { channels?: Record<string, unknown> };
  if (channels !== undefined) Reflect.deleteProperty(channels, channel);
}
