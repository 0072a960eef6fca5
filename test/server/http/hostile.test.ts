import assert from 'node:assert/strict';
import { test } from 'vitest';
import fc from 'fast-check';
import { AttemptSchema, OfferSchema, ProblemSchema } from '../../../src/contract/backend.js';
import { read } from '../../../src/contract/schema.js';
import { seedOr, sizeOr } from '../../support/torture.js';
import { WEBHOOK } from '../../support/kit.js';
import { BACKEND, openWorld, SHOP } from '../world.js';

/** Whatever is sent, to every address: an answer of the contract, with a stable code, and never a fault of ours. */

const REQUESTS = sizeOr(250, 1_000);
const SEED = seedOr(3);
const BATCH = 1_000;
const REACHED = [
  'method_not_allowed',
  'origin_not_allowed',
  'unsupported_media_type',
  'payload_too_large',
  'invalid_request',
  'idempotency_key_missing',
  'not_found',
  'webhook_unauthorized',
  'webhook_unreadable',
];

const nasty = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '%00',
    '\u202e',
    'a'.repeat(5_000),
    "' OR 1=1--",
    '{{7*7}}',
  ),
);
const field = fc.oneof(
  nasty,
  fc.double(),
  fc.integer(),
  fc.boolean(),
  fc.constant(null),
  fc.jsonValue({ maxDepth: 3 }),
);
const headerText = fc.string({ unit: fc.constantFrom(...'aZ09-_ .:/,;="\'<>\\'), maxLength: 80 });

const startBody = (order: string) =>
  fc.record(
    {
      order: fc.oneof(fc.constant(order), field),
      offerVersion: field,
      rail: fc.oneof(fc.constantFrom('BRE_B', 'PSE'), field),
      breb: fc.oneof(
        fc.record({ keyType: fc.oneof(fc.constantFrom('QR_CODE', 'SINGLE_USE'), field) }),
        field,
      ),
      pse: fc.oneof(fc.record({ bank: fc.oneof(fc.constant('CO_BBVA'), field), personType: field }), field),
      inlineCustomer: fc.oneof(
        fc.record({ name: field, idType: field, idNumber: field, phone: field, email: field }),
        field,
      ),
      callbackUrl: fc.oneof(
        fc.constant(SHOP),
        nasty.map((text) => `https://shop.test/${text}`),
        field,
      ),
      replaces: field,
      override: field,
    },
    { requiredKeys: [] },
  );

/** One field of a right request is wrong, so that what comes behind the other checks is reached as well. */
const spoiltBody = (order: string) =>
  fc
    .tuple(fc.constantFrom('order', 'offerVersion', 'breb', 'callbackUrl', 'replaces', 'x'), field)
    .map(([name, value]) => ({
      order,
      rail: 'BRE_B',
      breb: { keyType: 'QR_CODE' },
      callbackUrl: SHOP,
      [name]: value,
    }));
const likely = (right: string) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: headerText });

test(`${REQUESTS} hostile requests per endpoint get answers of the contract, and no 5xx`, async () => {
  const world = await openWorld({ work: false, options: { maxAttempts: 3 } });
  const order = await world.token();
  const { attempt } = await world.startBreb();
  const bodies = fc.oneof(
    startBody(order).map((body) => JSON.stringify(body)),
    spoiltBody(order).map((body) => JSON.stringify(body)),
    nasty,
    fc.jsonValue().map((body) => JSON.stringify(body)),
    fc.constant(`${'['.repeat(8_000)}`),
  );
  const headers = fc.record(
    {
      'content-type': likely('application/json'),
      'idempotency-key': likely('a-hostile-but-valid-key'),
      origin: likely(SHOP),
      [WEBHOOK.header]: likely(WEBHOOK.secret),
      'content-length': fc.constantFrom('0', '-1', '99999999999', 'x'),
      cookie: headerText,
    },
    { requiredKeys: ['content-type', 'idempotency-key', WEBHOOK.header] },
  );
  const query = fc.record({
    after: nasty,
    wait: fc.oneof(fc.constantFrom('0', '-1', '1e9', '99999'), nasty),
  });
  const segment = fc.oneof(fc.constantFrom(order, attempt.id), nasty).map(encodeURIComponentSafely);
  const methods = fc.constantFrom('GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'HEAD');
  const paths = [
    '/orders/:x',
    '/payins',
    '/payins/:x',
    '/payment-links',
    '/payment-links/:x',
    '/webhooks',
    '/:x',
  ];

  const codes = new Set<string>();
  const answered = new Set<string>();
  for (const path of paths) {
    const requests = fc.tuple(methods, segment, headers, bodies, query);
    for (const [method, part, sent, body, { after, wait }] of samples(requests, REQUESTS)) {
      const asked = path.startsWith('/payins/') || path.startsWith('/payment-links/');
      const search = asked
        ? `?after=${encodeURIComponentSafely(after)}&wait=${encodeURIComponentSafely(wait)}`
        : '';
      const request = build(`${BACKEND}${path.replace(':x', part)}${search}`, method, sent, body);
      if (request === undefined) continue;
      const answer = await world.checkouts[0]?.fetch(request);
      assert.ok(
        answer !== undefined && answer.status < 500,
        `${method} ${path} gave ${answer?.status} for ${body}`,
      );
      if (method === 'HEAD' || answer.status === 204) continue;
      if (answer.status < 400) {
        if (path === '/webhooks') continue;
        const schema = path === '/orders/:x' ? OfferSchema : AttemptSchema;
        assert.ok(read(schema, await answer.json()).ok, `${method} ${path} gave what is not in the contract`);
        answered.add(path);
        continue;
      }
      assert.equal(answer.headers.get('content-type'), 'application/problem+json');
      const reading = read(ProblemSchema, await answer.json());
      assert.ok(reading.ok, `${method} ${path} gave a problem that is none`);
      assert.equal(reading.value.status, answer.status);
      codes.add(reading.value.code);
    }
  }
  for (const path of ['/orders/:x', '/payins/:x']) assert.ok(answered.has(path), path);
  for (const code of REACHED) assert.ok(codes.has(code), `no request came as far as ${code}`);
  assert.deepEqual(
    world.logged.filter(({ level }) => level === 'error'),
    [],
  );
  assert.ok(world.engine.payins.length <= 3);
  await world.close();
});

/** In batches, so that a long run does not hold all of them at once. */
function* samples<Value>(arbitrary: fc.Arbitrary<Value>, count: number): Iterable<Value> {
  for (let done = 0; done < count; done += BATCH) {
    yield* fc.sample(arbitrary, { numRuns: Math.min(BATCH, count - done), seed: SEED + done });
  }
}

function encodeURIComponentSafely(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return '%ff%';
  }
}

/** Undefined for what no client could send. */
function build(
  url: string,
  method: string,
  headers: Record<string, string>,
  body: string,
): Request | undefined {
  try {
    const hasBody = method !== 'GET' && method !== 'HEAD' && method !== 'OPTIONS';
    return new Request(url, { method, headers, ...(hasBody ? { body } : {}) });
  } catch {
    return undefined;
  }
}
