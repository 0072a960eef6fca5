import { ApiError } from './http.js';

/**
 * The host must be this machine's or the sandbox's own, so that a name someone points here opens nothing (DNS
 * rebinding). What changes something must come from one of the sandbox's own pages, or from a program, which sends no
 * `Origin`. Together with the JSON content type that every change needs, no form and no script of another site gets
 * through; reading is what browsers already keep other sites from.
 */
export function onlyFromHere(request: Request, publicUrl: string): void {
  const url = new URL(request.url);
  const isOwnHost = url.host === new URL(publicUrl).host || isLoopback(url.hostname);
  const reads = request.method === 'GET' || request.method === 'HEAD';
  if (!isOwnHost || !(reads || isOwnPage(request, publicUrl))) throw new ApiError('forbidden');
}

/** Whether a request comes from a page of this host, or of the name a proxy gives it, or from a program. */
export function isOwnPage({ url, headers }: Request, publicUrl: string): boolean {
  const origin = headers.get('origin');
  if (origin !== null) {
    return URL.canParse(origin) && [url, publicUrl].some((own) => new URL(own).host === new URL(origin).host);
  }
  const site = headers.get('sec-fetch-site');
  return site === null || site === 'same-origin' || site === 'none';
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === 'localhost' ||
    hostname.endsWith('.localhost') ||
    hostname === '[::1]' ||
    /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
