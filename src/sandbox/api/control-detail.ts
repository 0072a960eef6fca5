import { isFinal } from '../../contract/status.js';
import type { Engine } from '../service/engine.js';
import type { ScenarioName } from '../service/scenarios.js';
import { wrongAmountsFor } from '../service/settlement.js';
import type { DeliveryRecord, EventRecord, Outcome, ResourceRecord } from '../service/state.js';
import { bankPath, checkoutPath, linkPath } from '../service/views.js';
import { bankName } from './attempt-view.js';
import { type LoggedRequest, maskedJson, maskedPath, type RequestLog } from './request-log.js';

/** Everything about one thing, for the panel beside the list of the control page. */

export type ControlDetail = RecordDetail | EventDetail | RequestDetail;

export interface RecordDetail {
  readonly kind: ResourceRecord['kind'];
  readonly id: string;
  readonly reference: string;
  readonly status: ResourceRecord['status'];
  readonly amountInCents: number;
  /** What the control API lets happen to it now. */
  readonly outcomes: readonly Outcome[];
  /** Amounts to confirm a payin with by mistake; null where another amount cannot be confirmed. */
  readonly wrongAmounts: { readonly under: number; readonly over: number } | null;
  /** Where its payer's page is, from the sandbox's root; null for a bank that is not ready, and for a payout. */
  readonly payerPath: string | null;
  /** It came through a link, whose events speak for it. */
  readonly isSilent: boolean;
  readonly events: readonly EventLine[];
  readonly mishaps: readonly ScenarioName[];
  /** Under the names a developer finds in the interface; what is not known is left out. */
  readonly facts: Readonly<Partial<Record<FactName, string>>>;
  readonly confirmedAmountInCents: number | null;
}

export type FactName =
  | 'id'
  | 'reference'
  | 'rail'
  | 'bank'
  | 'personType'
  | 'cus'
  | 'key'
  | 'errorCode'
  | 'settlementStatus'
  | 'chargebackAt'
  | 'paymentLinkId'
  | 'callbackUrl'
  | 'expiresAt'
  | 'completedAt'
  | 'resultAt'
  | 'customer'
  | 'document'
  | 'createdAt'
  | 'updatedAt';

interface EventLine {
  readonly id: string;
  readonly event: string;
  readonly state: DeliveryRecord['state'] | null;
  readonly at: string;
}

export interface EventDetail {
  readonly kind: 'event';
  readonly id: string;
  readonly event: string;
  readonly about: {
    readonly section: 'payins' | 'payouts' | 'links';
    readonly id: string;
    readonly reference: string;
  } | null;
  /** The JSON that is sent. */
  readonly body: string;
  readonly deliveries: readonly {
    readonly id: string;
    readonly url: string;
    readonly state: DeliveryRecord['state'];
    /** False for a forgery by someone who lacks the secret. */
    readonly trueHeader: boolean;
    readonly nextAttemptAt: string | null;
    readonly attempts: readonly {
      readonly at: string;
      readonly status: number | null;
      readonly error: 'timeout' | 'unreachable' | null;
    }[];
  }[];
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

const SECTION_OF = { payin: 'payins', payout: 'payouts', link: 'links' } as const;

export function detailOf(
  { engine, requests }: { readonly engine: Engine; readonly requests: RequestLog },
  id: string,
): ControlDetail | null {
  const request = requests.entries.find((each) => each.id === id);
  if (request) return requestDetail(request);
  const event = engine.events.find((each) => each.id === id);
  if (event) return eventDetail(event, engine.find(event.resourceId), engine.deliveries);
  const record = engine.find(id);
  if (!record) return null;
  const own = engine.events.filter(({ resourceId }) => resourceId === id);
  return recordDetail(record, own, engine.deliveries);
}

function recordDetail(
  record: ResourceRecord,
  events: readonly EventRecord[],
  deliveries: readonly DeliveryRecord[],
): RecordDetail {
  const confirmable = record.kind === 'payin' && record.status !== 'CONFIRMED';
  return {
    kind: record.kind,
    id: record.id,
    reference: record.reference,
    status: record.status,
    amountInCents: record.amountInCents,
    outcomes: outcomesOf(record),
    wrongAmounts: confirmable ? wrongAmountsFor(record.amountInCents) : null,
    payerPath: payerPathOf(record),
    isSilent: record.kind === 'payin' && record.paymentLinkId !== null,
    events: events.map(({ id, event, createdAtMs }) => {
      const own = deliveries.filter(({ eventId }) => eventId === id);
      const worst = own.find(({ state }) => state !== 'DELIVERED') ?? own[0];
      return { id, event, state: worst?.state ?? null, at: iso(createdAtMs) };
    }),
    mishaps: record.mishaps,
    facts: factsOf(record),
    confirmedAmountInCents: record.kind === 'payin' ? record.confirmedAmountInCents : null,
  };
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

function factsOf(record: ResourceRecord): RecordDetail['facts'] {
  const { inlineCustomer } = record;
  const known: Partial<Record<FactName, string | null>> = {
    id: record.id,
    reference: record.reference,
    customer: inlineCustomer?.name ?? null,
    document: inlineCustomer && `${inlineCustomer.idType} ${inlineCustomer.idNumber}`,
    createdAt: iso(record.createdAtMs),
    updatedAt: iso(record.updatedAtMs),
    ...ownFacts(record),
  };
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value !== null));
}

