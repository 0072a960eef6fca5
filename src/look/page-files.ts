/**
 * A page that the package ships built: `index.html`, and files in `assets` whose names change with their content. Who
 * serves it is given the files, because only Node can read them; `pay-checkout/node` has `pageFiles` for that.
 */

/** Bytes of a file of the page by its name, or undefined when there is none. */
export type PageFiles = (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined>;

const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
};

/** No inline code, no other host, no frame; `lit-html` is the name under which Lit makes its templates. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types lit-html',
].join('; ');

const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
} as const;

/** The page itself, under a strict policy; undefined when it is not among the files. */
export async function pageAnswer(files: PageFiles): Promise<Response | undefined> {
  return fileAnswer(files, 'index.html', {});
}

/** One file of the page's `assets`. */
export async function assetAnswer(files: PageFiles, name: string): Promise<Response | undefined> {
  if (!/^[\w-][\w.-]*$/.test(name)) return undefined;
  return fileAnswer(files, `assets/${name}`, { 'cache-control': 'public, max-age=31536000, immutable' });
}

async function fileAnswer(
  files: PageFiles,
  name: string,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  const type = TYPES[name.slice(name.lastIndexOf('.') + 1)];
  const body = type === undefined ? undefined : await files(name);
  if (type === undefined || body === undefined) return undefined;
  return new Response(body, { headers: { ...PAGE_HEADERS, 'content-type': type, ...headers } });
}
