import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import fc from 'fast-check';
import type { Attempt } from '../../src/contract/backend.js';
import type { StartLink, StartPayin } from '../../src/contract/start.js';
import { PROBLEM_CODES } from '../../src/contract/problems.js';
import { basicLevel } from '../../src/transport/http/basic.js';
import { createHttpTransport } from '../../src/transport/http/http-transport.js';
import { TransportError } from '../../src/transport/port.js';
import { merchant } from '../machine/fixtures.js';
import { seedOr, sizeOr } from '../support/torture.js';
import { attempts, basicPayins, broken, offers, problems } from './wire.js';

/**
 * What the browser makes of an answer, whatever a backend sends. Judged without the schemas that read it. As many as
 * wanted with `npm run torture -- edges`.
 */

const ANSWERS = sizeOr(500, 5_000);
const SEED = seedOr(Date.now() % 1_000_000);
/** Of good answers and of such that are nothing at all a few tell as much. */
const FEWER = Math.ceil(ANSWERS / 6);
const ENOUGH_TO_FIND = 3_000;
const DRAWN_AT_ONCE = 100;

type Members = Readonly<Record<string, unknown>>;

const { signal } = new AbortController();

function transportThatAnswers(status: number, body: unknown) {
  const type = status === 200 ? 'application/json' : 'application/problem+json';
  return createHttpTransport({
    backend: '/',
    basic: basicLevel(
      () => Promise.resolve(null),
      () => ({ order: 'A-1', merchant, description: null }),
    ),
    fetch: async () => new Response(JSON.stringify(body), { status, headers: { 'Content-Type': type } }),
  });
}

/** The value as it was read, or undefined when it was refused. Any other failure fails the test. */
async function refusedOr<Value>(reading: Promise<Value>): Promise<Value | undefined> {
  try {
    return await reading;
  } catch (error) {
    assert.ok(error instanceof TransportError, String(error));
    assert.equal(error.kind, 'MALFORMED');
    return undefined;
  }
}

const readOffer = (body: unknown) =>
  refusedOr(
    transportThatAnswers(200, body)
      .offer('A-1', { signal })
      .then(({ offer }) => offer),
  );

const readAttempt = (body: unknown) =>
  refusedOr(transportThatAnswers(200, body).read({ kind: 'PAYIN', id: 'a' }, { signal }));

const madePayin = (body: unknown) =>
  refusedOr(
    transportThatAnswers(200, body).createPayin({} as StartPayin, { signal, idempotencyKey: 'a-key' }),
  );

const madeLink = (body: unknown) =>
  refusedOr(transportThatAnswers(200, body).createLink({} as StartLink, { signal, idempotencyKey: 'a-key' }));

const readProblem = (body: unknown) =>
  refusedOr(
    transportThatAnswers(409, body)
      .read({ kind: 'PAYIN', id: 'a' }, { signal })
      .then(
        () => assert.fail('an error status was taken for an answer'),
        (error: unknown) => {
          if (error instanceof TransportError && error.kind === 'PROBLEM') return error.problem;
          throw error;
        },
      ),
  );

/** Every member that the contract knows; of anything else a page never sees a trace. */
const KNOWN = new Set(
  [
    'id kind order reference status rail amountInCents confirmedAmountInCents currency sourceData errorCode',
    'createdAt updatedAt resultAt expiresAt late stalled merchant description settlement version now waited',
    'keyType keyString qrString qrText checkoutUrl bank bankName pseUrl cus paymentLinkUrl state by duplicate',
    'name taxId supportEmail supportPhone supportWhatsapp ceilingInCents apps path url payeeName methods hints attempt banks requires code aliases first idType',
    'idNumber phone email personType type title detail errors field offer retryAt',
  ].flatMap((line) => line.split(' ')),
);
const FILLED_IN = [null, false, 'PAYIN'];

/** All that was sent and is known came through as it was; what was left out is null or its default. */
function assertSame(read: unknown, sent: unknown, path: string): void {
  if (typeof sent !== 'object' || sent === null) return assert.deepEqual(read, sent, path);
  if (Array.isArray(sent)) {
    assert.ok(Array.isArray(read) && read.length === sent.length, path);
    return sent.forEach((each, index) => assertSame(read[index], each, `${path}[${index}]`));
  }
  const [from, to] = [sent as Members, read as Members];
  for (const [key, member] of Object.entries(from))
    if (KNOWN.has(key)) assertSame(to[key], member, `${path}.${key}`);
  for (const [key, member] of Object.entries(to)) {
    if (from[key] !== undefined) continue;
    const isDefault = FILLED_IN.includes(member as never) || (key === 'hints' && isEmpty(member));
    assert.ok(isDefault, `${path}.${key} was made up: ${JSON.stringify(member)}`);
  }
}

