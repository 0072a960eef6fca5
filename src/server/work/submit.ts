import type { CreatePaymentLink, CreatePayin } from '../../contract/service-requests.js';
import { ServiceError } from '../../service/errors.js';
import type { CallOptions } from '../../service/http.js';
import { callNotMade, callRefused, callUnclear } from '../orders/submissions.js';
import { type Heard, heardLink, heardPayin } from '../orders/observation.js';
import { errorName, type Kit } from '../context.js';
import { answerArrived, disbelieve } from '../orders/observations.js';
import { adoptOrphans } from './unmatched-events.js';
import type { AttemptRecord, CallDraft, OrderRecord } from '../orders/record.js';
import { keys } from '../orders/record.js';
import { KeyTakenError } from '../stores/store.js';

/**
 * Asks the service for the payment of a call whose intent is stored, and stores what came of it. Whoever's decision
 * put the call in hand makes it, once; if that process dies, the call counts as unclear when its time is up.
 */
export async function makeCall(
  kit: Kit,
  rowId: string,
  attempt: AttemptRecord,
  draft: CallDraft,
  reference: string,
): Promise<OrderRecord | undefined> {
  const startedAt = kit.now();
  let heard: Heard;
  try {
    heard = await askInTime(kit, attempt, draft, reference);
  } catch (error) {
    kit.measure({ name: 'service.create.failed', value: 1, unit: 'count', label: kindOf(error) });
    kit.log({ level: 'warn', event: 'create_failed', reference, code: kindOf(error) }, error);
    return kit.orders.apply(rowId, (record, now) => failed(record, reference, error, now));
  }
  kit.measure({
    name: 'service.create',
    value: kit.now() - startedAt,
    unit: 'ms',
    label: attempt.choice.kind,
  });
  const record = await storeAnswer(kit, rowId, reference, heard);
  await adoptOrphans(kit, rowId, [keys.reference(reference), keys.service(heard.serviceId)]);
  return record;
}

/** Stores the payment that an answer or a lookup brought. */
export async function storeAnswer(
  kit: Kit,
  rowId: string,
  reference: string,
  heard: Heard,
): Promise<OrderRecord | undefined> {
  const { chargebackWatchMs } = kit.settings;
  try {
    return await kit.orders.apply(rowId, (record, now) =>
      answerArrived(record, reference, heard, now, chargebackWatchMs),
    );
  } catch (error) {
    if (!(error instanceof KeyTakenError)) throw error;
    // The service gave an id that is another order's payment: nothing of this answer can be believed.
    return kit.orders.apply(rowId, (record, now) => disbelieve(record, reference, 'id', now));
  }
}

/** The client may try more than once; all of it together must end before the call counts as unclear. */
async function askInTime(
  kit: Kit,
  attempt: AttemptRecord,
  draft: CallDraft,
  reference: string,
): Promise<Heard> {
  const { clock, createTimeoutMs } = kit.settings;
  const controller = new AbortController();
  const cancelTimer = clock.setTimer(createTimeoutMs, () => controller.abort());
  try {
    return await ask(kit, attempt, draft, reference, {
      signal: controller.signal,
      timeoutMs: createTimeoutMs,
    });
  } finally {
    cancelTimer();
  }
}

async function ask(
  kit: Kit,
  attempt: AttemptRecord,
  draft: CallDraft,
  reference: string,
  options: CallOptions,
): Promise<Heard> {
  const { choice, amountInCents, currency } = attempt;
  const customer = draft.customer === null ? {} : { inlineCustomer: draft.customer };
  if (choice.kind === 'PAYMENT_LINK') {
    const link: CreatePaymentLink = {
      amountType: 'FIXED',
      amountInCents,
      reference,
      callbackUrl: draft.callbackUrl,
      ...(choice.rail === null ? {} : { rail: choice.rail }),
      ...(choice.bank === null ? {} : { pse: { bank: choice.bank } }),
      ...customer,
    };
    return heardLink(await kit.service.paymentLinks.create(link, options));
  }
  const base = { amountInCents, currency, reference, callbackUrl: draft.callbackUrl, ...customer };
  const payin: CreatePayin =
    choice.rail === 'BRE_B'
      ? { ...base, rail: 'BRE_B', breb: { keyType: choice.keyType } }
      : { ...base, rail: 'PSE', pse: { bank: choice.bank, personType: choice.personType } };
  return heardPayin(await kit.service.payins.create(payin, options));
}

function failed(record: OrderRecord, reference: string, error: unknown, now: number): OrderRecord {
  if (!(error instanceof ServiceError) || error.mayHaveHappened) return callUnclear(record, reference, now);
  switch (error.kind) {
    case 'invalid_input':
    case 'refused':
    case 'not_found':
    case 'unauthorized':
      return callRefused(record, reference, refusalCode(error), now);
    case 'rate_limited':
    case 'network':
      return callNotMade(record, reference, error.retryAfterMs ?? 0, now);
    // A conflict may be this very reference, made by a try whose answer was lost.
    case 'conflict':
    case 'unavailable':
    case 'timeout':
    case 'aborted':
    case 'unreadable_answer':
    case 'receiver_not_confirmed':
    case 'payout_unclear':
      return callUnclear(record, reference, now);
    default:
      throw new TypeError(`Unknown kind of failure: ${String(error.kind satisfies never)}`);
  }
}

/** The service's own word where it has one, so that the merchant can look it up. */
function refusalCode(error: ServiceError): string {
  return error.serviceCode ?? error.kind;
}

function kindOf(error: unknown): string {
  return error instanceof ServiceError ? error.kind : errorName(error);
}
