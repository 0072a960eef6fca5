import type * as v from 'valibot';
import {
  type Attempt,
  IdempotencyKeySchema,
  StartLinkSchema,
  StartPayinSchema,
} from '../../contract/backend.js';
import { withReturnId } from '../../contract/return-id.js';
import { read, type Reading } from '../../contract/schema.js';
import { accessOrder } from './access.js';
import { requireReturnUrl } from './cors.js';
import { mergeCustomer } from './customer.js';
import type { Client } from './client.js';
import { limitCreates } from './limits.js';
import type { CheckoutContext } from '../context.js';
import { submit } from '../work/submit.js';
import { type OfferedMethod, offerView, type PreparedOrder } from './offer.js';
import {
  type AttemptRecord,
  attemptById,
  type Choice,
  currentAttempt,
  newOrder,
  type OrderRecord,
  rowIds,
} from '../orders/record.js';
import { ProblemError } from './responses.js';
import { documentEndOf } from '../orders/masks.js';
import { startAttempt, type StartOutcome, type StartRequest } from '../orders/start-attempt.js';
import { attemptView } from '../orders/attempt-view.js';
import { applyPrice, payingAttempt } from '../orders/settlement.js';
import { KeyTakenError } from '../stores/store.js';
import { newReference, randomId } from '../ids.js';

/** Creating an attempt: the intent is stored first, then the service is called, then its answer is stored. */

type CreateBody =
  | (v.InferOutput<typeof StartPayinSchema> & { kind: 'PAYIN' })
  | (v.InferOutput<typeof StartLinkSchema> & { kind: 'PAYMENT_LINK' });

export interface Created {
  readonly status: 200 | 201 | 202;
  readonly attempt: Attempt;
}

export function readCreateBody(kind: CreateBody['kind'], body: unknown): CreateBody {
  const reading = kind === 'PAYIN' ? readPayin(body) : readLink(body);
  if (!reading.ok) throw new ProblemError('invalid_request', { errors: reading.errors.slice(0, MAX_ERRORS) });
  return reading.value;
}

const MAX_ERRORS = 64;

function readPayin(body: unknown): Reading<CreateBody> {
  const reading = read(StartPayinSchema, body);
  return reading.ok ? { ok: true, value: { ...reading.value, kind: 'PAYIN' } } : reading;
}

function readLink(body: unknown): Reading<CreateBody> {
  const reading = read(StartLinkSchema, body);
  return reading.ok ? { ok: true, value: { ...reading.value, kind: 'PAYMENT_LINK' } } : reading;
}

interface Caller {
  readonly client: Client;
  /** Called when the request proves no order. */
  readonly onRefused: () => void;
}

/** Calls `onSubmitted` with the row once the service was asked, whatever came of it: the row may have work to do. */
export async function createAttempt(
  context: CheckoutContext,
  request: Request,
  body: CreateBody,
  caller: Caller,
  onSubmitted: (rowId: string) => void,
): Promise<Created> {
  const key = read(IdempotencyKeySchema, request.headers.get('idempotency-key') ?? '');
  if (!key.ok) throw new ProblemError('idempotency_key_missing');
  const { orderId, order } = await accessOrder(context, request, body.order, caller.onRefused);
  await limitCreates(context, caller.client, orderId);
  if (order === null) return repeatAnswer(context, orderId, body, key.value);
  const callbackUrl = requireReturnUrl(context.settings, request, body.callbackUrl);

  const rowId = rowIds.order(order.orderId);
  const wanted = await prepareStart(context, order, body, key.value, callbackUrl);
  const { record, outcome } = await decideStart(context, rowId, order, wanted);
  if (outcome.outcome !== 'started') return answerOutcome(context, order, record, outcome);

  const { attempt } = outcome;
  const { draft } = attempt;
  if (draft === null) throw new Error('A new attempt has a draft');
  try {
    const after = (await submit(context, rowId, attempt, draft, wanted.reference)) ?? record;
    return answerAttempt(context, after, attempt.id);
  } finally {
    onSubmitted(rowId);
  }
}

