import type { JournalEvent } from '../../contract/merchant/sales.js';
import { isoTime } from '../../service/clock.js';
import type { Log, LogEntry, Measurement } from './log.js';
import type { JournalEntry } from '../orders/record.js';

/** An order's history as lines of the log and as counts. */

/** Events that a person should look at. All others are the ordinary course of a payment. */
const WARNINGS: ReadonlySet<JournalEvent> = new Set([
  'attempt_failed',
  'payment_duplicate',
  'amount_mismatch',
  'chargeback',
  'quarantined',
  'event_unverified',
  'watch_ended',
  'status_contradicted',
  'payout_unclear',
  'payout_failed',
]);

export function auditLine(order: string, { at: _at, ...entry }: JournalEntry): LogEntry {
  return { level: WARNINGS.has(entry.event) ? 'warn' : 'info', order, ...entry };
}

/** Attempts and outcomes by rail. */
export function auditCount({ event, rail }: JournalEntry): Measurement {
  return { name: `order.${event}`, value: 1, unit: 'count', ...(rail !== undefined && { label: rail }) };
}

/** The log of a merchant who gave none: one line of JSON each, where the platform shows warnings and errors. */
/* eslint-disable no-console -- the one place that writes there */
export function consoleLog(now: () => number): Log {
  return (entry) => {
    // The error underneath may carry anything, so only what a log line may say is printed.
    const line = JSON.stringify({ time: isoTime(now()), ...entry });
    switch (entry.level) {
      case 'info':
        console.info(line);
        break;
      case 'warn':
        console.warn(line);
        break;
      case 'error':
        console.error(line);
        break;
      default:
        throw new TypeError(`Unknown level: ${String(entry.level satisfies never)}`);
    }
  };
}
