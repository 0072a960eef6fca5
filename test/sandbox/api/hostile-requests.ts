import fc from 'fast-check';
import { SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { BASE, brebPayin, customer, link, payout, psePayin } from '../harness.js';

/** Requests nobody sane sends: broken and malicious bodies, headers, cursors and paths, often close to valid ones. */
export interface HostileRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: HostileBody;
}

export type HostileBody =
  | { readonly kind: 'none' }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'bytes'; readonly bytes: Uint8Array<ArrayBuffer> }
  /** Sent in pieces without a length; with `breaks` the sender dies after the last one. */
  | { readonly kind: 'stream'; readonly pieces: readonly string[]; readonly breaks: boolean };

/** What the prepared sandbox knows, for requests that come close. */
export interface Known {
  readonly payinId: string;
  readonly payoutId: string;
  readonly linkId: string;
  readonly deliveryId: string;
  readonly cursor: string;
  readonly bankToken: string;
  readonly checkoutToken: string;
}

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'PROPFIND'];

const evilText = fc.oneof(
  fc.constantFrom(
    '__proto__',
    'constructor',
    'prototype',
    'toString',
    'hasOwnProperty',
    '',
    ' ',
    '\u0000',
    '\ud800',
    '‮',
    '../../etc/passwd',
    '<script>alert(1)</script>',
    "' OR 1=1 --",
    '${7*7}',
    'javascript:alert(1)',
    'data:text/html,x',
    '-0',
    'NaN',
    '1e309',
    'true',
    'null',
    '[object Object]',
    'A'.repeat(300),
    '9'.repeat(400),
  ),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ maxLength: 40 }),
);

const evilValue: fc.Arbitrary<unknown> = fc.oneof(
  evilText,
  fc.constantFrom<unknown>(null, true, 0, -1, 0.1, 1e308, -1e308, 2 ** 53, 1e-7, [], {}, [[]], [1]),
  fc.constantFrom<unknown>('A'.repeat(5_000), { length: 1e9 }, { toString: 1 }, { valueOf: null }),
  fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown>,
);

const VALID_BODIES: readonly [path: string, body: object][] = [
  ['/payins', { ...brebPayin, reference: 'HOSTILE-1', inlineCustomer: customer }],
  ['/payins', { ...psePayin, reference: 'HOSTILE-2', inlineCustomer: customer }],
  ['/payouts', payout],
  ['/payment-links', { ...link, rail: 'PSE', pse: { bank: 'CO_NEQUI' }, inlineCustomer: customer }],
  ['/_/api/mishaps', { scope: 'everywhere', scenario: 'underpaid', on: true }],
  ['/_/api/mishaps', { scope: 'next', scenario: 'overpaid', count: 2 }],
  ['/_/api/webhooks', { targets: [{ url: 'http://m.test/', headerName: 'x-s', headerValue: 'v' }] }],
];

/** Where the wanted members of a body are, as the names that lead to them. */
function pathsOf(
  value: unknown,
  wanted: (member: unknown) => boolean,
  prefix: readonly string[] = [],
): string[][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const path = [...prefix, name];
    return [...(wanted(member) ? [path] : []), ...pathsOf(member, wanted, path)];
  });
}

const isNumber = (member: unknown) => typeof member === 'number';

interface Change {
  readonly at: number;
  readonly how: 'replace' | 'remove' | 'add' | 'count';
  readonly name: string;
  readonly value: unknown;
}

const evilNumber = fc.constantFrom(0, -1, 0.5, -0.1, 1.5, 2 ** 53, 1e21, 1e308);

const change: fc.Arbitrary<Change> = fc.oneof(
  fc.record({
    at: fc.nat(30),
    how: fc.constantFrom('replace' as const, 'remove' as const, 'add' as const),
    name: evilText,
    value: evilValue,
  }),
  // Where money is counted, a wrong number is worth more than a wrong type.
  fc.record({ at: fc.nat(30), how: fc.constant('count' as const), name: fc.constant(''), value: evilNumber }),
);

/** A valid body with a few members replaced, removed or added; `__proto__` is a member like any other. */
function spoil(body: object, changes: readonly Change[]): string {
  const copy = copyOf(body);
  for (const { at, how, name, value } of changes) {
    const paths = pathsOf(copy, how === 'count' ? isNumber : () => true);
    if (paths.length === 0) continue;
    const path = [...(paths[at % paths.length] ?? [])];
    const last = path.pop() ?? '';
    let target: unknown = copy;
    for (const step of path) target = Object.getOwnPropertyDescriptor(target, step)?.value;
    const member = how === 'add' ? name : last;
    if (how === 'remove') Reflect.deleteProperty(target as object, member);
    else {
      const made = { value: copyOf(value), enumerable: true, configurable: true, writable: true };
      Object.defineProperty(target, member, made);
    }
  }
  return JSON.stringify(copy);
}

const copyOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

const POLLUTION = [
  '{"__proto__":{"polluted":true}}',
  '{"constructor":{"prototype":{"polluted":true}}}',
  '{"inlineCustomer":{"__proto__":{"polluted":true}},"rail":"BRE_B"}',
  '{"rail":"__proto__"}',
  '{"rail":"constructor","breb":{"__proto__":{"keyType":"QR_CODE"}}}',
];

const rawText = fc.oneof(
  fc.constantFrom(...POLLUTION),
  fc.constantFrom(
    '',
    'null',
    '[]',
    '0',
    '"x"',
    '{',
    '{"a":',
    '{"a":1,}',
    '\ufeff{}',
    '{}{}',
    'NaN',
    "{'a':1}",
  ),
  fc.integer({ min: 100, max: 20_000 }).map((depth) => '['.repeat(depth)),
  fc.integer({ min: 100, max: 5_000 }).map((depth) => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)),
  fc.integer({ min: 60_000, max: 200_000 }).map((length) => JSON.stringify({ a: 'x'.repeat(length) })),
  fc.json({ maxDepth: 4 }),
  evilText,
);

const body: fc.Arbitrary<HostileBody> = fc.oneof(
  fc.constant<HostileBody>({ kind: 'none' }),
  rawText.map((text): HostileBody => ({ kind: 'text', text })),
  fc
    .uint8Array({ maxLength: 200 })
    .map((bytes): HostileBody => ({ kind: 'bytes', bytes: Uint8Array.from(bytes) })),
  fc
    .tuple(fc.array(rawText, { minLength: 1, maxLength: 4 }), fc.boolean())
    .map(([pieces, breaks]): HostileBody => ({ kind: 'stream', pieces, breaks })),
);

const goodHeaders: (readonly [string, string])[] = [
  ['content-type', 'application/json'],
  ['x-api-key', SANDBOX_DEFAULTS.apiKey],
  ['authorization', `Bearer ${SANDBOX_DEFAULTS.accessToken}`],
];

const evilHeader: fc.Arbitrary<readonly [string, string]> = fc.oneof(
  fc.tuple(
    fc.constantFrom('content-type'),
    fc.constantFrom(
      '',
      'text/plain',
      'application/jsonx',
      'application/json; charset=utf-16',
      'a'.repeat(5_000),
    ),
  ),
  fc.tuple(fc.constantFrom('x-api-key', 'authorization'), evilText),
  fc.tuple(
    fc.constantFrom('authorization'),
    fc.constantFrom(
      'Bearer',
      'Bearer ',
      `bearer ${SANDBOX_DEFAULTS.accessToken} x`,
      'Basic eDp5',
      'Bearer null',
    ),
  ),
  fc.tuple(fc.constantFrom('content-length'), fc.constantFrom('-1', '0', '99999999999', 'x', '1, 2')),
  fc.tuple(
    fc.constantFrom(
      'origin',
      'host',
      'sec-fetch-site',
      'x-forwarded-host',
      'accept',
      'range',
      'cookie',
      'expect',
    ),
    fc.oneof(fc.constantFrom('null', 'https://evil.example', BASE, 'cross-site', 'same-origin'), evilText),
  ),
  fc.tuple(fc.constantFrom('__proto__', 'constructor', 'x-http-method-override'), evilText),
);

const headers = fc.oneof(
  { weight: 4, arbitrary: fc.constant(goodHeaders) },
  { weight: 3, arbitrary: fc.array(evilHeader, { maxLength: 3 }).map((evil) => [...goodHeaders, ...evil]) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(fc.subarray(goodHeaders), fc.array(evilHeader, { maxLength: 3 }))
      .map((h) => h.flat()),
  },
);

const encodedSegment = evilText.map((text) => encodeURIComponent(text.replace(/[\ud800-\udfff]/g, '')));
const rawSegment = fc.constantFrom(
  '%',
  '%0',
  '%00',
  '%2e%2e',
  '%2F',
  '%E0%A4%A',
  '%ff%fe',
  '%C0%AF',
  ';',
  ';a=b',
  ':id',
  '*',
  '%25%32%35',
  '\\',
  'a'.repeat(6_000),
);

