/**
 * What the one SQL store asks of a database. Statements are written once, with `?` for each value; what databases say
 * differently is in `Dialect`.
 */
export interface SqlDatabase {
  readonly dialect: Dialect;

  /** Makes the connection ready, before the tables are made. */
  prepare(): Promise<void>;

  /** What goes before the first migration in its transaction: no second instance migrates at the same time. */
  lockMigrations(schemaTable: string): Steps<void>;

  /** Runs one statement that only reads. */
  read(text: string, ...values: SqlValue[]): Promise<Rows>;

  /** Runs one statement that a loss of power may undo: leases and counters. */
  writeRelaxed(text: string, ...values: SqlValue[]): Promise<Rows>;

  /** Runs the steps in one transaction, and again from the start when another transaction was in the way. */
  transact<Result>(steps: () => Steps<Result>): Promise<Result>;

  /** Starts to report what other instances write, where the database can. */
  listen(): void;

  /** Whether another instance may have written since the last call without `Changes` saying so. */
  mayHaveChanged(): Promise<boolean>;

  /** Removed orders are to leave nothing behind, in memory or in a log. */
  forgetRemoved(): void;

  close(): Promise<void>;
}

export interface Dialect {
  /** The type of ids, which are compared byte by byte. */
  readonly id: string;
  readonly integer: string;
  /** The clock that all instances share, for leases: epoch milliseconds. */
  readonly clock: string;
  /** The elements of a JSON array of texts, which is the value. */
  readonly elements: string;
  /** Keeps selected rows for this transaction. */
  readonly forUpdate: string;
  /** The same, without waiting for rows that another transaction keeps. */
  readonly forUpdateSkipLocked: string;
  /** Gives a row when the table named by the value exists. */
  readonly findTable: string;
  /** Keeps an id that has no row yet for this transaction. */
  readonly lockNew?: (id: string) => Statement;
  /** Lets other instances know of a write when its transaction commits. */
  readonly announce?: (id: string, state: number) => Statement;
}

/** What a database reports of other instances' writes. */
export interface Changes {
  readonly onChange: (id: string, state: number) => void;
  /** Reports may have been missed before this moment. */
  readonly onGap: () => void;
}

/**
 * The work of a transaction. It yields each statement and goes on with its rows: SQLite's drivers answer at once, so
 * that nothing else runs on the connection meanwhile, and PostgreSQL's are awaited.
 */
export type Steps<Result> = Generator<Statement, Result, Rows>;

export type Statement = readonly [text: string, ...values: SqlValue[]];

export type SqlValue = string | number | null;

/** Large numbers may come as text. */
export type Row = Readonly<Record<string, unknown>>;

export type Rows = readonly Row[];

/** The transaction met another one and has to be run again. */
export class TransactionConflict extends Error {
  override readonly name = 'TransactionConflict';
}
