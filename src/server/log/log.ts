/** Everything a log line may say. There is no other field, so nothing personal can slip into one. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  /** What happened; docs/operations.md says what each means and what to do. */
  readonly event: string;
  readonly order?: string;
  readonly reference?: string;
  /** `BRE_B`, `PSE` or `PAYMENT_LINK`. */
  readonly rail?: string;
  readonly amountInCents?: number;
  readonly confirmedAmountInCents?: number;
  readonly status?: string;
  /** What differs, which status was claimed, which notice: a name, never a value of the payer's. */
  readonly detail?: string;
  readonly code?: string;
  readonly hook?: string;
  readonly tries?: number;
  readonly durationMs?: number;
  /** A sentence for the reader of the log, from a fixed set. */
  readonly message?: string;
}

/**
 * Takes each line, and beside it the error underneath where there is one. The error is raw: one that the merchant's
 * own code threw may carry anything, so it is for a debugger, not for a log.
 */
export type Log = (entry: LogEntry, error?: unknown) => void;

export interface Measurement {
  readonly name: string;
  readonly value: number;
  readonly unit: 'count' | 'ms';
  /** What the measurement is of: a route, a hook, a kind of failure. From a fixed set, so safe as a label. */
  readonly label?: string;
}

export type Metrics = (measurement: Measurement) => void;