function paths(known: Known): fc.Arbitrary<string> {
  const segment = fc.oneof(
    fc.constantFrom(
      known.payinId,
      known.linkId,
      known.payoutId,
      known.deliveryId,
      known.payinId.toUpperCase(),
    ),
    encodedSegment,
    rawSegment,
  );
  const place = fc.oneof(
    fc.constantFrom('/payins', '/payouts', '/payment-links', '/breb/keys', '/', '/_', '/_/api/state'),
    segment.map((id) => `/payins/${id}`),
    segment.map((key) => `/breb/keys/${key}`),
    segment.map((id) => `/payment-links/${id}`),
    fc
      .tuple(
        fc.constantFrom('payins', 'payouts', 'links', 'deliveries'),
        segment,
        fc.constantFrom('settle', 'settlement', 'chargeback', 'expire', 'pay', 'resend'),
      )
      .map(([kind, id, verb]) => `/_/api/${kind}/${id}/${verb}`),
    fc.array(segment, { maxLength: 4 }).map((segments) => `/${segments.join('/')}`),
    segment.map((tail) => `/payins${tail}`),
  );
  const value = fc.oneof(
    encodedSegment,
    rawSegment,
    fc.constantFrom(
      known.cursor,
      known.cursor.slice(1),
      `${known.cursor}=`,
      '1',
      '0',
      '100',
      '101',
      '-1',
      '1e2',
    ),
    fc.string({ maxLength: 60 }).map((text) => btoa(unescape(encodeURIComponent(text)))),
    fc
      .tuple(fc.constantFrom('older', 'newer', 'x'), fc.integer())
      .map(([way, at]) => btoa(`payins ${way} ${at}`)),
  );
  const query = fc
    .array(fc.tuple(fc.constantFrom('cursor', 'limit', 'limit', 'cursor', '__proto__', 'token'), value), {
      maxLength: 3,
    })
    .map((pairs) => (pairs.length === 0 ? '' : `?${pairs.map((pair) => pair.join('=')).join('&')}`));
  return fc.tuple(place, query).map((parts) => parts.join(''));
}

export function hostileRequests(known: Known): fc.Arbitrary<HostileRequest> {
  const spoiled = fc
    .tuple(fc.constantFrom(...VALID_BODIES), fc.array(change, { maxLength: 3 }), headers)
    .map(([[path, valid], changes, sent]): HostileRequest => ({
      method: path.endsWith('webhooks') ? 'PUT' : 'POST',
      path,
      headers: sent,
      body: { kind: 'text', text: spoil(valid, changes) },
    }));
  const odd = fc.record({ method: fc.constantFrom(...METHODS), path: paths(known), headers, body });
  const list = fc.record({
    method: fc.constant('GET'),
    path: paths(known).map((path) => `/payins${path.includes('?') ? path.slice(path.indexOf('?')) : ''}`),
    headers,
    body: fc.constant<HostileBody>({ kind: 'none' }),
  });
  const posted = fc.record({
    method: fc.constant('POST'),
    path: fc.constantFrom(
      '/payins',
      '/payouts',
      '/payment-links',
      '/_/api/mishaps',
      `/_/api/payins/${known.payinId}/settle`,
    ),
    headers,
    body,
  });
  // What the platform itself refuses to send never reaches anyone.
  return fc.oneof(spoiled, odd, list, posted).filter((hostile) => toRequest(hostile) !== undefined);
}

/** The request, or undefined when the platform itself would not send it. */
export function toRequest(hostile: HostileRequest): Request | undefined {
  const bodiless = hostile.method === 'GET' || hostile.method === 'HEAD';
  try {
    const sent = bodiless ? null : streamOrText(hostile.body);
    return new Request(BASE + hostile.path, {
      method: hostile.method,
      headers: hostile.headers
        .filter(([, value]) => !/[\r\n\0]/.test(value))
        .map(([name, value]): [string, string] => [name, value]),
      body: sent,
      ...(sent instanceof ReadableStream ? { duplex: 'half' } : {}),
    });
  } catch {
    return undefined;
  }
}

/** How many bytes the request carries, as far as they are sent. */
export function bytesOf(hostile: HostileRequest): number {
  const length = (text: string) => new TextEncoder().encode(text).length;
  switch (hostile.body.kind) {
    case 'none':
      return 0;
    case 'text':
      return length(hostile.body.text);
    case 'bytes':
      return hostile.body.bytes.length;
    case 'stream':
      return hostile.body.pieces.reduce((sum, piece) => sum + length(piece), 0);
    default:
      return hostile.body satisfies never;
  }
}

function streamOrText(hostile: HostileBody): BodyInit | null {
  switch (hostile.kind) {
    case 'none':
      return null;
    case 'text':
      return hostile.text;
    case 'bytes':
      return hostile.bytes;
    case 'stream': {
      const pieces = [...hostile.pieces];
      return new ReadableStream<Uint8Array>({
        pull(controller) {
          const piece = pieces.shift();
          if (piece !== undefined) controller.enqueue(new TextEncoder().encode(piece));
          else if (hostile.breaks) controller.error(new Error('The sender is gone'));
          else controller.close();
        },
      });
    }
    default:
      return hostile satisfies never;
  }
}
