import assert from 'node:assert/strict';
import { manualClock, type ManualClock } from '../../src/sandbox/service/clock.js';
import {
  createServiceClient,
  ServiceError,
  type CreatePaymentLink,
  type CreatePayin,
  type CreatePayout,
  type ServiceClient,
  type ServiceClientOptions,
} from '../../src/service.js';

export const API_KEY = 'key_live_5f2c9a7d';
export const ACCESS_TOKEN = 'token_live_81be33e0';
export const PAYIN_ID = '2f1c8a52-5be1-4b55-9f0e-3c1de0f4a001';
export const LINK_ID = '7b0d4c1e-93a8-4d0b-8f52-64f5e2c7a002';

export const CUSTOMER = {
  name: 'Ximena Quiñones',
  idType: 'CO_CC',
  idNumber: '1032456789',
  phone: '+573001234567',
  email: 'ximena.q@correo.example',
} as const;

export const PAYIN: CreatePayin = {
  amountInCents: 4_590_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'order-1001',
  inlineCustomer: CUSTOMER,
  breb: { keyType: 'SINGLE_USE' },
};

export const PAYOUT: CreatePayout = {
  amountInCents: 1_000_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'refund-7',
  inlineCustomer: CUSTOMER,
  breb: { keyString: '@ximenaq77' },
};

export const LINK: CreatePaymentLink = {
  amountType: 'FIXED',
  amountInCents: 4_590_000,
  reference: 'order-1002',
  callbackUrl: 'https://shop.example/back',
  inlineCustomer: CUSTOMER,
};

export const RECEIVER = {
  name: 'Ximena Quiñones',
  documentType: 'CO_CC',
  documentNumber: '1032456789',
  bankAccountNumber: '000123456789',
  keyString: '@ximenaq77',
  keyType: 'ALPHANUMERIC',
  bankName: 'Banco de Prueba',
};

export function payinAnswer(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: PAYIN_ID,
    amount: 45_900,
    amountInCents: 4_590_000,
    confirmedAmount: null,
    confirmedAmountInCents: null,
    currency: 'COP',
    status: 'PROCESSING',
    settlementStatus: null,
    rail: 'BRE_B',
    reference: 'order-1001',
    createdAt: '2026-01-15T15:00:00.000Z',
    updatedAt: '2026-01-15T15:00:00.000Z',
    organizationId: '0c9a3b0e-1111-4222-8333-444455556666',
    sourceData: { keyType: 'SINGLE_USE', keyString: '@K9F3A', checkoutUrl: 'https://pay.example/c' },
    ...changes,
  };
}

export function payoutAnswer(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    id: PAYIN_ID,
    amount: 10_000,
    currency: 'COP',
    status: 'PROCESSING',
    rail: 'BRE_B',
    reference: 'refund-7',
    createdAt: '2026-01-15T15:00:00.000Z',
    updatedAt: '2026-01-15T15:00:00.000Z',
    sourceData: { keyString: '@ximenaq77' },
    ...changes,
  };
}

export function linkAnswer(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    paymentLinkId: LINK_ID,
    paymentLinkUrl: 'https://pay.example/l/7b0d',
    status: 'PENDING',
    createdAt: '2026-01-15T15:00:00.000Z',
    expiresAt: '2026-01-15T16:00:00.000Z',
    ...changes,
  };
}

export function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json', ...headers },
  });
}

/** A service that gives the scripted answers in turn, the last one again and again, and keeps what it was sent. */
export interface ScriptedService {
  readonly client: ServiceClient;
  readonly requests: Request[];
  readonly clock: ManualClock;
}

export type Answer = Response | Error | ((request: Request) => Response | Promise<Response>);

export function scripted(
  answers: readonly Answer[],
  options: Partial<ServiceClientOptions> = {},
): ScriptedService {
  const requests: Request[] = [];
  const clock = manualClock();
  const client = createServiceClient({
    baseUrl: 'https://service.example/v1/',
    apiKey: API_KEY,
    accessToken: ACCESS_TOKEN,
    clock,
    random: () => 0,
    fetch(request) {
      requests.push(request);
      const answer = answers[Math.min(requests.length, answers.length) - 1];
      assert.ok(answer, 'the script has an answer');
      if (answer instanceof Error) throw answer;
      return answer instanceof Response ? answer.clone() : answer(request);
    },
    ...options,
  });
  return { client, requests, clock };
}

/** An answer that never comes, not even when the request is called off. */
export const silence = (): Promise<Response> => new Promise(() => undefined);

/** Lets everything that is ready run. */
export const idle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** The work's result, with time moving on as fast as something waits for it. */
export async function inFakeTime<Value>(clock: ManualClock, work: Promise<Value>): Promise<Value> {
  let over = false;
  const done = () => {
    over = true;
  };
  work.then(done, done);
  await idle();
  while (!over) {
    const dueAtMs = clock.nextDueAtMs();
    if (dueAtMs !== undefined) await clock.advance(dueAtMs - clock.now(), idle);
    await idle();
  }
  return work;
}

export async function failure(work: Promise<unknown>): Promise<ServiceError> {
  const error: unknown = await work.then(
    () => assert.fail('the call was expected to fail'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ServiceError, `expected a ServiceError, got ${String(error)}`);
  return error;
}
