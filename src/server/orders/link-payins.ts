import { isPaid } from '../../contract/status.js';
import { onRead } from './apply-observation.js';
import { mismatch, type Observation, sameId } from './observation.js';
import {
  type ListSearch,
  locate,
  newSubmission,
  type OrderRecord,
  type Submission,
  type UnverifiedEvent,
  updateAttempt,
  updateSubmission,
} from './record.js';
import { SEARCH_ON_AFTER_MS } from './schedule.js';

/**
 * A link brings money through the payins that are made on its page. They are found in the service's list, and from then
 * on each is read by its id, settled and watched like a payin that the kit has made itself.
 */

/** What a read of a link brought, with the payins of it that were found in the list. */
export interface LinkReading {
  readonly observed: Observation;
  readonly payins: readonly Observation[];
  /** `none`: the link is still open. `complete`: the list has no further payin of it. Otherwise where to go on. */
  readonly search: 'none' | 'complete' | ListSearch;
  /** When the search began that is complete now. */
  readonly beganAt: number;
}

export function onLinkRead(
  record: OrderRecord,
  reference: string,
  reading: LinkReading,
  asked: readonly UnverifiedEvent[],
  now: number,
  chargebackWatchMs: number,
): OrderRecord {
  const { observed, payins, search, beganAt } = reading;
  const found = locate(record, reference);
  if (found === undefined) return record;
  if (mismatch(found.attempt, found.submission, observed) !== null) {
    return onRead(record, reference, observed, asked, now, chargebackWatchMs);
  }
  let next = payins.reduce((each, payin) => payinFound(each, reference, payin, now), record);
  if (search !== 'none') {
    next = updateSubmission(
      next,
      reference,
      search === 'complete' ? { search: null, searchedAt: beganAt } : { search },
    );
  }
  const isPending = search !== 'complete' || unread(next, reference);
  const status = isPaid(found.submission.status) ? 'COMPLETED' : isPending ? 'PENDING' : observed.status;
  next = onRead(next, reference, { ...observed, status }, asked, now, chargebackWatchMs);
  // What was not searched is unknown, never nothing: the link is not over before the search is.
  return search !== 'none' && isPending
    ? updateSubmission(next, reference, { nextReadAt: now + SEARCH_ON_AFTER_MS })
    : next;
}

/**
 * Adds a payin that was made through the link, or a second one under the reference of a submission, to be read at once:
 * only a read by its id proves.
 */
export function payinFound(
  record: OrderRecord,
  link: string,
  { serviceId, createdAt }: Pick<Observation, 'serviceId' | 'createdAt'>,
  now: number,
): OrderRecord {
  const attempt = locate(record, link)?.attempt;
  if (attempt === undefined || attempt.payins.some((payin) => sameId(payin.reference, serviceId)))
    return record;
  const startedAt = createdAt === null ? now : Date.parse(createdAt);
  const payin: Submission = {
    ...newSubmission(serviceId, Math.min(Math.max(startedAt, attempt.createdAt), now), now),
    link,
    state: 'known',
    giveUpAt: null,
    serviceId,
    nextReadAt: now,
  };
  return updateAttempt(record, attempt.id, { payins: [...attempt.payins, payin] });
}

/** Has a payment read as soon as the service may be asked. */
export function readSoon(record: OrderRecord, reference: string, now: number): OrderRecord {
  return updateSubmission(record, reference, { nextReadAt: now });
}

/** Whether a payin of the link was found and not read yet: it may be paid. */
function unread(record: OrderRecord, link: string): boolean {
  const payins = locate(record, link)?.attempt.payins ?? [];
  return payins.some((payin) => payin.link === link && payin.readAt === null);
}
