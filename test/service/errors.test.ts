import assert from 'node:assert/strict';
import { test } from 'vitest';
import { inspect } from 'node:util';
import fc from 'fast-check';
import { SERVICE_ERROR_KINDS, ServiceError, type ServiceClient } from '../../src/service.js';
import {
  ACCESS_TOKEN,
  API_KEY,
  CUSTOMER,
  failure,
  inFakeTime,
  json,
  LINK,
  PAYIN,
  PAYIN_ID,
  PAYOUT,
  payinAnswer,
  scripted,
  silence,
  type Answer,
} from './fixtures.js';

const kinds: [number, string][] = [
  [300, 'unreadable_answer'],
  [304, 'unreadable_answer'],
  [400, 'invalid_input'],
  [401, 'unauthorized'],
  [402, 'refused'],
  [403, 'unauthorized'],
  [404, 'not_found'],
  [405, 'refused'],
  [408, 'unavailable'],
  [409, 'conflict'],
  [410, 'not_found'],
  [413, 'refused'],
  [422, 'invalid_input'],
  [425, 'unavailable'],
  [429, 'rate_limited'],
  [500, 'unavailable'],
  [502, 'unavailable'],
  [503, 'unavailable'],
  [599, 'unavailable'],
];
for (const [status, kind] of kinds) {
  test(`status ${status} is the error ${kind}, with status, request id and operation`, async () => {
    const headers = { 'x-request-id': 'req-42' };
    const answer = () => new Response(status === 304 ? null : '{}', { status, headers });
    const { client } = scripted([answer], { retry: { maxTries: 1 } });
    const error = await failure(client.payins.create(PAYIN));
    assert.deepEqual(
      [error.kind, error.status, error.requestId, error.operation],
      [kind, status, 'req-42', 'payins.create'],
    );
    assert.equal(error.mayHaveHappened, kind === 'unavailable' || kind === 'unreadable_answer');
  });
}

test('the service’s code, field errors and request id are read from the body', async () => {
  const { client } = scripted([
    json(
      {
        code: 'invalid_input',
        message: 'no',
        errors: [
          { field: 'pse.bank', code: 'not_allowed' },
          { field: 'inlineCustomer.phone', code: 'format' },
        ],
        requestId: 'req-7',
      },
      400,
    ),
  ]);
  const error = await failure(client.payins.create(PAYIN));
  assert.equal(error.serviceCode, 'invalid_input');
  assert.equal(error.requestId, 'req-7');
  assert.deepEqual(error.fields, [
    { field: 'pse.bank', code: 'not_allowed' },
    { field: 'inlineCustomer.phone', code: 'format' },
  ]);
});

const FIELD = { field: '', code: 'not_allowed' };

test('other shapes of error bodies are read as far as they make sense', async () => {
  const shapes: [unknown, unknown][] = [
    [{ errors: { amountInCents: ['must be positive'] } }, [{ field: 'amountInCents', code: 'not_allowed' }]],
    [
      { errors: [{ path: ['breb', 'keyType'], code: 'required' }] },
      [{ field: 'breb.keyType', code: 'required' }],
    ],
    [{ errors: ['bad'] }, [{ field: '', code: 'not_allowed' }]],
    [{ errors: 'bad' }, []],
    [{ errors: null }, []],
    [{ errors: Array.from({ length: 60 }, () => 'bad') }, Array.from({ length: 50 }, () => FIELD)],
    [
      { errors: Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`x${index}`, 'bad'])) },
      Array.from({ length: 50 }, () => FIELD),
    ],
    [['bad'], []],
    ['bad', []],
    [null, []],
    [{ error: { code: 'x' } }, []],
  ];
  for (const [body, fields] of shapes) {
    const { client } = scripted([json(body, 400)]);
    const error = await failure(client.payins.create(PAYIN));
    assert.equal(error.kind, 'invalid_input');
    assert.deepEqual(error.fields, fields, JSON.stringify(body));
  }
});

test('an error body that hangs, is too large, or is no text does not hide the status', async () => {
  const bodies: (() => BodyInit)[] = [
    () => new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array([123])) }),
    () => JSON.stringify({ code: 'x', padding: 'x'.repeat(100_000) }),
    () => new Uint8Array([0xff, 0xfe]),
    () => '<html>',
  ];
  for (const body of bodies) {
    const { client, clock } = scripted([() => new Response(body(), { status: 401 })]);
    const error = await inFakeTime(clock, failure(client.payins.retrieve(PAYIN_ID)));
    assert.deepEqual([error.kind, error.status, error.serviceCode], ['unauthorized', 401, null]);
  }
});

