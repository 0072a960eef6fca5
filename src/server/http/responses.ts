import { PROBLEM_CONTENT_TYPE, type ProblemCode, PROBLEMS } from '../../contract/problems.js';
import type { FieldError } from '../../contract/schema.js';

/** Answers are plain objects of headers and one string: adapters send those without building anything on top. */

export type HeaderList = Record<string, string>;

const ALWAYS: HeaderList = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
};

const JSON_HEADERS: HeaderList = { ...ALWAYS, 'content-type': 'application/json; charset=utf-8' };

export function jsonText(body: string, status: number, headers: HeaderList): Response {
  return new Response(body, { status, headers: { ...JSON_HEADERS, ...headers } });
}

export interface ProblemExtras {
  readonly errors?: readonly FieldError[];
  /** An attempt or an offer, already as JSON text. */
  readonly attempt?: string;
  readonly offer?: string;
  readonly retryAt?: string;
  readonly detail?: string;
}

/** A refusal with its stable code; thrown inside, turned into an answer at the edge. */
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
  const { attempt, offer, ...rest } = extras;
  const head = JSON.stringify({ type: `urn:pay-checkout:problem:${code}`, title, status, code, ...rest });
  const members = [
    ...(attempt === undefined ? [] : [`"attempt":${attempt}`]),
    ...(offer === undefined ? [] : [`"offer":${offer}`]),
  ];
  const body = [head.slice(0, -1), ...members].join(',') + '}';
  return new Response(body, {
    status,
    headers: { ...ALWAYS, ...more, ...headers, 'content-type': PROBLEM_CONTENT_TYPE },
  });
}
