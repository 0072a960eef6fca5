/**
 * How the way back from a bank or a hosted page names the attempt it belongs to: the kit adds this parameter to
 * `callbackUrl` before it calls the service (a Basic backend's widget adds it itself), and the widget reads it before
 * anything else on the page it returns to.
 */
export const RETURN_PARAMETER = 'pay-return';

/** Which attempt to read. With a Basic backend `id` is the idempotency key that the widget itself made. */
export interface ReturnId {
  readonly kind: 'PAYIN' | 'PAYMENT_LINK';
  readonly id: string;
}

// A colon cannot occur in an identifier, so a payin's id never reads as a link's.
const LINK_PREFIX = 'link:';

/** The parameter's value, not yet encoded for a URL. */
export function formatReturnId({ kind, id }: ReturnId): string {
  return kind === 'PAYMENT_LINK' ? LINK_PREFIX + id : id;
}

/** The attempt a parameter's value names, or null when no attempt could have that id. */
export function parseReturnId(value: string): ReturnId | null {
  const link = value.startsWith(LINK_PREFIX);
  const id = link ? value.slice(LINK_PREFIX.length) : value;
  return /^[\w.~-]{1,128}$/.test(id) ? { kind: link ? 'PAYMENT_LINK' : 'PAYIN', id } : null;
}
