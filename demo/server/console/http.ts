import type { Context } from 'hono';
import { type FieldError, ServiceError } from '../../../src/service.js';
import type { ConsoleProblem } from '../../../src/console.js';

const STATUSES = {
  unauthenticated: 401,
  wrong_token: 401,
  forbidden: 403,
  invalid_input: 422,
  not_found: 404,
  not_sendable: 409,
  too_many: 503,
  service_away: 502,
  failed: 500,
} as const satisfies Record<ConsoleProblem, number>;

/** A refusal, by a code that the page has a sentence for. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly problem: ConsoleProblem;
  readonly errors: readonly FieldError[];

  constructor(problem: ConsoleProblem, errors: readonly FieldError[] = []) {
    super(`The console refuses: ${problem}`);
    this.problem = problem;
    this.errors = errors;
  }

  answer(context: Context): Response {
    return context.json({ code: this.problem, errors: this.errors }, STATUSES[this.problem]);
  }
}

/** What the payment service's failures are to the page: only what its user can act on. */
export function refusalOf(error: unknown): ConsoleError | undefined {
  if (error instanceof ConsoleError) return error;
  if (!(error instanceof ServiceError)) return undefined;
  switch (error.kind) {
    case 'invalid_input':
      return new ConsoleError('invalid_input', error.fields);
    case 'not_found':
      return new ConsoleError('not_found');
    default:
      return new ConsoleError('service_away');
  }
}
