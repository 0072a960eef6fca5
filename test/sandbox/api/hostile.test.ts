import assert from 'node:assert/strict';
import { describe, test } from 'vitest';
import fc from 'fast-check';
import type * as v from 'valibot';
import { read } from '../../../src/contract/schema.js';
import {
  CreatePaymentLinkSchema,
  CreatePayinSchema,
  CreatePayoutSchema,
} from '../../../src/contract/service/requests.js';
import {
  KeyLookupSchema,
  PayinPageSchema,
  PayinSchema,
  PaymentLinkSchema,
  PayoutSchema,
} from '../../../src/contract/service/resources.js';
import { API_ERRORS, type ApiErrorCode } from '../../../src/sandbox/api/http.js';
import { seedOr, sizeOr } from '../../support/torture.js';
import { brebPayin, first, link, payout, psePayin, startSandbox } from '../harness.js';
import { bytesOf, type HostileRequest, hostileRequests, type Known, toRequest } from './hostile-requests.js';

/**
 * Hostile requests against the sandbox: every answer is a 4xx with a stable code or a valid 2xx.
 */

const REQUESTS_PER_RUN = 40;
const requests = sizeOr(1_000, 10_000);
const seed = seedOr(Math.floor(Math.random() * 2 ** 31));
const numRuns = Math.ceil(requests / REQUESTS_PER_RUN);

type Fetch = (request: Request) => Promise<Response>;
type Service = Awaited<ReturnType<typeof prepared>>;

/** A sandbox with one of everything; the same each time, so that requests can name what is in it. */
async function prepared() {
  const service = startSandbox();
  const payinId = (await service.post('/payins', psePayin)).body.id;
  await service.post('/payins', { ...brebPayin, reference: 'ORDER-2' });
  await service.get('/breb/keys/@PROVEEDOR1');
  const payoutId = (await service.post('/payouts', payout)).body.id;
  const linkId = (await service.post('/payment-links', link)).body.paymentLinkId;
  const { source, checkoutToken } = first(service.engine.payins.filter(({ id }) => id === payinId));
  const known: Known = {
    payinId,
    payoutId,
    linkId,
    deliveryId: first(service.engine.deliveries).id,
    cursor: (await service.get('/payins?limit=1')).body.pageInfo.nextCursor,
    bankToken: source.rail === 'PSE' ? source.bankToken : '',
    checkoutToken,
  };
  return { ...service, known };
}

/** How to read a good answer, by method and path. */
const GOOD_ANSWERS = [
  ['POST', /^\/payins$/, 201, PayinSchema],
  ['GET', /^\/payins$/, 200, PayinPageSchema],
  ['GET', /^\/payins\/[^/]+$/, 200, PayinSchema],
  ['POST', /^\/payouts$/, 201, PayoutSchema],
  ['GET', /^\/breb\/keys\/[^/]+$/, 200, KeyLookupSchema],
  ['POST', /^\/payment-links$/, 201, PaymentLinkSchema],
  ['GET', /^\/payment-links\/[^/]+$/, 200, PaymentLinkSchema],
] as const;

const REQUEST_SCHEMAS = new Map<string, v.GenericSchema>([
  ['/payins', CreatePayinSchema],
  ['/payouts', CreatePayoutSchema],
  ['/payment-links', CreatePaymentLinkSchema],
]);

