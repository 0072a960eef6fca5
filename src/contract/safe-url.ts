export interface SafeUrlOptions {
  /** `location.protocol` of the page that would follow the address. */
  readonly pageProtocol: string;
  /**
   * Hosts the merchant trusts: `bank.example`, `bank.example:8443`, or `*.bank.example` for its subdomains (not
   * itself). Absent means any host; empty means none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
}

const LONGEST_URL = 2_048;

/**
 * The address as the browser will read it when a payer may be sent there, else null. Spellings that parsers repair
 * silently (spaces, backslashes, missing or extra slashes, empty credentials) are refused: an honest sender does not
 * use them.
 */
export function safeUrl(text: string, { pageProtocol, allowedHosts }: SafeUrlOptions): string | null {
  if (text.length > LONGEST_URL || !/^https?:\/\/[^/?#@]+(?:[/?#]|$)/i.test(text)) return null;
  // Format characters are here too: a bidi override makes an address read as another one.
  if (/[\s\\\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return null;
  const url = parse(text);
  // Read by the browser an address can be longer than it was written: `"` becomes `%22`.
  if (!url || url.href.length > LONGEST_URL || (url.protocol !== 'https:' && url.protocol !== pageProtocol))
    return null;
  return !allowedHosts || allowedHosts.some((entry) => covers(entry, url.host)) ? url.href : null;
}

function covers(entry: string, host: string): boolean {
  const domain = entry.replace(/^\*\./, '');
  // Parsed like the address itself, so that case, accents and a default port do not matter.
  const allowed = parse(`https://${domain}`)?.host;
  return allowed !== undefined && (domain === entry ? host === allowed : host.endsWith(`.${allowed}`));
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