test('an answer that is not the promised JSON is unreadable', async () => {
  const answers: Answer[] = [
    new Response('<html>hello</html>'),
    new Response(''),
    new Response(null, { status: 204 }),
    new Response(new Uint8Array([0x22, 0xff, 0x22])),
    json(null),
    json([]),
    json(payinAnswer({ amountInCents: 10.5 })),
    json(payinAnswer({ amountInCents: '4590000' })),
    json(payinAnswer({ currency: 'USD' })),
    json(payinAnswer({ status: 7 })),
    new Response(`{"__proto__":${JSON.stringify(payinAnswer())}}`),
  ];
  for (const answer of answers) {
    const { client, requests } = scripted([answer]);
    assert.equal((await failure(client.payins.retrieve(PAYIN_ID))).kind, 'unreadable_answer');
    assert.equal(requests.length, 1);
  }
});

test('an answer larger than the bound is refused while it streams, and the rest is not read', async () => {
  let pulled = 0;
  let cancelled = false;
  const flood = () =>
    new Response(
      new ReadableStream<Uint8Array>({
        pull(stream) {
          pulled++;
          stream.enqueue(new Uint8Array(65_536).fill(0x20));
        },
        cancel() {
          cancelled = true;
        },
      }),
    );
  const { client } = scripted([flood]);
  assert.equal((await failure(client.payins.retrieve(PAYIN_ID))).kind, 'unreadable_answer');
  assert.ok(pulled <= 20, `${pulled} chunks of 64 KiB were read`);
  assert.ok(cancelled);
});

test('an answer that declares too large a length is refused before it is read', async () => {
  let cancelled = false;
  const body = () => new ReadableStream({ cancel: () => void (cancelled = true) });
  const { client } = scripted([() => new Response(body(), { headers: { 'content-length': '99999999' } })]);
  assert.equal((await failure(client.payins.retrieve(PAYIN_ID))).kind, 'unreadable_answer');
  assert.ok(cancelled);
});

test('a redirect is not followed, so that the key goes nowhere else', async () => {
  const { client, requests } = scripted([Response.redirect('https://elsewhere.example/', 307)]);
  assert.equal((await failure(client.payins.retrieve(PAYIN_ID))).kind, 'unreadable_answer');
  assert.equal(requests[0]?.redirect, 'manual');
  assert.equal(requests.length, 1);
});

/** Every text that must never be in an error: credentials and a person's data, whole and in parts. */
const SECRETS = [
  API_KEY,
  ACCESS_TOKEN,
  'Ximena',
  'Quiñones',
  CUSTOMER.idNumber,
  '3001234567',
  'ximena.q',
  'correo.example',
  '@ximenaq77',
  'ximenaq77',
];
const echo = JSON.stringify({ ...CUSTOMER, key: API_KEY, token: ACCESS_TOKEN, breb: PAYOUT.breb });
const calls: Record<string, (client: ServiceClient) => Promise<unknown>> = {
  'payins.create': (client) => client.payins.create(PAYIN),
  'payouts.create': (client) => client.payouts.create(PAYOUT),
  'keys.lookup': (client) => client.keys.lookup(PAYOUT.breb.keyString),
  'paymentLinks.create': (client) => client.paymentLinks.create(LINK),
  'paymentLinks.retrieve': (client) => client.paymentLinks.retrieve(PAYIN_ID),
};

/** An answer that repeats one text of the request wherever an answer can hold text. */
async function echoing(request: Request, secret: string, status: number): Promise<Response> {
  const sent = [decodeURIComponent(request.url), ...request.headers.values(), await request.text()].join();
  const repeated = sent.includes(secret) ? secret : 'nothing';
  return new Response(
    JSON.stringify({
      code: repeated,
      message: echo,
      requestId: repeated,
      errors: [
        { field: repeated, code: repeated, message: echo },
        { field: `inlineCustomer.${repeated}`, code: 'format' },
        { path: [repeated] },
      ],
    }),
    { status, headers: { 'x-request-id': encodeURIComponent(repeated) } },
  );
}

