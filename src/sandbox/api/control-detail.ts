import { isFinal } from '../../contract/status.js';
import type { Engine } from '../service/engine.js';
import { wrongAmountsFor } from '../service/settlement.js';
import type { DeliveryRecord, EventRecord, Outcome, ResourceRecord } from '../service/state.js';
import { bankPath, checkoutPath, linkPath } from '../service/views.js';
import { bankName } from '../../contract/payer/bank-list.js';
import { maskedJson, maskedPath, type RequestLog } from './request-log.js';

/** What the panel beside the list of the control page shows: one record as the sandbox has it, and what belongs to it. */

export type ControlDetail = RecordDetail | EventDetail | RequestDetail;

export interface RecordDetail {
  readonly kind: 'record';
  readonly record: ResourceRecord;
  /** Its bank's name; null where it has none. */
  readonly bank: string | null;
  /** What the control API lets happen to it now. */
  readonly outcomes: readonly Outcome[];
  /** Amounts to confirm a payin with by mistake; null where another amount cannot be confirmed. */
  readonly wrongAmounts: { readonly under: number; readonly over: number } | null;
  /** Where its payer's page is, from the sandbox's root; null for a bank that is not ready, and for a payout. */
  readonly payerPath: string | null;
  readonly events: readonly EventRecord[];
  readonly deliveries: readonly DeliveryRecord[];
}

export interface EventDetail {
  readonly kind: 'event';
  readonly event: EventRecord;
  readonly about: ResourceRecord | null;
  readonly deliveries: readonly DeliveryRecord[];
}

/** A request to the API as it was answered. Developers share such a screen, so payers are masked. */
export interface RequestDetail {
  readonly kind: 'request';
  readonly id: string;
  readonly title: string;
  readonly durationMs: number;
  readonly sent: string | null;
  readonly answered: string;
}

export function detailOf(
  { engine, requests }: { readonly engine: Engine; readonly requests: RequestLog },
  id: string,
): ControlDetail | null {
  const request = requests.entries.find((each) => each.id === id);
  if (request) {
    const { method, path, durationMs, sent, answered } = request;
    return {
      kind: 'request',
      id,
      title: `${method} ${maskedPath(path)}`,
      durationMs,
      sent: sent === null ? null : maskedJson(sent),
      answered: maskedJson(answered),
    };
  }
  const event = engine.events.find((each) => each.id === id);
  if (event) {
    return {
      kind: 'event',
      event,
      about: shown(engine.find(event.resourceId)) ?? null,
      deliveries: engine.deliveries.filter(({ eventId }) => eventId === id),
    };
  }
  const record = shown(engine.find(id));
  if (!record) return null;
  const confirmable = record.kind === 'payin' && record.status !== 'CONFIRMED';
  return {
    kind: 'record',
    record,
    bank: bankOf(record),
    outcomes: outcomesOf(record),
    wrongAmounts: confirmable ? wrongAmountsFor(record.amountInCents) : null,
    payerPath: payerPathOf(record),
    events: engine.events.filter(({ resourceId }) => resourceId === id),
    deliveries: engine.deliveries.filter(({ resourceId }) => resourceId === id),
  };
}

/** Developers share this screen, so it does not get the payer's phone and e-mail address. */
function shown(record: ResourceRecord | undefined): ResourceRecord | undefined {
  if (!record?.inlineCustomer) return record;
  return { ...record, inlineCustomer: { ...record.inlineCustomer, phone: '', email: '' } };
}

function bankOf(record: ResourceRecord): string | null {
  if (record.kind === 'link') return record.bank === null ? null : bankName(record.bank);
  if (record.kind === 'payout' || record.source.rail !== 'PSE') return null;
  return `${bankName(record.source.bank)} (${record.source.bank})`;
}

/** A declined or canceled payin can still be confirmed, because banks do that. */
function outcomesOf(record: ResourceRecord): readonly Outcome[] {
  if (record.kind === 'link' || record.status === 'CONFIRMED') return [];
  if (!isFinal(record.status)) return ['CONFIRMED', 'DECLINED', 'CANCELED'];
  return record.kind === 'payin' ? ['CONFIRMED'] : [];
}

function payerPathOf(record: ResourceRecord): string | null {
  switch (record.kind) {
    case 'payin':
      if (record.source.rail === 'BRE_B') return checkoutPath(record);
      return record.source.ready ? bankPath(record.source.bankToken) : null;
    case 'link':
      return linkPath(record.id);
    case 'payout':
      return null;
    default:
      return record satisfies never;
  }
}
