import { IdempotencyKeySchema } from '../../contract/start.js';
import { read } from '../../contract/schema.js';
import type { CheckoutContext } from '../context.js';
import type { StoredOrder } from '../order-repository.js';
import { newOrder, type OrderRecord, rowIds } from '../orders/record.js';
import { applyPrice } from '../orders/settlement.js';
import { startAttempt, type StartOutcome, type StartRequest } from '../orders/start-attempt.js';
import { KeyTakenError } from '../stores/store.js';
import { submit } from '../work/submit.js';
import { adoptEarlyEvents } from '../work/unmatched-events.js';
import type { Worker } from '../work/worker.js';
import { accessOrder } from './access.js';
import type { Client } from './client.js';
import { requireReturnUrl } from './cors.js';
import { answerAttempt, answerOutcome, type Created } from './created-answer.js';
import { type Limits, readJsonBody } from './limits.js';
import type { PreparedOrder } from './offer.js';
import { ProblemError } from './responses.js';
import { type CreateBody, fingerprintOf, prepareStart, readCreateBody } from './start-request.js';

/** Creating an attempt: the intent is stored first, then the service is called, then its answer is stored. */

export interface Caller {
  readonly client: Client;
  /** Runs work on after the answer. */
  readonly afterwards: (work: () => Promise<unknown>) => void;
}

export async function createAttempt(
  context: CheckoutContext,
  worker: Worker,
  limits: Limits,
  request: Request,
  kind: CreateBody['kind'],
  { client, afterwards }: Caller,
): Promise<Created> {
  const body = readCreateBody(kind, await readJsonBody(request));
  const key = read(IdempotencyKeySchema, request.headers.get('idempotency-key') ?? '');
  if (!key.ok) throw new ProblemError('idempotency_key_missing');
  const { orderId, order } = await accessOrder(context, request, body.order, () => limits.refusal(client));
  await limits.create(client, orderId);
  if (order === null) return repeatAnswer(context, orderId, body, key.value);
  const callbackUrl = requireReturnUrl(context.settings, request, body.callbackUrl);

  const rowId = rowIds.order(order.orderId);
  const wanted = await prepareStart(context, order, body, key.value, callbackUrl);
  const { record, outcome } = await decideStart(context, rowId, order, wanted);
  if (outcome.outcome !== 'started') return answerOutcome(context, order, record, outcome);

  const { attempt } = outcome;
  const { draft } = attempt;
  if (draft === null) throw new Error('A new attempt has a draft');
  let answered: StoredOrder | undefined;
  try {
    answered = await submit(context, rowId, attempt, draft, wanted.reference);
    return answerAttempt(context, answered?.record ?? record, attempt.id);
  } finally {
    afterwards(() => followUp(context, worker, rowId, wanted.reference, answered));
  }
}

/** Once the service was asked, the order may have work to do: an unclear answer, or events that came before it. */
async function followUp(
  context: CheckoutContext,
  worker: Worker,
  rowId: string,
  reference: string,
  answered: StoredOrder | undefined,
): Promise<void> {
  const order = (await adoptEarlyEvents(context, rowId, reference, answered)) ?? answered;
  if (order === undefined || worker.hasWork(order.record)) await worker.readNow(rowId);
}

/** Nothing new is started for an order that is no longer offered, but a repeated request gets its answer. */
async function repeatAnswer(
  context: CheckoutContext,
  orderId: string,
  body: CreateBody,
  idempotencyKey: string,
): Promise<Created> {
  const record = (await context.repository.read(rowIds.order(orderId)))?.record;
  const same = record?.attempts.find((each) => each.idempotencyKey === idempotencyKey);
  if (record === undefined || same === undefined) throw new ProblemError('not_found');
  if (same.fingerprint !== fingerprintOf(orderId, body)) throw new ProblemError('idempotency_mismatch');
  return answerAttempt(context, record, same.id);
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
    const { order: stored, result } = await context.repository.change(rowId, (before, now) => {
      const known = before && applyPrice(before, order.amountInCents, now);
      const outcome = startAttempt(known ?? newOrder(order.orderId), wanted, now, rules);
      return { record: outcome.outcome === 'started' ? outcome.record : known, result: outcome };
    });
    return { record: stored?.record ?? newOrder(order.orderId), outcome: result };
  } catch (error) {
    // The idempotency key is the only key a payer chooses: it was used for another order.
    if (error instanceof KeyTakenError) throw new ProblemError('idempotency_mismatch');
    throw error;
  }
}