for (const [operation, call] of Object.entries(calls)) {
  test(`no error of ${operation} carries a key or personal data, whatever the service repeats`, async () => {
    const answers: Answer[] = [
      silence,
      Object.assign(new TypeError(`failed: ${echo}`), { cause: new Error(echo) }),
      new Response(echo),
      ...SECRETS.flatMap((secret) =>
        [400, 401, 409, 500, 302].map((status) => (request: Request) => echoing(request, secret, status)),
      ),
    ];
    for (const answer of answers) {
      const { client, clock } = scripted([answer], { retry: { maxTries: 1 } });
      const error = await inFakeTime(clock, failure(call(client)));
      const visible = [
        error.message,
        String(error),
        error.stack,
        JSON.stringify(error),
        JSON.stringify({ ...error }),
        inspect(error, { depth: 10, showHidden: true }),
      ].join('\n');
      for (const secret of SECRETS) assert.ok(!visible.includes(secret), `${secret} in ${visible}`);
      assert.equal(error.cause, undefined);
    }
  });
}

test('refused input is not repeated by the error about it', async () => {
  const { client } = scripted([json({})]);
  const customer = { ...CUSTOMER, phone: 'tel 3001234567', email: 'ximena.q at correo.example' };
  const error = await failure(client.payins.create({ ...PAYIN, inlineCustomer: customer }));
  assert.deepEqual(
    error.fields.map(({ field }) => field),
    ['inlineCustomer.phone', 'inlineCustomer.email'],
  );
  const visible = `${JSON.stringify(error)}${inspect(error)}`;
  for (const secret of SECRETS) assert.ok(!visible.includes(secret), secret);
});

test('what the caller gave is refused in the name of the call it was for', async () => {
  const { client, requests } = scripted([json({})]);
  const amountInCents = 0;
  const refused = {
    'payins.create': client.payins.create({ ...PAYIN, amountInCents }),
    'payins.retrieve': client.payins.retrieve('..'),
    'payouts.create': client.payouts.create({ ...PAYOUT, amountInCents }),
    'keys.lookup': client.keys.lookup('..'),
    'paymentLinks.create': client.paymentLinks.create({ ...LINK, amountInCents }),
    'paymentLinks.retrieve': client.paymentLinks.retrieve('..'),
  };
  const errors = await Promise.all(Object.values(refused).map(failure));
  assert.deepEqual(
    errors.map(({ kind, operation }) => [kind, operation]),
    Object.keys(refused).map((operation) => ['invalid_input', operation]),
  );
  assert.equal(requests.length, 0);
});

test('a request id that contains a word of the payer’s name is left out, unless the word is short', async () => {
  for (const [name, requestId, shown] of [
    ['Luz Rojas', 'req-rojas-1', null],
    ['Luna Roa', 'req-luna-1', null],
    ['Luna Roa', 'req-roa-1', 'req-roa-1'],
  ] as const) {
    const { client } = scripted([json({ requestId }, 400)]);
    const error = await failure(client.payins.create({ ...PAYIN, inlineCustomer: { ...CUSTOMER, name } }));
    assert.equal(error.requestId, shown, name);
  }
});

test('an error as JSON keeps what a log needs', () => {
  const error = new ServiceError('rate_limited', 'payins.list', {
    status: 429,
    requestId: 'req-1',
    retryAfterMs: 3_000,
  });
  assert.deepEqual(JSON.parse(JSON.stringify(error)), {
    name: 'ServiceError',
    message: 'payins.list: the payment service takes no more requests for now',
    kind: 'rate_limited',
    operation: 'payins.list',
    status: 429,
    requestId: 'req-1',
    serviceCode: null,
    mayHaveHappened: false,
    fields: [],
    retryAfterMs: 3_000,
  });
});

test('whatever the service answers, a call gives a payin or throws a ServiceError of a known kind', async () => {
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.json().map((text) => new TextEncoder().encode(text)),
    fc
      .dictionary(fc.constantFrom(...Object.keys(payinAnswer())), fc.jsonValue())
      .map((changes) => new TextEncoder().encode(JSON.stringify(payinAnswer(changes)))),
  );
  const statuses = fc.integer({ min: 200, max: 599 }).filter((status) => ![204, 205, 304].includes(status));
  await fc.assert(
    fc.asyncProperty(statuses, bytes, async (status, body) => {
      const { client } = scripted([new Response(body, { status })], { retry: { maxTries: 1 } });
      try {
        assert.equal((await client.payins.retrieve(PAYIN_ID)).id, PAYIN_ID);
      } catch (error) {
        assert.ok(error instanceof ServiceError, String(error));
        assert.ok(SERVICE_ERROR_KINDS.includes(error.kind));
      }
    }),
    { numRuns: 500 },
  );
  assert.deepEqual(Object.keys(Object.prototype), []);
});