const isEmpty = (value: unknown) => JSON.stringify(value) === '{}';

/** What the widget relies on in anything that it was given. */
function assertSafe(read: unknown, sent: unknown, path = 'body'): void {
  if (Array.isArray(read)) {
    assert.ok(read.length <= 200, path);
    return read.forEach((each, index) => assertSafe(each, (sent as unknown[])[index], `${path}[${index}]`));
  }
  if (typeof read !== 'object' || read === null) return;
  const { kind, status } = read as Members;
  if (kind !== undefined && status !== undefined) assertStatus(read as Attempt, sent as Members);
  for (const [key, member] of Object.entries(read)) {
    const place = `${path}.${key}`;
    assert.ok(KNOWN.has(key), `${place} is nothing that the contract knows`);
    if (/InCents$/.test(key) && member !== null) {
      assert.ok(Number.isSafeInteger(member) && member >= (key === 'amountInCents' ? 1 : 0), place);
    }
    if (/(At|^now)$/.test(key) && member !== null)
      assert.ok(!Number.isNaN(Date.parse(String(member))), place);
    if (/Url$/.test(key) && member !== null) assert.match(String(member), /^https?:\/\/./i, place);
    if (
      typeof member === 'string' &&
      !['qrString', 'qrText', 'title', 'detail', 'type', 'field'].includes(key)
    ) {
      assert.match(member, /^[^\x00-\x1f\x7f]{1,2048}$/, place);
    }
    assertSafe(member, (sent as Members | undefined)?.[key], place);
  }
}

/** Money has arrived only where the backend says so by the very name. */
function assertStatus({ kind, status }: Attempt, sent: Members): void {
  const known =
    kind === 'PAYIN'
      ? ['PENDING', 'PROCESSING', 'CONFIRMED', 'DECLINED', 'CANCELED']
      : ['PENDING', 'COMPLETED', 'EXPIRED'];
  // With words of its own: node would look for the expression in the source, which takes minutes where it is one line.
  assert.ok(known.includes(status), `${status} is no status`);
  const isOpen = status === (kind === 'PAYIN' ? 'PROCESSING' : 'PENDING');
  const isSame = status === sent['status'] || (isOpen && !known.includes(sent['status'] as string));
  assert.ok(isSame, `${JSON.stringify(sent['status'])} became ${status}`);
}

const overTheWire = (value: unknown): unknown =>
  value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);

/** Without its settlement an answer is a Basic backend's, whose members are filled in. */
const brokenAttempts = fc.oneof(broken(attempts), basicPayins, broken(basicPayins));

for (const [name, read, values, brokenValues] of [
  ['an offer', readOffer, offers, broken(offers)],
  ['an attempt', readAttempt, attempts, brokenAttempts],
  ['a payin that was made', madePayin, attempts, brokenAttempts],
  ['a link that was made', madeLink, attempts, brokenAttempts],
  ['a problem', readProblem, problems(PROBLEM_CODES), broken(problems(PROBLEM_CODES))],
] as const) {
  describe(`reading ${name}`, () => {
    it('takes every good one as it is, without unknown members', async () => {
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const sent = overTheWire(value);
          const taken = await read(sent);
          assert.ok(taken, 'it was refused');
          assertSame(taken, sent, name);
          assertSafe(taken, sent);
        }),
        { numRuns: FEWER, seed: SEED },
      );
    });

    it('refuses a broken one, or takes of it only what is safe', async () => {
      const count = { taken: 0, refused: 0 };
      await fc.assert(
        fc.asyncProperty(brokenValues, async (value) => {
          const sent = overTheWire(value);
          const taken = await read(sent);
          count[taken ? 'taken' : 'refused']++;
          if (taken) assertSafe(taken, sent);
        }),
        { numRuns: ANSWERS, seed: SEED },
      );
      console.log(`${name}, seed ${SEED}: ${count.taken} taken, ${count.refused} refused`);
      // Both sides of the line were walked.
      assert.ok(count.taken > ANSWERS / 30 && count.refused > ANSWERS / 3, JSON.stringify(count));
    });

    it('survives anything at all', async () => {
      await fc.assert(
        fc.asyncProperty(fc.jsonValue(), async (value) => {
          const taken = await read(value);
          if (taken) assertSafe(taken, value);
        }),
        { numRuns: FEWER, seed: SEED },
      );
    });
  });
}

