import assert from 'node:assert/strict';
import { createSandbox, manualClock, SANDBOX_DEFAULTS, type SandboxOptions } from '../../src/sandbox.js';

export const BASE = 'http://localhost:4010';
export const WEBHOOK_URL = 'http://merchant.test/webhooks';
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/**
 * Whatever an answer may hold, for tests to look into. Nothing here says that a field is there: that is what the
 * tests find out.
 */
export interface Wire {
  readonly [field: string]: unknown;
  readonly code: string;
  readonly errors: { field: string; code: string }[];
  readonly requestId: string;
  readonly id: string;
  readonly status: string;
  readonly settlementStatus: string;
  readonly currency: string;
  readonly callbackUrl: string;
  readonly confirmedAmount: number;
  readonly confirmedAmountInCents: number;
  readonly rail: string;
  readonly reference: string;
  readonly amount: number;
  readonly amountInCents: number;
  readonly createdAt: string;
  readonly updatedAt: string;
  readonly expiresAt: string;
  readonly completedAt: string;
  readonly resultAt: string;
  readonly chargebackAt: string;
  readonly organizationId: string;
  readonly errorCode: string;
  readonly inlineCustomer: unknown;
  readonly paymentLinkId: string;
  readonly paymentLinkUrl: string;
  readonly sourceData: {
    readonly keyType: string;
    readonly keyString: string;
    readonly qrString: string;
    readonly checkoutUrl: string;
    readonly pseUrl: string;
    readonly bank: string;
    readonly cus: string;
  };
  readonly details: { readonly keyString: string; readonly keyType: string };
  readonly data: Wire[];
  readonly pageInfo: {
    readonly hasNext: boolean;
    readonly hasPrevious: boolean;
    readonly nextCursor: string;
    readonly previousCursor: string;
  };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Wire;
}

export interface Received {
  readonly atMs: number;
  readonly event: string;
  readonly method: string;
  readonly body: { readonly event: string; readonly resource: string; readonly data: Wire };
  readonly headers: Headers;
}

