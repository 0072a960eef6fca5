import type { PayoutEvent } from '../../contract/service-events.js';
import { isFinal, isPaid, type PayinStatus } from '../../contract/status.js';
import type { PayoutNotice } from '../hooks.js';
import { newOrder, type OrderRecord } from './record.js';

/**
 * A payout's event. The service has no call that reads a payout, so the event is passed on as what it is: unverified.
 * Repetitions and news that is older than what was told are dropped.
 */
export function payoutArrived(known: OrderRecord | undefined, event: PayoutEvent, now: number): OrderRecord {
  const record = known ?? newOrder('');
  const status = event.event.slice('payout.'.length).toUpperCase() as PayinStatus;
  if (!isNews(record.payout, status)) return record;
  const key = `payout.${event.data.id}.${status}`;
  const payload: PayoutNotice = {
    key,
    payout: event.data.id,
    reference: event.data.reference,
    status,
    errorCode: event.data.errorCode,
    verified: false,
    at: new Date(now).toISOString(),
  };
  const notice = { key, hook: 'onPayout', payload: { ...payload }, tries: 0, nextAt: now } as const;
  return { ...record, payout: status, notices: [...record.notices, notice] };
}

function isNews(told: PayinStatus | undefined, status: PayinStatus): boolean {
  if (told === undefined) return true;
  if (told === status || isPaid(told)) return false;
  return !isFinal(told) || isPaid(status);
}
