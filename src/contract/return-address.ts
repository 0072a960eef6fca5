/**
 * How the payer's way back from the bank names the attempt: a query parameter with our own id, because the service
 * does not say what it appends to a `callbackUrl`.
 */
export const RETURN_PARAMETER = 'pay-checkout';

/** The address with the id in its query, before any `#`; an id of an earlier attempt is replaced. */
export function withReturnId(callbackUrl: string, id: string): string {
  const url = new URL(callbackUrl);
  url.searchParams.set(RETURN_PARAMETER, id);
  return url.href;
}
