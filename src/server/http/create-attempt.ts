import type * as v from 'valibot';
import { IdempotencyKeySchema, type StartLinkSchema, type StartPayinSchema } from '../../contract/backend.js';
import { withReturnId } from '../../contract/return-id.js';
import { read } from '../../contract/schema.js';
import { accessOrder, offerText } from './access.js';
import { attemptText } from './attempt-text.js';
import { mergeCustomer } from './customer.js';
import { limitCreates, requireReturnUrl } from './limits.js';
import type { Kit } from '../context.js';
import { makeCall } from '../work/submit.js';
import type { OfferedMethod, PreparedOrder } from './offer.js';
import {
  type AttemptRecord,
  attemptById,
  type Choice,
  currentAttempt,
  newOrder,
  type OrderRecord,
  payingAttempt,
  rowIds,
} from '../orders/record.js';
import { ProblemError } from './responses.js';
import { start, type StartOutcome, type StartRequest } from '../orders/start-attempt.js';
import { KeyTakenError } from '../stores/store.js';
import { newReference, randomId } from '../ids.js';

/** Starting an attempt: the intent is stored first, then the service is called, then its answer is stored. */

export type StartPayinBody = v.InferOutput<typeof StartPayinSchema>;
export type StartLinkBody = v.InferOutput<typeof StartLinkSchema>;
export type StartBody = (StartPayinBody & { kind: 'PAYIN' }) | (StartLinkBody & { kind: 'PAYMENT_LINK' });

export interface Started {
  readonly status: 200 | 201 | 202;
  readonly text: string;
}

/** `touched` is told the row when it may have work to do, whatever the answer is. */
export async function startAttempt(
  kit: Kit,
  request: Request,
  body: StartBody,
  touched: (rowId: string) => void,
): Promise<Started> {
  const key = read(IdempotencyKeySchema, request.headers.get('idempotency-key') ?? '');
  if (!key.ok) throw new ProblemError('idempotency_key_missing');
  const order = await accessOrder(kit, request, body.order);
  await limitCreates(kit, order.orderId);
  const callbackUrl = requireReturnUrl(kit.settings, request, body.callbackUrl);

  const rowId = rowIds.order(order.orderId);
  const wanted = prepareStart(kit, order, body, key.value, callbackUrl);
  const { record, outcome } = await decideStart(kit, rowId, order, wanted);
  if (outcome.outcome !== 'begun') return answerOutcome(kit, order, record, outcome);

  const { attempt } = outcome;
  const { draft } = attempt;
  if (draft === null) throw new Error('A new attempt has a draft');
  try {
    const after = (await makeCall(kit, rowId, attempt, draft, wanted.reference)) ?? record;
    return answerAttempt(kit, after, attempt.id);
  } finally {
    touched(rowId);
  }
}

function prepareStart(
  kit: Kit,
  order: PreparedOrder,
  body: StartBody,
  idempotencyKey: string,
  callbackUrl: string,
): StartRequest {
  const now = kit.now();
  const { choice, method } = choose(order, body);
  const given = body.kind === 'PAYIN' ? body.inlineCustomer : undefined;
  const personType = choice.kind === 'PAYIN' && choice.rail === 'PSE' ? choice.personType : undefined;
  const merged = mergeCustomer(order.known, given, method.requiresCustomer, personType);
  if (!merged.ok) throw new ProblemError('invalid_request', { errors: merged.errors });

  const id = randomId();
  const lifetimeMs = choice.kind === 'PAYIN' ? kit.settings.lifetimeMs[choice.rail] : null;
  const { replaces } = body;
  const detail = choice.kind === 'PAYIN' && choice.rail === 'BRE_B' ? choice.keyType : choice.bank;
  return {
    attempt: {
      id,
      token: order.token,
      choice,
      amountInCents: order.amountInCents,
      currency: order.currency,
      description: order.description,
      merchant: kit.settings.merchant,
      idempotencyKey,
      fingerprint: JSON.stringify([order.orderId, choice.kind, choice.rail, detail, replaces ?? null]),
      createdAt: now,
      expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
      draft: {
        customer: merged.customer,
        callbackUrl: withReturnId(callbackUrl, { kind: choice.kind, id }),
        nextCallAt: null,
      },
    },
    reference: newReference(order.orderId),
    offerIsCurrent: body.offerVersion === undefined || body.offerVersion === order.version,
    replaces,
    override: body.override,
  };
}

