import type { PayoutEvent } from '../../contract/service/events.js';
import { isFinal, isPaid, type PayinStatus } from '../../contract/status.js';
import type { PayoutNotice } from '../hooks.js';
import { newOrder, type OrderRecord } from './record.js';

/**
 * A payout's event. The service has no call that reads a payout, so the event is passed on as unverified. Repetitions
 * and events older than the last one passed on are dropped.
 */
export function onPayoutEvent(known: OrderRecord | undefined, event: PayoutEvent, now: number): OrderRecord {
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

function isNews(last: PayinStatus | undefined, status: PayinStatus): boolean {
  if (last === undefined) return true;
  if (last === status || isPaid(last)) return false;
  return !isFinal(last) || isPaid(status);
}