/** What is wrong with an answer; undefined when nothing is. */
async function fault(hostile: HostileRequest, request: Request, answer: Response, made: number) {
  const { status } = answer;
  const { pathname } = new URL(request.url);
  if (status >= 500) return `${status} is a crash`;
  if (status >= 300 && status < 400) return ['/', '/_'].includes(pathname) ? undefined : 'a redirect';
  if (answer.headers.get('x-request-id') === null) return 'no request id';
  if (status >= 400) return refusalFault(request, answer, made);
  if (bytesOf(hostile) > 64 * 1024 && request.body !== null) return 'a body past the bound was taken';
  const isPage = pathname.startsWith('/_') || pathname === '/';
  if (isPage) return undefined;
  const asked = request.method === 'HEAD' ? 'GET' : request.method;
  const good = GOOD_ANSWERS.find(([method, path]) => path.test(pathname) && method === asked);
  if (!good) return 'an answer from nowhere';
  if (status !== good[2]) return `${status} instead of ${good[2]}`;
  const credential = pathname.startsWith('/payment-links')
    ? /^bearer sandbox-access-token$/i.test(request.headers.get('authorization') ?? '')
    : request.headers.get('x-api-key') === 'sandbox-api-key';
  if (!credential) return 'no credential was asked for';
  if (made !== (status === 201 ? 1 : 0)) return `${made} records made by a ${status}`;
  if (request.method === 'HEAD') return undefined;
  if (!read(good[3], await answer.json()).ok) return 'an answer that its schema refuses';
  if (status !== 201) return undefined;
  const schema = REQUEST_SCHEMAS.get(pathname);
  const sent: unknown = hostile.body.kind === 'text' ? JSON.parse(hostile.body.text) : undefined;
  return schema && (hostile.body.kind === 'stream' || read(schema, sent).ok)
    ? undefined
    : 'an invalid body was taken';
}

async function refusalFault(request: Request, answer: Response, made: number) {
  if (made !== 0) return 'something was made although it was refused';
  if (request.method === 'HEAD') return undefined;
  if (!/^application\/json/.test(answer.headers.get('content-type') ?? '')) {
    return isPagePath(request) ? undefined : 'an error that is not JSON';
  }
  const { code, message, requestId } = (await answer.json()) as Record<string, string>;
  if (code === undefined || !Object.hasOwn(API_ERRORS, code)) return `the unknown code ${code}`;
  const stable = API_ERRORS[code as ApiErrorCode];
  if (stable.status !== answer.status || stable.message !== message) return 'an error that is not stable';
  return requestId === answer.headers.get('x-request-id') ? undefined : 'two request ids';
}

const isPagePath = (request: Request) =>
  /^\/(?:_|bank|checkout|link)(?:\/|$)/.test(new URL(request.url).pathname);

const records = ({ engine }: Service) => engine.payins.length + engine.payouts.length + engine.links.length;
const prototypes = () =>
  [Object.prototype, Array.prototype, Function.prototype].map((prototype) =>
    Reflect.ownKeys(prototype).map(String).join(),
  );
const innocentNames = new Set(Reflect.ownKeys(Object.prototype));
/** So that a planted fault is found once and does not follow the tests after it. */
const cleanUp = () => {
  for (const name of Reflect.ownKeys(Object.prototype)) {
    if (!innocentNames.has(name)) Reflect.deleteProperty(Object.prototype, name);
  }
};

/** Runs the generator; the answer tells the first fault it found, if any. */
async function attack(runs: number, plant?: (service: Service) => Fetch) {
  const { known } = await prepared();
  const before = prototypes();
  let sent = 0;
  const statuses = new Map<number, number>();
  const property = fc.asyncProperty(
    fc.array(hostileRequests(known), { minLength: REQUESTS_PER_RUN, maxLength: REQUESTS_PER_RUN }),
    async (batch) => {
      const service = await prepared();
      const fetch = plant?.(service) ?? service.sandbox.fetch;
      try {
        for (const hostile of batch) {
          const request = toRequest(hostile);
          if (!request) continue;
          const count = records(service);
          const answer = await fetch(request);
          sent += 1;
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const found = await fault(hostile, request, answer, records(service) - count);
          assert.equal(found, undefined, `${found} for ${JSON.stringify(hostile).slice(0, 2_000)}`);
          assert.deepEqual(prototypes(), before, 'a prototype was changed');
        }
      } finally {
        service.sandbox.close();
        cleanUp();
      }
    },
  );
  const result = await fc.check(property, { numRuns: runs, seed, endOnFailure: true });
  return { result, sent, statuses };
}

