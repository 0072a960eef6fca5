import type { Hono } from 'hono';
import type * as v from 'valibot';
import { type FieldError, read } from '../../contract/schema.js';
import { BodyError, readBoundedText } from '../../service/bounded-body.js';
import type { EngineRefusal } from '../service/engine-error.js';

/** Every error of the HTTP API. The interface shows no error body, so this shape is the sandbox's own. */
export const API_ERRORS = {
  invalid_request: { status: 400, message: 'The request has invalid fields' },
  malformed_json: { status: 400, message: 'The body is not a JSON object' },
  unauthorized: { status: 401, message: 'The credential of this operation is missing or wrong' },
  forbidden: {
    status: 403,
    message: 'The control API answers only its own pages and programs on this machine',
  },
  not_found: { status: 404, message: 'There is nothing here' },
  method_not_allowed: { status: 405, message: 'This address does not take this method' },
  reference_taken: { status: 409, message: 'Another payin has this reference' },
  already_final: { status: 409, message: 'It has a final status' },
  not_confirmed: { status: 409, message: 'Only a confirmed payin can do this' },
  link_not_payable: { status: 409, message: 'The link is completed or expired; create a new one' },
  payload_too_large: { status: 413, message: 'The body is too large' },
  unsupported_media_type: { status: 415, message: 'The body must be application/json' },
  internal_error: { status: 500, message: 'The service failed' },
  service_unavailable: { status: 503, message: 'The service is not available' },
  gateway_timeout: { status: 504, message: 'The service did not answer in time' },
} as const satisfies Record<string, { status: number; message: string }>;

export type ApiErrorCode = keyof typeof API_ERRORS;

export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly code: ApiErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: ApiErrorCode,
    details: { errors?: readonly FieldError[]; headers?: Readonly<Record<string, string>> } = {},
  ) {
    super(API_ERRORS[code].message);
    this.code = code;
    this.errors = details.errors;
    this.headers = details.headers ?? {};
  }
}

export const invalid = (field: string, code: FieldError['code']) =>
  new ApiError('invalid_request', { errors: [{ field, code }] });

export function errorResponse(error: ApiError, requestId: string): Response {
  const { status, message } = API_ERRORS[error.code];
  const body = { code: error.code, message, ...(error.errors && { errors: error.errors }), requestId };
  return Response.json(body, { status, headers: error.headers });
}

/** Maps an engine error to its HTTP error. */
export function refusalError(code: EngineRefusal): ApiError {
  switch (code) {
    case 'not_found':
    case 'key_unknown':
      return new ApiError('not_found');
    case 'reference_taken':
      return new ApiError(code, { errors: [{ field: 'reference', code: 'not_allowed' }] });
    case 'already_final':
    case 'not_confirmed':
    case 'link_not_payable':
      return new ApiError(code);
    case 'invalid_amount':
      return invalid('confirmedAmountInCents', 'not_allowed');
    case 'amount_too_large':
      return invalid('amountInCents', 'too_large');
    case 'rail_not_allowed':
      return invalid('rail', 'not_allowed');
    case 'bank_unknown':
      return invalid('pse.bank', 'not_allowed');
    case 'key_malformed':
      return invalid('breb.keyString', 'format');
    case 'key_not_looked_up':
      return invalid('breb.keyString', 'not_allowed');
    default:
      return code satisfies never;
  }
}

const sentTexts = new WeakMap<Request, string>();

/** The body's text once `readBody` has read it, for the log of requests; null before, and where there is none. */
export function sentText(request: Request): string | null {
  return sentTexts.get(request) ?? null;
}

/** Far above any request of the interface. */
const MAX_BODY_BYTES = 64 * 1024;

/** The body as the schema reads it. Too large, not JSON, not an object and invalid fields are different errors. */
export async function readBody<Schema extends v.GenericSchema>(
  request: Request,
  schema: Schema,
): Promise<v.InferOutput<Schema>> {
  const type = request.headers.get('content-type')?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new ApiError('unsupported_media_type');
  const text = await readText(request);
  sentTexts.set(request, text);
  const body = parseJson(text);
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new ApiError('malformed_json');
  const reading = read(schema, body);
  if (!reading.ok) throw new ApiError('invalid_request', { errors: reading.errors });
  return reading.value;
}

async function readText(request: Request): Promise<string> {
  try {
    return await readBoundedText(request, MAX_BODY_BYTES);
  } catch (error) {
    // Bytes that are not UTF-8 and a sender that broke off are both no JSON.
    const tooLarge = error instanceof BodyError && error.reason === 'too_large';
    throw new ApiError(tooLarge ? 'payload_too_large' : 'malformed_json');
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new ApiError('malformed_json');
  }
}

/** Answers 405 to the methods that the paths mounted so far do not have. Mounted last, because the first match answers. */
export function refuseOtherMethods(app: Hono): void {
  const routes = app.routes.filter(({ method }) => method !== 'ALL');
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes.filter((route) => route.path === path).map(({ method }) => method);
    app.all(path, () => {
      throw new ApiError('method_not_allowed', { headers: { allow: allowed.sort().join(', ') } });
    });
  }
}
