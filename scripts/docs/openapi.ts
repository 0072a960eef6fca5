/** Writes docs/backend.openapi.json from the schemas of the wire: `tsx scripts/docs/openapi.ts`. */
import { writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { toJsonSchemaDefs } from '@valibot/to-json-schema';
import { format, resolveConfig } from 'prettier';
import {
  AttemptSchema,
  BrebAttemptSchema,
  LinkAttemptSchema,
  OfferSchema,
  OrderTokenSchema,
  ProblemSchema,
  PseAttemptSchema,
  SettlementSchema,
} from '../../src/contract/backend.js';
import {
  BankSchema,
  BrebAppSchema,
  BrebMethodSchema,
  HintsSchema,
  LinkMethodSchema,
  MerchantSchema,
  MethodSchema,
  PseMethodSchema,
} from '../../src/contract/offer.js';
import {
  GivenCustomerSchema,
  IdempotencyKeySchema,
  StartLinkSchema,
  StartPayinSchema,
} from '../../src/contract/start.js';
import { PROBLEM_CONTENT_TYPE, type ProblemCode, PROBLEMS } from '../../src/contract/problems.js';
import { identifier, timestamp } from '../../src/contract/fields.js';
import { contractExamples, type Example } from './contract-examples.js';
import { PROPERTIES } from './openapi-properties.js';
import { describeProperties } from './openapi-text.js';

export const OPENAPI_FILE = new URL('../../docs/backend.openapi.json', import.meta.url);

export const SCHEMAS = {
  Attempt: AttemptSchema,
  Bank: BankSchema,
  BrebApp: BrebAppSchema,
  BrebAttempt: BrebAttemptSchema,
  BrebMethod: BrebMethodSchema,
  GivenCustomer: GivenCustomerSchema,
  Hints: HintsSchema,
  IdempotencyKey: IdempotencyKeySchema,
  Identifier: identifier,
  LinkAttempt: LinkAttemptSchema,
  LinkMethod: LinkMethodSchema,
  Merchant: MerchantSchema,
  Method: MethodSchema,
  Offer: OfferSchema,
  OrderToken: OrderTokenSchema,
  Problem: ProblemSchema,
  PseAttempt: PseAttemptSchema,
  PseMethod: PseMethodSchema,
  Settlement: SettlementSchema,
  StartLink: StartLinkSchema,
  StartPayin: StartPayinSchema,
  Timestamp: timestamp,
};

type SchemaName = keyof typeof SCHEMAS;

const ref = (name: SchemaName) => ({ $ref: `#/components/schemas/${name}` });
const json = (name: SchemaName) => ({ 'application/json': { schema: ref(name) } });

/** Every operation's refusals; the same ones the kit gives. */
const ANYWHERE: readonly ProblemCode[] = ['rate_limited', 'internal_error', 'store_unavailable'];
const POSTING: readonly ProblemCode[] = [
  'invalid_request',
  'origin_not_allowed',
  'payload_too_large',
  'unsupported_media_type',
];
const STARTING: readonly ProblemCode[] = [
  ...POSTING,
  'idempotency_key_missing',
  'return_url_not_allowed',
  'not_found',
  'offer_changed',
  'already_paid',
  'not_current',
  'pse_in_progress',
  'idempotency_mismatch',
  'method_unavailable',
  'service_refused',
  'too_many_attempts',
  'service_unavailable',
];

/** Problems by their status, each with the codes it may carry. */
function problems(codes: readonly ProblemCode[]): Record<string, unknown> {
  const byStatus = new Map<number, ProblemCode[]>();
  for (const code of [...codes, ...ANYWHERE]) {
    const { status } = PROBLEMS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, each]) => [
      String(status),
      {
        description: each.map((code) => `\`${code}\`: ${PROBLEMS[code].title}.`).join(' '),
        content: { [PROBLEM_CONTENT_TYPE]: { schema: ref('Problem') } },
      },
    ]),
  );
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: true,
  description: 'Made by the widget for one wish of the payer; the same key and wish give the same attempt.',
  schema: ref('IdempotencyKey'),
  example: 'b4b6f0c2-6e5d-4f7a-9a0e-2f6f1c3d8e90',
};

const waiting = [
  {
    name: 'after',
    in: 'query',
    description: 'The version the caller knows. With `wait`, the answer is held until the version differs.',
    schema: { type: 'string', maxLength: 64 },
    example: 'v7',
  },
  {
    name: 'wait',
    in: 'query',
    description: 'How many seconds to hold the answer at most. A backend that cannot hold ignores it.',
    schema: { type: 'integer', minimum: 0, maximum: 25 },
    example: 25,
  },
];