/** Nothing new is started for an order that is no longer offered, but a repeated request gets its answer. */
async function repeatAnswer(
  context: CheckoutContext,
  orderId: string,
  body: CreateBody,
  idempotencyKey: string,
): Promise<Created> {
  const record = (await context.orders.read(rowIds.order(orderId)))?.record;
  const same = record?.attempts.find((each) => each.idempotencyKey === idempotencyKey);
  if (record === undefined || same === undefined) throw new ProblemError('not_found');
  if (same.fingerprint !== fingerprintOf(orderId, body)) throw new ProblemError('idempotency_mismatch');
  return answerAttempt(context, record, same.id);
}

/** What a repeated request must have in common with the first one. */
function fingerprintOf(orderId: string, body: CreateBody): string {
  const detail =
    body.kind === 'PAYIN' && body.rail === 'BRE_B' ? body.breb.keyType : (body.pse?.bank ?? null);
  return JSON.stringify([orderId, body.kind, body.rail ?? null, detail, body.replaces ?? null]);
}

async function prepareStart(
  context: CheckoutContext,
  order: PreparedOrder,
  body: CreateBody,
  idempotencyKey: string,
  callbackUrl: string,
): Promise<StartRequest> {
  const now = context.now();
  const { choice, method } = choose(order, body);
  const given = body.kind === 'PAYIN' ? body.inlineCustomer : undefined;
  const personType = choice.kind === 'PAYIN' && choice.rail === 'PSE' ? choice.personType : undefined;
  const merged = mergeCustomer(order.known, given, method.requiresCustomer, personType);
  if (!merged.ok) throw new ProblemError('invalid_request', { errors: merged.errors });

  const id = randomId();
  const lifetimeMs = choice.kind === 'PAYIN' ? context.settings.lifetimeMs[choice.rail] : null;
  const { replaces } = body;
  return {
    attempt: {
      id,
      token: order.token,
      choice,
      orderAmountInCents: order.amountInCents,
      currency: order.currency,
      description: order.description,
      merchant: context.settings.merchant,
      idempotencyKey,
      fingerprint: fingerprintOf(order.orderId, body),
      createdAt: now,
      expiresAt: lifetimeMs === null ? null : now + lifetimeMs,
      ...documentEndOf(merged.customer),
      draft: {
        customer: merged.customer,
        callbackUrl: withReturnId(callbackUrl, { kind: choice.kind, id }),
        nextSubmissionAt: null,
      },
    },
    reference: await newReference(order.orderId),
    offerVersion: body.offerVersion,
    orderVersion: order.version,
    replaces,
    override: body.override,
  };
}

/** The offered method that the payer chose. */
function choose(order: PreparedOrder, body: CreateBody): { choice: Choice; method: OfferedMethod } {
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
  context: CheckoutContext,
  rowId: string,
  order: PreparedOrder,
  wanted: StartRequest,
): Promise<{ record: OrderRecord; outcome: StartOutcome }> {
  const { maxAttempts, allowPseOverride, createTimeoutMs } = context.settings;
  const rules = { maxAttempts, allowPseOverride, submissionTimeoutMs: createTimeoutMs };
  try {
    const { record, result } = await context.orders.change(rowId, (before, now) => {
      const known = before && applyPrice(before, order.amountInCents, now);
      const outcome = startAttempt(known ?? newOrder(order.orderId), wanted, now, rules);
      return { record: outcome.outcome === 'started' ? outcome.record : known, result: outcome };
    });
    return { record: record ?? newOrder(order.orderId), outcome: result };
  } catch (error) {
    // The idempotency key is the only key a payer chooses: it was used for another order.
    if (error instanceof KeyTakenError) throw new ProblemError('idempotency_mismatch');
    throw error;
  }
}

function answerOutcome(
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
        retryAt: new Date(outcome.retryAt).toISOString(),
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
function answerAttempt(context: CheckoutContext, record: OrderRecord, id: string): Created {
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
