import type * as v from 'valibot';
import { StartLinkSchema, StartPayinSchema } from '../../contract/start.js';
import { withReturnId } from '../../contract/return-address.js';
import { read, type Reading } from '../../contract/schema.js';
import type { CheckoutContext } from '../context.js';
import { newReference, randomId } from '../ids.js';
import { documentEndOf } from '../orders/masks.js';
import type { Choice } from '../orders/record.js';
import type { StartRequest } from '../orders/start-attempt.js';
import { mergeCustomer } from './customer.js';
import type { OfferedMethod, PreparedOrder } from './offer.js';
import { ProblemError } from './responses.js';

/** What a request to create an attempt asks for, checked against the offer. */

export type CreateBody =
  | (v.InferOutput<typeof StartPayinSchema> & { kind: 'PAYIN' })
  | (v.InferOutput<typeof StartLinkSchema> & { kind: 'PAYMENT_LINK' });

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

/** What a repeated request must have in common with the first one. */
export function fingerprintOf(orderId: string, body: CreateBody): string {
  const detail =
    body.kind === 'PAYIN' && body.rail === 'BRE_B' ? body.breb.keyType : (body.pse?.bank ?? null);
  return JSON.stringify([orderId, body.kind, body.rail ?? null, detail, body.replaces ?? null]);
}

export async function prepareStart(
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
