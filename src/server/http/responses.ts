import type { Attempt, Offer } from '../../contract/backend.js';
import { PROBLEM_CONTENT_TYPE, type ProblemCode, PROBLEMS } from '../../contract/problems.js';
import type { FieldError } from '../../contract/schema.js';

export type HeaderList = Record<string, string>;

const ALWAYS: HeaderList = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const JSON_HEADERS: HeaderList = { ...ALWAYS, 'content-type': 'application/json; charset=utf-8' };

export function json(body: unknown, status: number, headers: HeaderList): Response {
  return jsonText(JSON.stringify(body), status, headers);
}

export function jsonText(text: string, status: number, headers: HeaderList): Response {
  return new Response(text, { status, headers: { ...JSON_HEADERS, ...headers } });
}

export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  readonly attempt?: Attempt;
  readonly offer?: Offer;
  readonly retryAt?: string;
  readonly detail?: string;
}

/** A refusal with its stable code; thrown inside, turned into an answer by the routes. */
export class ProblemError extends Error {
  override readonly name = 'ProblemError';
  readonly code: ProblemCode;
  readonly extras: ProblemExtras;
  readonly headers: HeaderList;

  constructor(code: ProblemCode, extras: ProblemExtras = {}, headers: HeaderList = {}) {
    super(PROBLEMS[code].title);
    this.code = code;
    this.extras = extras;
    this.headers = headers;
  }
}

export function problem({ code, extras, headers }: ProblemError, more: HeaderList): Response {
  const { status, title } = PROBLEMS[code];
  const body = { type: `urn:pay-checkout:problem:${code}`, title, status, code, ...extras };
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...ALWAYS, ...more, ...headers, 'content-type': PROBLEM_CONTENT_TYPE },
  });
}