function ownFacts(record: ResourceRecord): Partial<Record<FactName, string | null>> {
  switch (record.kind) {
    case 'payin': {
      const { source } = record;
      return {
        ...(source.rail === 'PSE'
          ? {
              rail: 'PSE',
              bank: `${bankName(source.bank)} (${source.bank})`,
              personType: source.personType,
              cus: source.cus,
            }
          : { rail: `BRE_B · ${source.keyType}`, key: source.keyString }),
        errorCode: record.errorCode,
        settlementStatus: record.settlementStatus,
        chargebackAt: isoOrNull(record.chargebackAtMs),
        paymentLinkId: record.paymentLinkId,
        callbackUrl: record.callbackUrl,
        resultAt: isoOrNull(record.resultAtMs),
      };
    }
    case 'payout':
      return { key: record.keyString, errorCode: record.errorCode, resultAt: isoOrNull(record.resultAtMs) };
    case 'link':
      return {
        rail: record.rail,
        bank: record.bank === null ? null : bankName(record.bank),
        callbackUrl: record.callbackUrl,
        expiresAt: iso(record.expiresAtMs),
        completedAt: isoOrNull(record.completedAtMs),
      };
    default:
      return record satisfies never;
  }
}

function eventDetail(
  { id, event, body }: EventRecord,
  about: ResourceRecord | undefined,
  deliveries: readonly DeliveryRecord[],
): EventDetail {
  return {
    kind: 'event',
    id,
    event,
    about: about ? { section: SECTION_OF[about.kind], id: about.id, reference: about.reference } : null,
    body,
    deliveries: deliveries
      .filter(({ eventId }) => eventId === id)
      .map((delivery) => ({
        id: delivery.id,
        url: delivery.url,
        state: delivery.state,
        trueHeader: delivery.trueHeader,
        nextAttemptAt: isoOrNull(delivery.nextAttemptAtMs),
        attempts: delivery.attempts.map(({ atMs, status, error }) => ({ at: iso(atMs), status, error })),
      })),
  };
}

function requestDetail({ id, method, path, durationMs, sent, answered }: LoggedRequest): RequestDetail {
  return {
    kind: 'request',
    id,
    title: `${method} ${maskedPath(path)}`,
    durationMs,
    sent: sent === null ? null : maskedJson(sent),
    answered: maskedJson(answered),
  };
}

const iso = (atMs: number) => new Date(atMs).toISOString();
const isoOrNull = (atMs: number | null) => (atMs === null ? null : iso(atMs));