/** A sandbox with a clock and a webhook receiver that the test holds in its hands. */
export function startSandbox(
  options: SandboxOptions & { receive?: () => Response | Promise<Response> } = {},
) {
  const clock = manualClock();
  const received: Received[] = [];
  const { receive = () => new Response(null, { status: 200 }), ...rest } = options;
  const sandbox = createSandbox({
    seed: 7,
    clock,
    publicUrl: BASE,
    webhooks: [
      {
        url: WEBHOOK_URL,
        headerName: SANDBOX_DEFAULTS.webhookHeaderName,
        headerValue: SANDBOX_DEFAULTS.webhookHeaderValue,
      },
    ],
    async send(request) {
      const body = (await request.json()) as Received['body'];
      received.push({
        atMs: clock.now(),
        event: body.event,
        method: request.method,
        body,
        headers: request.headers,
      });
      return receive();
    },
    ...rest,
  });
  const { engine } = sandbox;

  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await sandbox.fetch(new Request(BASE + path, init));
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') ?? false;
    const body = (isJson && text !== '' ? JSON.parse(text) : { text }) as Wire;
    return { status: response.status, headers: response.headers, body };
  };
  const credential = (path: string): Record<string, string> =>
    path.startsWith('/payment-links')
      ? { authorization: `Bearer ${SANDBOX_DEFAULTS.accessToken}` }
      : { 'x-api-key': SANDBOX_DEFAULTS.apiKey };

  return {
    sandbox,
    engine,
    clock,
    received,
    send,
    get: (path: string) => send(path, { headers: credential(path) }),
    post: (path: string, body: unknown) =>
      send(path, {
        method: 'POST',
        headers: { ...credential(path), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    /** Lets time go by, with everything that happens in it. */
    pass: (durationMs: number) => clock.advance(durationMs, engine.idle),
    /** The last event that reached the merchant. */
    lastEvent(): Received['body'] {
      return first(received.slice(-1)).body;
    },
    /** The names of the events that reached the merchant, in order of arrival. */
    events: () => received.map(({ event }) => event),
  };
}

/** Enough for an answer that waits for nothing. */
export const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** The first of a list that must have one. */
export function first<Item>(items: readonly Item[]): Item {
  const [item] = items;
  if (item === undefined) throw new Error('There is none');
  return item;
}

export const customer = {
  name: 'Persona de Prueba',
  idType: 'CO_CC',
  idNumber: '1020304050',
  phone: '+573001234567',
  email: 'persona@example.com',
} as const;

export const withDocument = (idNumber: string) => ({ ...customer, idNumber });

export const brebPayin = {
  amountInCents: 5_000_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'ORDER-1',
  breb: { keyType: 'SINGLE_USE' },
} as const;

export const psePayin = {
  amountInCents: 5_000_000,
  currency: 'COP',
  rail: 'PSE',
  reference: 'ORDER-1',
  pse: { bank: 'CO_BANKA', personType: 'INDIVIDUAL' },
  callbackUrl: 'https://shop.example/return',
} as const;

export const payout = {
  amountInCents: 2_500_000,
  currency: 'COP',
  rail: 'BRE_B',
  reference: 'PAYOUT-1',
  inlineCustomer: customer,
  breb: { keyString: '@PROVEEDOR1' },
} as const;

export const link = {
  amountType: 'FIXED',
  amountInCents: 5_000_000,
  reference: 'ORDER-1',
  callbackUrl: 'https://shop.example/return',
} as const;

/** A copy without one member, given as a dotted path. */
export function without(value: object, path: string): Record<string, unknown> {
  return withValue(value, path, undefined);
}

/** A copy with one member set, given as a dotted path. */
export function withValue(value: object, path: string, member: unknown): Record<string, unknown> {
  const copy = structuredClone(value) as Record<string, unknown>;
  const names = path.split('.');
  const last = names.pop() ?? '';
  let target = copy;
  for (const name of names) target = target[name] as Record<string, unknown>;
  if (member === undefined) Reflect.deleteProperty(target, last);
  else target[last] = member;
  return copy;
}

/** A sandbox with one payment link, and what can be done with it. */
export async function withLink() {
  const service = startSandbox();
  const { paymentLinkId } = (await service.post('/payment-links', link)).body;
  const read = async () => (await service.get(`/payment-links/${paymentLinkId}`)).body;
  const pay = () => service.engine.payLink(paymentLinkId, { rail: 'BRE_B', keyType: 'SINGLE_USE' });
  return { ...service, paymentLinkId, read, pay };
}

/** The one event of that name, as the merchant got it. */
export function eventOf(service: ReturnType<typeof startSandbox>, name: string) {
  const found = service.received.filter(({ event }) => event === name);
  if (found.length !== 1) throw new Error(`${name} came ${found.length} times`);
  return first(found).body;
}

/** A sandbox in which a payin or payout has just got the outcome of a document number. */
export async function outcomeOf(path: '/payins' | '/payouts', idNumber: string) {
  const service = startSandbox();
  await service.get('/breb/keys/@PROVEEDOR1');
  const body = path === '/payins' ? brebPayin : payout;
  const made = await service.post(path, { ...body, inlineCustomer: withDocument(idNumber) });
  await service.pass(5_000);
  return { ...service, id: made.body.id, created: made.body };
}

/** The document numbers that decide an outcome. */
export const DOCUMENTS = { confirmed: '1000000001', declined: '1000000003', canceled: '1000000005' } as const;

/** Sends a body with one member missing or changed and expects one field error for it. */
export async function refused(
  path: string,
  body: object,
  field: string,
  code: string,
  service = startSandbox(),
) {
  const answer = await service.post(path, body);
  assert.equal(answer.status, 400, `${field} ${code}`);
  assert.equal(answer.body.code, 'invalid_request');
  assert.deepEqual(answer.body.errors, [{ field, code }]);
}
