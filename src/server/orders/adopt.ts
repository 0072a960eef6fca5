import type { Merchant } from '../../contract/offer.js';
import type { Observation } from './observation.js';
import { onCreateAnswered } from './apply-observation.js';
import { sameId } from './observation.js';
import {
  type AttemptRecord,
  attemptById,
  type Choice,
  newSubmission,
  type OrderRecord,
  submissionsOf,
} from './record.js';

/** A payin at the service that no attempt of the order knows, as after a restore from a backup. */
export interface FoundPayin {
  /** The attempt's id: the one that the payer's way back still names, and one to use where the order has that already. */
  readonly id: string;
  readonly otherId: string;
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
 * Adds the attempt that made the payin, unless the order knows the payin or its reference by now: two runs may find it
 * at once. What it was asked for is not known any more, so its amount is the service's; only a read of the payin proves
 * its status, as ever.
 */
export function adoptPayin(
  record: OrderRecord,
  found: FoundPayin,
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const { reference, observed, otherId, ...known } = found;
  const isKnown = submissionsOf(record).some(
    ({ submission }) =>
      submission.reference === reference ||
      (submission.serviceId !== null && sameId(submission.serviceId, observed.serviceId)),
  );
  if (isKnown) return record;
  const attempt: AttemptRecord = {
    ...known,
    // Two submissions of one attempt have the same way back.
    id: attemptById(record, known.id) === undefined ? known.id : otherId,
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
  // Added as the oldest attempt, so that the newest one stays the current one.
  const attempts = [...record.attempts, attempt].sort((left, right) => left.createdAt - right.createdAt);
  return onCreateAnswered({ ...record, attempts }, reference, observed, now, chargebackWatchMs);
}
