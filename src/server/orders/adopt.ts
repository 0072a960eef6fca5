import type { Merchant } from '../../contract/backend.js';
import type { Observation } from './observation.js';
import { onCreateAnswered } from './apply-observation.js';
import { type AttemptRecord, type Choice, newSubmission, type OrderRecord } from './record.js';

/** A payin at the service that no attempt of the order knows, as after a restore from a backup. */
export interface FoundPayin {
  /** The attempt's id, as the payer's way back still names it. */
  readonly id: string;
  readonly token: string;
  readonly choice: Choice;
  readonly amountInCents: number;
  /** What the order costs now. */
  readonly orderAmountInCents: number;
  readonly merchant: Merchant;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly reference: string;
  readonly observed: Observation;
}

/**
 * Adds the attempt that made the payin. What it was asked for is not known any more, so its amount is the service's;
 * only a read of the payin proves its status, as ever.
 */
export function adoptPayin(
  record: OrderRecord,
  found: FoundPayin,
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const { reference, observed, ...known } = found;
  const attempt: AttemptRecord = {
    ...known,
    currency: 'COP',
    description: null,
    idempotencyKey: `reconcile-${observed.serviceId}`,
    fingerprint: '',
    changedAt: now,
    draft: null,
    submissions: [newSubmission(reference, known.createdAt, now)],
    payins: [],
    disclosed: null,
    replaced: false,
    stalled: false,
    late: false,
    ended: null,
  };
  // In front of what the order knows: its newest attempt stays the current one.
  const attempts = [...record.attempts, attempt].sort((left, right) => left.createdAt - right.createdAt);
  return onCreateAnswered({ ...record, attempts }, reference, observed, now, chargebackWatchMs);
}