/** Readers with a mistake, which the judge above must not let pass. */
const upperCased = (sent: unknown) => {
  const { status, ...rest } = Object(sent) as Members;
  return { ...rest, status: typeof status === 'string' ? status.toUpperCase() : status };
};
for (const [defect, read] of [
  ['takes an answer as it came', async (sent: unknown) => sent],
  ['knows a status in whatever case', (sent: unknown) => readAttempt(upperCased(sent))],
  [
    'passes on what it does not know',
    async (sent: unknown) =>
      (await readAttempt(sent)) && { ...(sent as object), ...(await readAttempt(sent)) },
  ],
] as const) {
  it(`the answers find a reader that ${defect}`, async () => {
    for (let tried = 0; tried < ENOUGH_TO_FIND; tried += DRAWN_AT_ONCE) {
      for (const value of fc.sample(brokenAttempts, { numRuns: DRAWN_AT_ONCE, seed: SEED + tried })) {
        const sent = overTheWire(value);
        const taken = await read(sent);
        try {
          if (taken) assertSafe(taken, sent);
        } catch (error) {
          console.log(`found after ${tried} answers: ${(error as Error).message.split('\n')[0]}`);
          return;
        }
      }
    }
    assert.fail(`${ENOUGH_TO_FIND} answers saw nothing wrong with it`);
  });
}

const STATUSES = [
  200, 201, 202, 204, 205, 206, 299, 400, 401, 403, 404, 405, 409, 418, 422, 429, 500, 501, 599,
];
/** Anything that HTTP can carry: pages of proxies, other types, statuses without sense, hints to come back in a century. */
const httpAnswers = fc.record({
  status: fc.constantFrom(...STATUSES),
  type: fc.constantFrom(
    'application/json',
    'application/problem+json',
    'text/html',
    'APPLICATION/PROBLEM+JSON; x',
    '',
  ),
  retryAfter: fc.constantFrom(
    '',
    '0',
    '7',
    '9'.repeat(400),
    '-1',
    '1e9',
    'NaN',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Mon, 01 Jan 0001',
    'soon',
  ),
  body: fc.oneof(
    fc.constantFrom(
      '',
      '<html>',
      '{',
      'null',
      '\u0000',
      '[]'.repeat(3),
      `${'['.repeat(5_000)}`,
      '{"__proto__":{"status":"CONFIRMED"}}',
    ),
    brokenAttempts.map((value) => JSON.stringify(overTheWire(value))),
    broken(problems(PROBLEM_CODES)).map((value) => JSON.stringify(overTheWire(value))),
    fc.string({ unit: 'binary' }),
  ),
});

it('ends every call with what is safe or with one named error, whatever HTTP brings', async () => {
  const ends = new Map<string, number>();
  await fc.assert(
    fc.asyncProperty(httpAnswers, fc.nat(3), async ({ status, type, retryAfter, body }, which) => {
      const transport = createHttpTransport({
        backend: '/',
        basic: basicLevel(
          () => Promise.resolve(null),
          () => ({ order: 'A-1', merchant, description: null }),
        ),
        fetch: async () =>
          new Response(status === 204 || status === 205 ? null : body, {
            status,
            headers: { 'Content-Type': type, ...(retryAfter && { 'Retry-After': retryAfter }) },
          }),
      });
      const creating = { signal, idempotencyKey: 'a-key' };
      const calls = [
        () => transport.offer('A-1', { signal }),
        () => transport.read({ kind: 'PAYMENT_LINK', id: 'a' }, { signal }),
        () => transport.createPayin({} as StartPayin, creating),
        () => transport.createLink({} as StartLink, creating),
      ];
      try {
        const taken = await calls[which]?.();
        assert.ok(status < 300, `${status} was taken for an answer`);
        assertSafe(which === 0 ? (taken as { offer: unknown }).offer : taken, JSON.parse(body));
        ends.set('taken', (ends.get('taken') ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof TransportError)) throw error;
        ends.set(error.kind, (ends.get(error.kind) ?? 0) + 1);
        assert.ok(!(error.retryAfterMs !== null && error.retryAfterMs < 0), 'a wait of less than nothing');
        assert.ok(error.message.length < 2_000, 'a message that repeats the answer');
      }
    }),
    { numRuns: ANSWERS, seed: SEED },
  );
  console.log(`calls ended: ${[...ends].map(([end, count]) => `${end} ${count}`).join(', ')}`);
  for (const end of ['taken', 'MALFORMED', 'PROBLEM', 'HTTP', 'MISCONFIGURED']) assert.ok(ends.has(end), end);
});

