import type { LinkStatus, StatusNames } from '../contract/status.js';
import { steadyClock, systemClock, type Clock } from './clock.js';
import { requireTimeout } from './deadline.js';
import type { CallerSetup } from './http.js';
import { OPERATIONS, type Credential, type Operation } from './operations.js';
import { DEFAULT_RETRY, type RetryPolicy } from './retry.js';

/** A credential's value, or where to get it when it changes while the client lives. */
export type CredentialSource = string | (() => string | Promise<string>);

export interface ServiceClientOptions {
  /** The service's address, with any path prefix; staging and production have different ones. */
  readonly baseUrl: string;
  /**
   * Lets `baseUrl` be http for a host other than this machine, such as a container of a private network. The key
   * crosses that network in the clear.
   */
  readonly allowHttp?: boolean;
  /** For payins, payouts and key lookups. */
  readonly apiKey?: CredentialSource | undefined;
  /** For payment links. */
  readonly accessToken?: CredentialSource | undefined;
  /** Operations that take another credential than the service's document says. */
  readonly auth?: Readonly<Partial<Record<Operation, Credential>>>;
  /** The platform's `fetch` when absent; a sandbox's `fetch` works without a network. */
  readonly fetch?: (request: Request) => Promise<Response> | Response;
  /** How long one try of a call may take, the reading of its answer included. */
  readonly timeoutMs?: number;
  readonly retry?: Partial<RetryPolicy>;
  /** Names of the list's query parameters, which the service's document does not show. */
  readonly listParameters?: Partial<ListParameters>;
  /** Further status names of payins and payouts and what they mean. */
  readonly statusNames?: StatusNames;
  /** The same for payment links. */
  readonly linkStatusNames?: StatusNames<LinkStatus>;
  readonly clock?: Clock;
  /** Spreads the pauses between tries; 0 up to 1. */
  readonly random?: () => number;
}

export interface ListParameters {
  readonly cursor: string;
  readonly limit: string;
}

const DEFAULT_TIMEOUT_MS = 15_000;
/** Anything else cannot be a header's value, and the runtime's complaint about it would repeat it. */
const HEADER_SAFE = /^[\x21-\x7e]{1,8192}$/;

/** Checked once, so that a mistake in the configuration shows at the start and not at the first payment. */
export function readCallerSetup(options: ServiceClientOptions): CallerSetup {
  const { apiKey, accessToken, auth = {}, fetch, timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  for (const [name, source] of Object.entries({ apiKey, accessToken })) {
    if (typeof source === 'string' && !HEADER_SAFE.test(source)) {
      throw new TypeError(`${name} must be printable ASCII without spaces`);
    }
  }
  requireTimeout(timeoutMs);
  const sources: Record<Credential, CredentialSource | undefined> = { apiKey, accessToken };
  return {
    baseUrl: readBaseUrl(options.baseUrl, options.allowHttp === true),
    // Called through the global object, because browsers refuse a fetch that was taken off it.
    fetch: fetch ?? ((request) => globalThis.fetch(request)),
    timeoutMs,
    retry: { ...DEFAULT_RETRY, ...options.retry },
    clock: steadyClock(options.clock ?? systemClock),
    random: options.random ?? Math.random,
    credentialOf: (operation) => auth[operation] ?? OPERATIONS[operation].credential,
    async revealCredential(credential) {
      const source = sources[credential];
      const value = typeof source === 'function' ? await source() : source;
      return value !== undefined && HEADER_SAFE.test(value) ? value : undefined;
    },
  };
}

function readBaseUrl(text: string, allowHttp: boolean): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const usable =
    url !== undefined &&
    (url.protocol === 'https:' || (url.protocol === 'http:' && (allowHttp || isLoopback(url.hostname)))) &&
    `${url.username}${url.password}${url.search}${url.hash}` === '';
  if (!usable) {
    throw new TypeError(
      'baseUrl must be an https address without credentials, query or fragment; http only for this machine, or with ' +
        'allowHttp: true for a host of your private network',
    );
  }
  return url.href.replace(/\/$/, '');
}

/** The key must not cross a network in the clear. */
function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname);
}