function startOperation(noun: string, body: SchemaName, answer: SchemaName): object {
  const content = json(answer);
  return {
    summary: `Start paying an order by ${noun}`,
    description: 'No amount is accepted: the price is the order’s. Answers carry `Cache-Control: no-store`.',
    parameters: [idempotencyKey],
    requestBody: { required: true, content: json(body) },
    responses: {
      '200': { description: 'An attempt is open already: this one.', content: json('Attempt') },
      '201': { description: 'Started; what the payer needs is in it.', content },
      '202': { description: 'The service’s answer is unclear or still running: read the attempt.', content },
      ...problems(STARTING),
    },
  };
}

function readOperation(noun: string, answer: SchemaName): object {
  return {
    summary: `How ${noun} stands`,
    parameters: [
      {
        name: 'id',
        in: 'path',
        required: true,
        description: 'The attempt’s id.',
        schema: ref('Identifier'),
        example: '8c1f0b6e2d9a4f57',
      },
      ...waiting,
    ],
    responses: {
      '200': { description: 'The attempt now.', content: json(answer) },
      ...problems(['invalid_request', 'not_found']),
    },
  };
}

interface Operation {
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
type Content = Record<string, { examples?: Record<string, object> }>;

/** Puts each request and each answer into the place that the document has for it. */
function addExamples(
  paths: Readonly<Record<string, Partial<Record<Example['method'], unknown>>>>,
  examples: readonly Example[],
): void {
  for (const { path, method, title, request, status, contentType, answer } of examples) {
    const operation = paths[path]?.[method] as Operation | undefined;
    const places = [
      [operation?.requestBody?.content['application/json'], request],
      [operation?.responses[status]?.content?.[contentType], answer],
    ] as const;
    for (const [place, value] of places)
      if (place && value) place.examples = { ...place.examples, [title]: { value } };
  }
}

function buildOpenApi(examples: readonly Example[]) {
  const schemas = toJsonSchemaDefs(SCHEMAS, {
    target: 'draft-2020-12',
    // What only a program can check: control characters, dates that exist.
    ignoreActions: ['check'],
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    overrideAction({ valibotAction, jsonSchema }) {
      if (valibotAction.type === 'safe_integer') return { ...jsonSchema, type: 'integer' };
      // The only pattern with a flag is that of web addresses, whose scheme may be in capitals.
      const { requirement } = valibotAction as { requirement?: unknown };
      return requirement instanceof RegExp && requirement.flags !== ''
        ? { ...jsonSchema, format: 'uri' }
        : undefined;
    },
  });
  describeProperties(schemas, PROPERTIES);
  const document = {
    openapi: '3.1.0',
    info: {
      title: 'pay-checkout backend contract',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
      description:
        'What the widget asks of a merchant’s backend. Paths are relative to the widget’s `backend` attribute. ' +
        'The kit (`pay-checkout/server`) answers all of it; a Basic backend answers `POST /payins` and ' +
        '`GET /payins/{id}` by passing the service’s payin through, without personal data. docs/problems.md says ' +
        'what each problem means and what the widget does with it.',
    },
    servers: [{ url: '/', description: 'Wherever the backend is mounted.' }],
    paths: {
      '/orders/{order}': {
        get: {
          summary: 'The offer: the price and the ways to pay it',
          parameters: [
            {
              name: 'order',
              in: 'path',
              required: true,
              description: 'The order’s token, which the shop’s page put into the element.',
              schema: ref('OrderToken'),
              example: 'A-1042.5Yw0hVt1xJ2kQm7r',
            },
          ],
          responses: {
            '200': { description: 'The offer.', content: json('Offer') },
            ...problems(['not_found']),
          },
        },
      },
      '/payins': { post: startOperation('Bre-B or PSE', 'StartPayin', 'Attempt') },
      '/payins/{id}': { get: readOperation('a payin', 'Attempt') },
      '/payment-links': { post: startOperation('the service’s hosted page', 'StartLink', 'LinkAttempt') },
      '/payment-links/{id}': { get: readOperation('a payment link', 'LinkAttempt') },
      '/webhooks': {
        post: {
          summary: 'Where the payment service delivers its events',
          description: 'Authenticated by the one static header that the merchant set at the service.',
          requestBody: { required: true, content: { 'application/json': { schema: { type: 'object' } } } },
          responses: {
            '200': { description: 'Stored. Whether it is true is found out by reading the payment.' },
            ...problems(['webhook_unreadable', 'webhook_unauthorized', 'not_found', 'payload_too_large']),
          },
        },
      },
    },
    components: { schemas },
  };
  addExamples(document.paths, examples);
  return document;
}

export async function openApiText(): Promise<string> {
  const config = await resolveConfig(OPENAPI_FILE);
  return format(JSON.stringify(buildOpenApi(await contractExamples())), { ...config, parser: 'json' });
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  writeFileSync(OPENAPI_FILE, await openApiText());
}
