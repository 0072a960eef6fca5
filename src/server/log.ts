/** Everything a log line may say. There is no other field, so nothing personal can slip into one. */
export interface LogEntry {
  readonly level: 'info' | 'warn' | 'error';
  readonly event: string;
  readonly order?: string;
  readonly reference?: string;
  readonly status?: string;
  readonly code?: string;
  readonly hook?: string;
  readonly tries?: number;
  readonly durationMs?: number;
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
