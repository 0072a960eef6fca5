import { type Parsed, refuse } from './parsed.js';

export interface SafeUrlOptions {
  /** `location.protocol` of the page that would follow the address. */
  readonly pageProtocol: string;
  /**
   * Hosts the merchant trusts: `bank.example`, `bank.example:8443`, or `*.bank.example` for its subdomains (not
   * itself). Absent means any host; empty means none.
   */
  readonly allowedHosts?: readonly string[] | undefined;
}

export type UrlRefusal =
  | 'required'
  | 'too_long'
  | 'invalid_characters'
  | 'not_absolute'
  | 'protocol_not_allowed'
  | 'has_credentials'
  | 'malformed'
  | 'host_not_allowed';

const LONGEST_URL = 2_048;

/**
 * Decides whether a payer may be sent to an address from the wire, and gives it back as the browser will read
 * it. Spellings that parsers repair silently (spaces, backslashes, missing or extra slashes) are refused: an
 * honest sender does not use them.
 */
export function safeUrl(text: string, options: SafeUrlOptions): Parsed<{ url: string }, UrlRefusal> {
  if (text === '') return refuse('required');
  if (text.length > LONGEST_URL) return refuse('too_long');
  // Format characters are here too: a bidi override makes an address read as another one.
  if (/[\s\\\p{Cc}\p{Cf}\p{Cs}]/u.test(text)) return refuse('invalid_characters');

  const scheme = /^([a-z][a-z0-9+.-]*):/i.exec(text)?.[1]?.toLowerCase();
  if (scheme === undefined) return refuse('not_absolute');
  if (scheme !== 'https' && !(scheme === 'http' && options.pageProtocol === 'http:')) {
    return refuse('protocol_not_allowed');
  }
  const authority = /^[a-z]+:\/\/([^/?#]+)/i.exec(text)?.[1];
  if (authority === undefined) return refuse('not_absolute');
  // The text, not the parsed URL, because parsing drops an empty user name.
  if (authority.includes('@')) return refuse('has_credentials');

  const url = parse(text);
  if (!url) return refuse('malformed');
  if (options.allowedHosts && !options.allowedHosts.some((entry) => covers(entry, url.host))) {
    return refuse('host_not_allowed');
  }
  return { ok: true, url: url.href };
}

function covers(entry: string, host: string): boolean {
  const wildcard = entry.startsWith('*.');
  // Parsed like the address itself, so that case, accents and a default port do not matter.
  const allowed = parse(`https://${wildcard ? entry.slice(2) : entry}`)?.host;
  if (!allowed) return false;
  return wildcard ? host.endsWith(`.${allowed}`) : host === allowed;
}

function parse(text: string): URL | null {
  try {
    return new URL(text);
  } catch {
    return null;
  }
}