const AT = '2026-03-02T12:00:00.000Z';
const payin = {
  id: 'at_1',
  kind: 'PAYIN',
  order: 'A-1',
  reference: 'A-1-1',
  status: 'PROCESSING',
  rail: 'BRE_B',
  amountInCents: 5_000_000,
  currency: 'COP',
  sourceData: { keyType: 'QR_CODE', keyString: '@TIENDA', checkoutUrl: 'https://pay.example/c' },
  createdAt: AT,
  updatedAt: AT,
  merchant: { name: 'Tienda' },
  settlement: { state: 'OPEN', by: null, duplicate: false },
  version: '1',
  now: AT,
};

describe('an attempt that was read', () => {
  it('is open with an unknown status, on a rail and as a link', async () => {
    for (const status of ['APPROVED', 'COMPLETED', 'confirmed', 'constructor', '', 7, null, undefined]) {
      assert.equal((await readAttempt({ ...payin, status }))?.status, 'PROCESSING', String(status));
      const link = { ...payin, kind: 'PAYMENT_LINK', status: status === 'COMPLETED' ? 'CONFIRMED' : status };
      assert.equal((await readAttempt(link))?.status, 'PENDING', String(status));
    }
  });

  it('is refused with one member that the widget could not trust', async () => {
    const wrong: Readonly<Record<string, readonly unknown[]>> = {
      id: ['', '../x', 'a b', 'x'.repeat(129), 7, null],
      kind: ['REFUND'],
      order: ['', 'a b', 'x'.repeat(513)],
      reference: ['', 'a\u0000', 'x'.repeat(257)],
      rail: ['CARD', null, 'PSE'],
      amountInCents: [0, -1, 1.5, 2 ** 53, '5000000', null],
      confirmedAmountInCents: [-1, 0.5, '1'],
      currency: ['USD', null],
      createdAt: ['2026-03-02', '2026-02-30T12:00:00Z', '2026-03-02T12:00:00', '2026-03-02T24:00:00Z', 0],
      merchant: [null, {}, { name: '' }, { name: 'x'.repeat(121) }],
      settlement: [
        { state: 'DONE', by: null, duplicate: false },
        { state: 'PAID', by: null },
      ],
      version: ['', 'x'.repeat(65), 1],
      now: [null, 'now'],
      late: ['yes', null],
      sourceData: [
        'x',
        { keyType: 'OTHER', keyString: '@TIENDA' },
        { keyType: 'QR_CODE' },
        { keyType: 'QR_CODE', keyString: '@TIENDA', checkoutUrl: 'javascript:alert(1)' },
        { keyType: 'QR_CODE', keyString: '@TIENDA', checkoutUrl: 'https://[bad' },
        { keyType: 'QR_CODE', keyString: '@TIENDA', qrString: 'x'.repeat(256_001) },
      ],
    };
    assert.ok(await readAttempt(payin));
    for (const [key, members] of Object.entries(wrong)) {
      for (const member of members) {
        const text = `${key}: ${JSON.stringify(member).slice(0, 80)}`;
        assert.equal(await readAttempt({ ...payin, [key]: member }), undefined, text);
      }
    }
  });

  it('names the fields that are wrong to the page’s engineer, and never what is in them', async () => {
    const body = { version: '1', amountInCents: 'secret', merchant: { name: 'Tienda', taxId: 7 } };
    const error: unknown = await transportThatAnswers(200, body)
      .offer('A-1', { signal })
      .catch((reason: unknown) => reason);
    assert.ok(error instanceof TransportError);
    assert.match(error.message, /: amountInCents, .*merchant\.taxId/);
    assert.doesNotMatch(`${error.message} ${JSON.stringify(error.cause)}`, /secret/);
  });
});
