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

const isReturnPair = (pair: string): boolean => pair.split('=')[0] === RETURN_PARAMETER;

/** An address without the return id, and otherwise letter for letter as it was. */
export function withoutReturnId(url: string): string {
  const [base, hash] = splitOnce(url, '#');
  const [path, query] = splitOnce(base, '?');
  const pairs = query?.split('&') ?? [];
  if (!pairs.some(isReturnPair)) return url;
  const kept = pairs.filter((pair) => !isReturnPair(pair)).join('&');
  return path + (kept === '' ? '' : `?${kept}`) + (hash === undefined ? '' : `#${hash}`);
}

/** An address that names the attempt to come back to, in the query, before any `#`. */
export function withReturnId(url: string, id: ReturnId): string {
  const [base, hash] = splitOnce(withoutReturnId(url), '#');
  const pair = `${RETURN_PARAMETER}=${encodeURIComponent(formatReturnId(id))}`;
  return `${base}${base.includes('?') ? '&' : '?'}${pair}${hash === undefined ? '' : `#${hash}`}`;
}

/** The attempt an address names, or null. */
export function returnIdIn(url: string): ReturnId | null {
  const [base] = splitOnce(url, '#');
  const value = new URLSearchParams(splitOnce(base, '?')[1]).get(RETURN_PARAMETER);
  return value === null ? null : parseReturnId(value);
}

function splitOnce(text: string, mark: string): [string, string | undefined] {
  const index = text.indexOf(mark);
  return index < 0 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
