import type { Attempt } from '../../contract/backend.js';
import { isoTime } from '../../service/clock.js';
import type { CheckoutContext } from '../context.js';
import { attemptView } from '../orders/views/attempt-view.js';
import { type AttemptRecord, attemptById, currentAttempt, type OrderRecord } from '../orders/record.js';
import { payingAttempt } from '../orders/settlement.js';
import type { StartOutcome } from '../orders/start-attempt.js';
import { offerView, type PreparedOrder } from './offer.js';
import { ProblemError } from './responses.js';

/** What a request to create an attempt is answered with. */

export interface Created {
  readonly status: 200 | 201 | 202;
  readonly attempt: Attempt;
}

export function answerOutcome(
  context: CheckoutContext,
  order: PreparedOrder,
  record: OrderRecord,
  outcome: Exclude<StartOutcome, { outcome: 'started' }>,
): Created {
  const now = context.now();
  const view = (attempt: AttemptRecord) => attemptView(record, attempt, now);
  switch (outcome.outcome) {
    case 'same':
      return answerAttempt(context, record, outcome.attempt.id);
    case 'open':
      return { status: 200, attempt: view(outcome.attempt) };
    case 'already_paid':
      throw new ProblemError('already_paid', { attempt: view(outcome.attempt) });
    case 'not_current':
      throw new ProblemError('not_current', outcome.attempt ? { attempt: view(outcome.attempt) } : {});
    case 'pse_in_progress':
      throw new ProblemError('pse_in_progress', {
        attempt: view(outcome.attempt),
        retryAt: isoTime(outcome.retryAt),
      });
    case 'offer_changed':
      throw new ProblemError('offer_changed', { offer: offerView(context.settings, order, record, now) });
    case 'gone':
      throw new ProblemError('not_found');
    case 'idempotency_mismatch':
    case 'too_many_attempts':
      throw new ProblemError(outcome.outcome);
    default:
      throw new TypeError(`Unknown outcome: ${String(outcome satisfies never)}`);
  }
}

/** The answer about the attempt that this request started, or started before. */
export function answerAttempt(context: CheckoutContext, record: OrderRecord, id: string): Created {
  const attempt = attemptById(record, id);
  if (attempt === undefined) throw new Error('The attempt is in its own order');
  const now = context.now();
  const view = attemptView(record, attempt, now);
  const { ended } = attempt;
  if (ended === null) return { status: attempt.disclosed === null ? 202 : 201, attempt: view };
  if (ended.reason === 'refused') throw new ProblemError('service_refused', { attempt: view });
  const [paying, current] = [payingAttempt(record), currentAttempt(record)];
  if (paying !== undefined)
    throw new ProblemError('already_paid', { attempt: attemptView(record, paying, now) });
  if (attempt.replaced && current !== undefined) {
    throw new ProblemError('not_current', { attempt: attemptView(record, current, now) });
  }
  throw new ProblemError('service_unavailable', { attempt: view });
}