/** The offered method that the payer chose. */
function choose(order: PreparedOrder, body: StartBody): { choice: Choice; method: OfferedMethod } {
  if (body.kind === 'PAYMENT_LINK') {
    const { rail = null } = body;
    const bank = body.pse?.bank ?? null;
    if (bank !== null && rail !== 'PSE') {
      throw new ProblemError('invalid_request', { errors: [{ field: 'pse', code: 'not_allowed' }] });
    }
    const method = order.methods.find(
      ({ wire }) =>
        wire.kind === 'PAYMENT_LINK' &&
        (wire.rail === null || wire.rail === rail) &&
        (wire.bank === null || wire.bank === bank),
    );
    if (method === undefined) throw new ProblemError('method_unavailable');
    return { choice: { kind: 'PAYMENT_LINK', rail, bank }, method };
  }
  for (const method of order.methods) {
    const { wire } = method;
    if (wire.kind === 'PAYMENT_LINK' || wire.rail !== body.rail) continue;
    if (wire.rail === 'BRE_B' && body.rail === 'BRE_B' && wire.keyType === body.breb.keyType) {
      return { choice: { kind: 'PAYIN', rail: 'BRE_B', keyType: wire.keyType }, method };
    }
    if (wire.rail === 'PSE' && body.rail === 'PSE') {
      const { bank, personType } = body.pse;
      const offered = wire.banks.find(({ code }) => code === bank);
      if (offered === undefined) continue;
      return { choice: { kind: 'PAYIN', rail: 'PSE', bank, bankName: offered.name, personType }, method };
    }
  }
  throw new ProblemError('method_unavailable');
}

async function decideStart(
  kit: Kit,
  rowId: string,
  order: PreparedOrder,
  wanted: StartRequest,
): Promise<{ record: OrderRecord; outcome: StartOutcome }> {
  const { maxAttempts, allowPseOverride, createTimeoutMs } = kit.settings;
  const rules = { maxAttempts, allowPseOverride, callTimeoutMs: createTimeoutMs };
  try {
    const { record, result } = await kit.orders.change(rowId, (before, now) => {
      const known = before ?? newOrder(order.orderId);
      const outcome = start(known, wanted, now, rules);
      return { record: outcome.outcome === 'begun' ? outcome.record : before, result: outcome };
    });
    return { record: record ?? newOrder(order.orderId), outcome: result };
  } catch (error) {
    // The only key a payer chooses: it was used for another order.
    if (error instanceof KeyTakenError) throw new ProblemError('idempotency_mismatch');
    throw error;
  }
}

function answerOutcome(
  kit: Kit,
  order: PreparedOrder,
  record: OrderRecord,
  outcome: Exclude<StartOutcome, { outcome: 'begun' }>,
): Started {
  const now = kit.now();
  const text = (attempt: AttemptRecord) => attemptText(record, attempt, now);
  switch (outcome.outcome) {
    case 'same':
      return answerAttempt(kit, record, outcome.attempt.id);
    case 'open':
      return { status: 200, text: text(outcome.attempt) };
    case 'already_paid':
      throw new ProblemError('already_paid', { attempt: text(outcome.attempt) });
    case 'not_current':
      throw new ProblemError('not_current', outcome.attempt ? { attempt: text(outcome.attempt) } : {});
    case 'pse_in_progress':
      throw new ProblemError('pse_in_progress', {
        attempt: text(outcome.attempt),
        retryAt: new Date(outcome.retryAt).toISOString(),
      });
    case 'offer_changed':
      throw new ProblemError('offer_changed', { offer: offerText(kit, order, record, now) });
    case 'idempotency_mismatch':
    case 'too_many_attempts':
      throw new ProblemError(outcome.outcome);
    default:
      throw new TypeError(`Unknown outcome: ${String(outcome satisfies never)}`);
  }
}

/** How an attempt that this very request started stands now. */
function answerAttempt(kit: Kit, record: OrderRecord, id: string): Started {
  const attempt = attemptById(record, id);
  if (attempt === undefined) throw new Error('The attempt is in its own order');
  const now = kit.now();
  const text = attemptText(record, attempt, now);
  const { ended } = attempt;
  if (ended === null) return { status: attempt.shown === null ? 202 : 201, text };
  if (ended.reason === 'refused') throw new ProblemError('service_refused', { attempt: text });
  const [paying, current] = [payingAttempt(record), currentAttempt(record)];
  if (paying !== undefined)
    throw new ProblemError('already_paid', { attempt: attemptText(record, paying, now) });
  if (attempt.replaced && current !== undefined) {
    throw new ProblemError('not_current', { attempt: attemptText(record, current, now) });
  }
  throw new ProblemError('service_unavailable', { attempt: text });
}
