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

/** An attempt to read again and again. */
export interface WatchTarget extends ReturnId {
  /** What is known of it already, so that the first read can wait for news; null to read at once. */
  readonly version: string | null;
}

// A colon cannot occur in an identifier, so a payin's id never reads as a link's.
export const LINK_PREFIX = 'link:';

/** The attempt a parameter's value names, or null when no attempt could have that id. */
export function parseReturnId(value: string): ReturnId | null {
  const link = value.startsWith(LINK_PREFIX);
  const id = link ? value.slice(LINK_PREFIX.length) : value;
  return /^[\w.~-]{1,128}$/.test(id) ? { kind: link ? 'PAYMENT_LINK' : 'PAYIN', id } : null;
}

/** Path, query and hash. */
const PARTS = /^([^?#]*)\??([^#]*)(.*)$/s;

export const partsOf = (url: string): readonly string[] => PARTS.exec(url) ?? [];

/** What browsers read in a query or in one pair of it; a name may be written with `%`. They drop a `?` in front. */
const parametersIn = (query: string) => new URLSearchParams(`&${query}`);

/** An address without the return id, and otherwise letter for letter as it was. */
export function withoutReturnId(url: string): string {
  const [, path = '', query = '', hash = ''] = partsOf(url);
  const pairs = query.split('&');
  const kept = pairs.filter((pair) => !parametersIn(pair).has(RETURN_PARAMETER));
  return kept.length === pairs.length ? url : path + (kept.length > 0 ? '?' : '') + kept.join('&') + hash;
}

/** The attempt an address names, or null. */
export function returnIdIn(url: string): ReturnId | null {
  const value = parametersIn(partsOf(url)[2] ?? '').get(RETURN_PARAMETER);
  return value === null ? null : parseReturnId(value);
}
