import { LINK_PREFIX, RETURN_PARAMETER, type ReturnId, partsOf, withoutReturnId } from './return-id.js';

/** An address that names the attempt to come back to, in the query, before any `#`. */
export function withReturnId(url: string, { kind, id }: ReturnId): string {
  const [, path = '', query = '', hash = ''] = partsOf(withoutReturnId(url));
  const value = kind === 'PAYMENT_LINK' ? LINK_PREFIX + id : id;
  const pair = `${RETURN_PARAMETER}=${encodeURIComponent(value)}`;
  return `${path}?${query && `${query}&`}${pair}${hash}`;
}
