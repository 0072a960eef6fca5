import type { ConsoleProblem } from '../../contract/console.js';

const STATUSES = {
  unauthenticated: 401,
  wrong_token: 401,
  too_many_sign_ins: 429,
  forbidden: 403,
  invalid_input: 422,
  not_found: 404,
  not_sendable: 409,
  too_many: 503,
  service_away: 502,
  failed: 500,
} as const satisfies Record<ConsoleProblem, number>;

interface FieldFault {
  readonly field: string;
  readonly code: string;
}

/** A refusal, by a code that the page has a sentence for. A section of your own throws it, or answers with it. */
export class ConsoleProblemError extends Error {
  override readonly name = 'ConsoleProblemError';
  readonly problem: ConsoleProblem;
  readonly errors: readonly FieldFault[];
  readonly retryAfterSeconds: number | undefined;

  constructor(problem: ConsoleProblem, errors: readonly FieldFault[] = [], retryAfterSeconds?: number) {
    super(`The console refuses: ${problem}`);
    this.problem = problem;
    this.errors = errors;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  answer(): Response {
    return Response.json(
      { code: this.problem, errors: this.errors },
      {
        status: STATUSES[this.problem],
        headers: {
          'cache-control': 'no-store',
          ...(this.retryAfterSeconds !== undefined && { 'retry-after': String(this.retryAfterSeconds) }),
        },
      },
    );
  }
}
