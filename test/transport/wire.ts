import fc from 'fast-check';

/** Inputs as they may come over the wire: mostly right, with any part of them broken. */

const timestamps = fc.constantFrom(
  '2026-03-02T12:00:00.000Z',
  '2026-03-02T07:00:00-05:00',
  '2026-03-02T12:00:00.123456789Z',
);
const texts = fc.constantFrom('x', 'Tienda Ñandú', '☕', 'a'.repeat(32));
const ids = fc.constantFrom('a', 'at_0.1~-Z', 'x'.repeat(128));
const addresses = fc.constantFrom('https://bank.example/p?a=1', 'HTTP://bank.example');
const amounts = fc.constantFrom(1, 5_000_000, Number.MAX_SAFE_INTEGER);
const optional = <Value>(arbitrary: fc.Arbitrary<Value>) => fc.option(arbitrary, { nil: undefined });
const nullable = <Value>(arbitrary: fc.Arbitrary<Value>) =>
  fc.oneof(arbitrary, fc.constant(null), fc.constant(undefined));

const merchant = fc.record({
  name: texts,
  taxId: nullable(texts),
  supportEmail: nullable(texts),
  supportPhone: nullable(texts),
  supportWhatsapp: optional(texts),
  payeeName: nullable(texts),
});

const attemptBase = {
  id: ids,
  order: fc.constantFrom('A-1042', "t.o~k:e@n!$'()*+,;=-", 'o'.repeat(512)),
  reference: texts,
  amountInCents: amounts,
  confirmedAmountInCents: nullable(fc.constantFrom(0, 1, 5_000_000)),
  currency: fc.constant('COP'),
  errorCode: nullable(texts),
  createdAt: timestamps,
  updatedAt: timestamps,
  resultAt: nullable(timestamps),
  expiresAt: nullable(timestamps),
  late: optional(fc.boolean()),
  stalled: optional(fc.boolean()),
  merchant,
  description: nullable(texts),
  settlement: fc.record({
    state: fc.constantFrom('OPEN', 'PAID', 'AMOUNT_DIFFERS'),
    by: nullable(ids),
    duplicate: fc.boolean(),
  }),
  version: texts,
  now: timestamps,
  waited: optional(fc.boolean()),
  organizationId: optional(ids),
};
const payinStatuses = fc.constantFrom('PENDING', 'PROCESSING', 'CONFIRMED', 'DECLINED', 'CANCELED');
const banks = fc.constantFrom('CO_BANCOLOMBIA', 'CO_A1_B');
const keyTypes = fc.constantFrom('SINGLE_USE', 'QR_CODE');

export const attempts = fc.oneof(
  fc.record({
    ...attemptBase,
    kind: fc.constant('PAYIN'),
    rail: fc.constant('BRE_B'),
    status: payinStatuses,
    sourceData: nullable(
      fc.record({
        keyType: keyTypes,
        keyString: texts,
        qrString: nullable(fc.constantFrom('', 'data:image/png;base64,AAAA')),
        qrText: nullable(texts),
        checkoutUrl: nullable(addresses),
      }),
    ),
  }),
  fc.record({
    ...attemptBase,
    kind: fc.constant('PAYIN'),
    rail: fc.constant('PSE'),
    status: payinStatuses,
    sourceData: nullable(
      fc.record({
        bank: banks,
        bankName: nullable(texts),
        pseUrl: nullable(addresses),
        cus: nullable(texts),
      }),
    ),
  }),
  fc.record({
    ...attemptBase,
    kind: fc.constant('PAYMENT_LINK'),
    rail: nullable(fc.constantFrom('BRE_B', 'PSE')),
    status: fc.constantFrom('PENDING', 'COMPLETED', 'EXPIRED'),
    paymentLinkUrl: nullable(addresses),
  }),
);

const ODD_TEXTS = fc.constantFrom<unknown>('confirmed', 'APPROVED', 7, null, ['CONFIRMED'], {
  toString: null,
});

/** As a Basic backend passes payins on: without what the kit adds, and with whatever the service may say. */
export const basicPayins = fc
  .record({ payin: attempts, status: fc.oneof(payinStatuses, ODD_TEXTS), cus: fc.oneof(texts, ODD_TEXTS) })
  .map(({ payin, status, cus }) => {
    const { settlement: _, version: _version, now: _now, ...rest } = payin;
    const { sourceData } = payin as { sourceData?: object | null };
    return { ...rest, kind: 'PAYIN', status, ...(sourceData && { sourceData: { ...sourceData, cus } }) };
  });

const requires = fc.uniqueArray(fc.constantFrom('name', 'idType', 'idNumber', 'phone', 'email'));
const payinKind = optional(fc.constant('PAYIN'));

