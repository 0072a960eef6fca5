import type { ConsoleProblem, FieldFault } from '../../contract/merchant/console.js';
import { ServiceError } from '../../service/errors.js';

const STATUSES = {
  unauthenticated: 401,
  wrong_token: 401,
  too_many_sign_ins: 429,
  forbidden: 403,
  invalid_input: 422,
  not_found: 404,
  not_sendable: 409,
  not_payable: 409,
  too_many: 503,
  service_away: 502,
  failed: 500,
} as const satisfies Record<ConsoleProblem, number>;

/** A refusal, by a code that the page has a sentence for. */
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
          'x-content-type-options': 'nosniff',
          ...(this.retryAfterSeconds !== undefined && { 'retry-after': String(this.retryAfterSeconds) }),
        },
      },
    );
  }
}

export type Refusal = readonly [ConsoleProblem, ...faults: FieldFault[]];

interface KitError<Code extends string> extends Error {
  readonly code: Code;
  readonly errors: readonly FieldFault[];
}

/** Waits for the kit, and turns its refusals into problems that the page has a sentence for. */
export function refusedAs<Code extends string>(
  error: abstract new (...given: never[]) => KitError<Code>,
  refusals: Readonly<Record<Code, Refusal>>,
) {
  return <Value>(work: Promise<Value>): Promise<Value> =>
    work.catch((reason: unknown) => {
      if (!(reason instanceof error)) throw reason;
      const [problem, ...faults] = refusals[reason.code];
      throw new ConsoleProblemError(problem, faults.length > 0 ? faults : reason.errors);
    });
}

/** The payment service's failures as the page shows them: only what its user can act on. */
export function refusalOf(error: unknown): ConsoleProblemError | undefined {
  if (error instanceof ConsoleProblemError) return error;
  if (error instanceof RangeError) return new ConsoleProblemError('invalid_input');
  if (!(error instanceof ServiceError)) return undefined;
  switch (error.kind) {
    case 'invalid_input':
      return new ConsoleProblemError('invalid_input', error.fields);
    case 'not_found':
      return new ConsoleProblemError('not_found');
    default:
      return new ConsoleProblemError('service_away');
  }
}
