import { safeUrl } from '../../contract/safe-url.js';
import { namesIn } from '../config.js';

/** The address as a payer may be sent there, or null. `hosts` is the element's `redirect-hosts`, as it was written. */
export function safeAddress(address: string, hosts: string | null): string | null {
  const allowedHosts = hosts === null ? undefined : namesIn(hosts);
  return safeUrl(address, { pageProtocol: location.protocol, allowedHosts });
}