test(`${requests} hostile requests: every answer is a 4xx with a stable code or a valid 2xx`, async () => {
  const { result, sent, statuses } = await attack(numRuns);
  console.log(
    `seed ${seed}: ${sent} requests sent, answers by status ${JSON.stringify(Object.fromEntries([...statuses].sort()))}`,
  );
  const { errorInstance } = result;
  assert.equal(result.failed, false, `seed ${seed}: ${String(errorInstance)}`);
  // A generator that is refused everywhere, or nowhere, tests little; a handful of requests proves neither.
  if (requests < 1_000) return;
  for (const status of [200, 201, 400, 401, 404, 405, 413, 415]) {
    assert.ok((statuses.get(status) ?? 0) > 0, `no request got ${status}`);
  }
});

describe('planted faults are found', () => {
  /** A sandbox with something wrong before it, after it or in place of it. */
  const plants: Record<string, (service: Service) => Fetch> = {
    'a merge that follows __proto__':
      ({ sandbox }) =>
      async (request) => {
        const text = await request
          .clone()
          .text()
          .catch(() => '');
        try {
          merge({}, JSON.parse(text));
        } catch {
          // Not JSON; the sandbox will say so.
        }
        return sandbox.fetch(request);
      },
    'a path that is decoded without a net':
      ({ sandbox }) =>
      async (request) => {
        try {
          decodeURIComponent(new URL(request.url).pathname);
        } catch {
          return new Response(null, { status: 500 });
        }
        return sandbox.fetch(request);
      },
    'a cursor that is decoded without a net':
      ({ sandbox }) =>
      async (request) => {
        try {
          atob(new URL(request.url).searchParams.get('cursor') ?? '');
        } catch {
          return new Response(null, { status: 500 });
        }
        return sandbox.fetch(request);
      },
    'a body that is parsed without a net':
      ({ sandbox }) =>
      async (request) => {
        const isJson = request.headers.get('content-type') === 'application/json';
        try {
          if (isJson && request.body) await request.clone().json();
        } catch {
          return new Response(null, { status: 500 });
        }
        return sandbox.fetch(request);
      },
    'an error whose code is its message':
      ({ sandbox }) =>
      async (request) => {
        const answer = await sandbox.fetch(request);
        if (answer.status !== 404 || request.method === 'HEAD') return answer;
        return Response.json({ code: `No ${new URL(request.url).pathname}` }, answer);
      },
    'a payin without its date':
      ({ sandbox }) =>
      async (request) => {
        const answer = await sandbox.fetch(request);
        if (answer.status !== 201) return answer;
        const { createdAt: _, ...rest } = (await answer.json()) as Record<string, unknown>;
        return Response.json(rest, { status: 201, headers: answer.headers });
      },
    'an empty key that opens':
      ({ sandbox }) =>
      (request) => {
        if (!request.headers.get('x-api-key')) {
          const copy = new Request(request);
          copy.headers.set('x-api-key', 'sandbox-api-key');
          return sandbox.fetch(copy);
        }
        return sandbox.fetch(request);
      },
    'amounts below one cent that are rounded up':
      ({ sandbox }) =>
      async (request) => {
        const text = await request
          .clone()
          .text()
          .catch(() => '');
        const raised = text.replace(/"amountInCents":(?:0|-\d+|0\.\d+)(?=[,}])/, '"amountInCents":1');
        return sandbox.fetch(raised === text ? request : new Request(request, { body: raised }));
      },
    'a payin that stays although it was refused':
      ({ sandbox, engine }) =>
      async (request) => {
        const answer = await sandbox.fetch(request);
        if (answer.status === 415) engine.createPayin({ ...brebPayin, reference: `${Math.random()}` });
        return answer;
      },
  };

  for (const [name, plant] of Object.entries(plants)) {
    test(name, async () => {
      const { result, sent } = await attack(250, plant);
      console.log(`seed ${seed}: found after ${sent} requests`);
      assert.equal(result.failed, true, `seed ${seed}: nothing was found in ${sent} requests`);
    });
  }
});

function merge(target: Record<string, unknown>, source: unknown): void {
  if (typeof source !== 'object' || source === null) return;
  for (const [name, value] of Object.entries(source)) {
    const into = target[name];
    if (typeof into === 'object' && into !== null) merge(into as Record<string, unknown>, value);
    else if (typeof value !== 'object') target[name] = value;
  }
}
