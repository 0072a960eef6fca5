/**
 * What the store asks of a SQLite driver: the synchronous shape of better-sqlite3, which libsql, bun:sqlite and
 * node:sqlite's `DatabaseSync` share. The handle should be the store's own, so that no other transaction is open on it.
 */
export interface SqliteDatabase {
  exec(sql: string): unknown;
  prepare(sql: string): SqliteStatement;
}

export interface SqliteStatement {
  get(...values: SqliteValue[]): unknown;
  all(...values: SqliteValue[]): unknown[];
  run(...values: SqliteValue[]): unknown;
}

export type SqliteValue = string | number | null;

export type SqliteRow = Readonly<Record<string, unknown>>;

// Asking again blocks the whole process inside the driver, so that is kept short and the rest of the wait is spent outside.
const driverBusyTimeoutMs = 100;
const busyDeadlineMs = 10_000;
const busyPauseMs = 25;

const givesRows = /^select\b|\breturning\b/;

/** A handle with its statements prepared once, and retries while another process holds the file. */
export class SqliteConnection {
  readonly #database: SqliteDatabase;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Every commit is on disk when it returns, and readers are not held up by writers. */
  async prepareFile(): Promise<void> {
    this.#database.prepare(`pragma busy_timeout = ${driverBusyTimeoutMs}`).get();
    const mode = await this.whenFree(() => this.get('pragma journal_mode = wal')?.['journal_mode']);
    // A database in memory has no file to keep a log beside, and nothing that could outlive a crash.
    if (mode !== 'wal' && mode !== 'memory') {
      throw new Error(`SQLite cannot use a write-ahead log here (journal mode is ${String(mode)})`);
    }
    this.#database.exec('pragma synchronous = full');
    // What is deleted is overwritten: a payer's e-mail must not stay in a free page of the file.
    this.#database.prepare('pragma secure_delete = on').get();
  }

  /**
   * Moves the write-ahead log into the file and cuts it off, so that what was deleted is not left in the log. While
   * another process reads the file the log stays; the next call empties it.
   */
  emptyLog(): void {
    try {
      this.get('pragma wal_checkpoint(truncate)');
    } catch (error) {
      if (!isBusy(error)) throw error;
    }
  }

  get(sql: string, ...values: SqliteValue[]): SqliteRow | undefined {
    return (this.#prepared(sql).get(...values) ?? undefined) as SqliteRow | undefined;
  }

  /** Runs a statement and returns its rows. better-sqlite3 refuses to ask for rows where there can be none. */
  run(sql: string, ...values: SqliteValue[]): SqliteRow[] {
    const statement = this.#prepared(sql);
    if (givesRows.test(sql)) return statement.all(...values) as SqliteRow[];
    statement.run(...values);
    return [];
  }

  exec(sql: string): void {
    this.#database.exec(sql);
  }

  /** Runs the work in a transaction that holds the write lock from its start, once no other process holds it. */
  transact<Result>(work: () => Result, durable = true): Promise<Result> {
    return this.whenFree(() => {
      if (durable) return this.#transact(work);
      // What is committed so survives the death of the process, though not of the machine, and costs no sync.
      this.#database.exec('pragma synchronous = normal');
      try {
        return this.#transact(work);
      } finally {
        this.#database.exec('pragma synchronous = full');
      }
    });
  }

  #transact<Result>(work: () => Result): Result {
    this.#database.exec('begin immediate');
    try {
      const result = work();
      this.#database.exec('commit');
      return result;
    } catch (error) {
      try {
        this.#database.exec('rollback');
      } catch {
        // SQLite has rolled back by itself, as it does when the disk is full.
      }
      throw error;
    }
  }

  /** Tries again, without blocking the process, as long as another one holds the lock. */
  async whenFree<Result>(work: () => Result): Promise<Result> {
    let deadline: number | undefined;
    for (;;) {
      try {
        return work();
      } catch (error) {
        deadline ??= performance.now() + busyDeadlineMs;
        if (!isBusy(error) || performance.now() > deadline) throw error;
      }
      await new Promise((resolve) => setTimeout(resolve, busyPauseMs * (0.5 + Math.random())));
    }
  }

  #prepared(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (statement === undefined) {
      statement = this.#database.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }
}

const sqliteBusy = 5;
const sqliteLocked = 6;

function isBusy(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  if (typeof code === 'string' && /^SQLITE_(?:BUSY|LOCKED)/.test(code)) return true;
  // node:sqlite gives the number; the low byte names the kind.
  return typeof errcode === 'number' && [sqliteBusy, sqliteLocked].includes(errcode & 0xff);
}