export const offers = fc.record({
  version: texts,
  amountInCents: amounts,
  currency: fc.constant('COP'),
  description: nullable(texts),
  merchant,
  methods: fc.array(
    fc.oneof(
      fc.record({
        kind: payinKind,
        rail: fc.constant('BRE_B'),
        keyType: keyTypes,
        requires,
        ceilingInCents: optional(amounts),
        apps: optional(
          fc.array(fc.record({ name: fc.constant('Nequi'), path: optional(fc.constant('Bre-B')) }), {
            maxLength: 2,
          }),
        ),
      }),
      fc.record({
        kind: payinKind,
        rail: fc.constant('PSE'),
        banks: fc.array(
          fc.record({
            code: banks,
            name: texts,
            aliases: optional(fc.array(texts, { maxLength: 16 })),
            first: optional(fc.nat()),
          }),
          { maxLength: 3 },
        ),
        requires,
      }),
      fc.record({
        kind: fc.constant('PAYMENT_LINK'),
        rail: nullable(fc.constantFrom('BRE_B', 'PSE')),
        bank: nullable(banks),
      }),
    ),
    { maxLength: 4 },
  ),
  hints: optional(
    fc.record({
      name: optional(texts),
      idType: optional(fc.constantFrom('CO_CC', 'PASSPORT')),
      idNumber: optional(texts),
      phone: optional(texts),
      email: optional(texts),
      personType: optional(fc.constantFrom('INDIVIDUAL', 'BUSINESS')),
    }),
  ),
  attempt: nullable(attempts),
  now: timestamps,
});

export const problems = (codes: readonly string[]) =>
  fc.record({
    type: optional(fc.constantFrom('about:blank', '')),
    title: optional(texts),
    status: optional(fc.constantFrom(400, 409, 2 ** 60)),
    code: fc.constantFrom(...codes),
    detail: optional(texts),
    errors: optional(
      fc.array(fc.record({ field: texts, code: fc.constantFrom('required', 'format', 'not_allowed') })),
    ),
    attempt: optional(attempts),
    offer: optional(offers),
    retryAt: optional(timestamps),
  });

/** What a member may be replaced by: the values that readers get wrong. */
const breakages = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    undefined,
    '',
    ' ',
    'A\u0000B',
    'a\u007f',
    'line\nbreak',
    'x'.repeat(33),
    'x'.repeat(65),
    'x'.repeat(129),
    'x'.repeat(256),
    'x'.repeat(600),
    'x'.repeat(3_000),
    0,
    -1,
    1.5,
    2 ** 53,
    NaN,
    Infinity,
    '5000000',
    true,
    [],
    {},
    // Cannot become text.
    { toString: null, valueOf: 1 },
    ['name', 'name', 'name', 'name', 'name', 'name'],
    'CO_bank',
    'constructor',
    '__proto__',
    'PAYIN',
    'PAYMENT_LINK',
    'BRE_B',
    'PSE',
    'APPROVED',
    'COMPLETED',
    'USD',
    '2026-02-30T12:00:00Z',
    '2026-13-01T12:00:00Z',
    '2024-02-29T23:59:59Z',
    '0000-02-29T00:00:00Z',
    '0099-12-31T00:00:00.1+23:59',
    '2026-03-02T24:00:00Z',
    '2026-03-02T12:00:60Z',
    '2026-03-02T12:00:00+24:00',
    '2026-00-10T12:00:00Z',
    '2026-03-02',
    '2026-03-02T12:00:00',
    '2026-03-02T12:00:00.1234567890Z',
    'javascript:alert(1)',
    'https://',
    'https://[bad',
    'ftp://bank.example',
    'http:/bank.example',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

/** A value with one to three of its members, at any depth, replaced or left out. */
export function broken(values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const change = fc.record({ at: fc.nat(), by: breakages, drop: fc.boolean() });
  return fc.tuple(values, fc.array(change, { minLength: 1, maxLength: 3 })).map(([value, changes]) => {
    let result: unknown = structuredClone(value);
    for (const { at, by: given, drop } of changes) {
      // A copy: what is put in may be changed by the next, and the same list inside itself would have no end.
      const by: unknown = structuredClone(given);
      const places: [Record<string, unknown>, string][] = [];
      collect(result, places);
      const place = places[at % Math.max(1, places.length)];
      if (!place) result = by;
      else if (drop) Reflect.deleteProperty(place[0], place[1]);
      else place[0][place[1]] = by;
    }
    return result;
  });
}

function collect(value: unknown, places: [Record<string, unknown>, string][]): void {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    places.push([value as Record<string, unknown>, key]);
    collect(member, places);
  }
}
