import type { FieldError } from '../../contract/schema.js';

export type PayoutErrorCode =
  /** There is no such order, payment or payout, or the draft has lapsed. */
  | 'not_found'
  /** It has changed since: another person, tab or instance was quicker. */
  | 'stale'
  /** More than came in less what went back; `returnableInCents` is what is left. */
  | 'too_large'
  /** The key belongs to another person than was expected, and `receiverAccepted` was not given. */
  | 'receiver_differs'
  /** Another payout or payment has the reference. */
  | 'reference_taken'
  | 'invalid_input'
  /** The payment could not be read again, so it is not known whether the payer's bank took it back. */
  | 'service_unavailable';

/** Why no draft was made, or why it was not sent. Nothing has left. */
export class PayoutError extends Error {
  override readonly name = 'PayoutError';
  readonly code: PayoutErrorCode;
  readonly errors: readonly FieldError[];
  readonly returnableInCents: number | null;

  constructor(
    code: PayoutErrorCode,
    details: { readonly errors?: readonly FieldError[]; readonly returnableInCents?: number } = {},
  ) {
    super(`The payout was not taken: ${code}`);
    this.code = code;
    this.errors = details.errors ?? [];
    this.returnableInCents = details.returnableInCents ?? null;
  }
}
