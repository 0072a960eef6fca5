import { createServer } from 'node:https';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { getRequestListener } from '@hono/node-server';
import { getCertificate } from '@vitejs/plugin-basic-ssl';
import { type Backend, SHOP } from './answers/backend.js';
import type { Files } from './build.js';
import { MODULE_FILE } from '../../../scripts/build/cdn.js';

/** An empty page of the shop: what is measured begins when the payer leaves it. */
export const BEFORE = '/before';
/** The place that docs/integrate.md asks pages to keep; peers document none. */
const RESERVED = ' #checkout { min-block-size: 38rem }';
/** What nginx and CDNs use for answers that are made on request; files are compressed once, at their best. */
const QUICKLY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
const HTML = { 'content-type': 'text/html; charset=utf-8' };

export interface Stage {
  readonly port: number;
  /** Puts another checkout on; its page is at `SHOP`. */
  present(files: Files, backend: Backend): void;
  /** What nobody had an answer for, so that a mistake here is not taken for a peer's slowness. */
  readonly unanswered: ReadonlySet<string>;
  close(): Promise<void>;
}

/** The only server that the browser reaches: every name leads here, over TLS with a certificate of its own. */
export async function openStage(folder: string): Promise<Stage> {
  const certificates = join(folder, 'certificate');
  mkdirSync(certificates, { recursive: true });
  const pem = await getCertificate(certificates, 'pay-checkout bench', ['shop.test']);
  const unanswered = new Set<string>();
  let files: Files = new Map();
  let backend: Backend | undefined;

  const answer = async (request: Request): Promise<Response> => {
    const { origin, pathname } = new URL(request.url);
    const headers = crossOrigin(request);
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers });
    if (origin === SHOP && pathname === '/') return page(files, backend);
    if (origin === SHOP && pathname === BEFORE) return new Response('<!doctype html>', { headers: HTML });
    const file = origin === SHOP ? files.get(pathname.slice(1)) : undefined;
    if (file !== undefined) {
      return new Response(new Uint8Array(file.body), {
        headers: { 'content-type': file.type, 'content-encoding': 'br', 'cache-control': 'no-cache' },
      });
    }
    const response = await backend?.answer(request);
    if (response === undefined) {
      if (pathname !== '/favicon.ico') unanswered.add(`${request.method} ${request.url}`);
      return new Response(null, { status: 404, headers });
    }
    return compressed(response, headers);
  };
  const server = createServer({ key: pem, cert: pem }, getRequestListener(answer));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The stage has no port');
  return {
    port: address.port,
    present: (...given) => void ([files, backend] = given),
    unanswered,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Everybody's answers are compressed as a proxy before a server does it: quickly, because each is new. */
async function compressed(response: Response, headers: Record<string, string>): Promise<Response> {
  const { status, body } = response;
  const all = new Headers(response.headers);
  for (const [name, value] of Object.entries(headers)) all.set(name, value);
  if (body === null) return new Response(null, { status, headers: all });
  all.delete('content-length');
  all.set('content-encoding', 'br');
  const bytes = brotliCompressSync(await response.arrayBuffer(), QUICKLY);
  return new Response(new Uint8Array(bytes), { status, headers: all });
}

function crossOrigin(request: Request): Record<string, string> {
  return {
    'access-control-allow-origin': request.headers.get('origin') ?? '*',
    'access-control-allow-headers': request.headers.get('access-control-request-headers') ?? '*',
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-max-age': '600',
    'timing-allow-origin': '*',
  };
}

/** Text follows the checkout, so that a checkout which grows moves something, as it would in a shop. */
function page(files: Files, backend: Backend | undefined): Response {
  const isOurs = files.has(MODULE_FILE);
  const styles = [...files.keys()].filter((file) => file.endsWith('.css'));
  // A page that mounts its checkout does so once the library is there; one that has it in its HTML only looks.
  const own = backend?.html === undefined ? [MODULE_FILE, 'page.js'] : ['page.js', MODULE_FILE];
  const scripts = isOurs ? own : ['page.js'];
  const html = `<!doctype html>
<html lang="es">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="orders" content="${backend?.orders.join(' ') ?? ''}">
<title>Tienda</title>
${styles.map((file) => `<link rel="stylesheet" href="/${file}">`).join('\n')}
${scripts.map((file) => `<script type="module" src="/${file}"></script>`).join('\n')}
<style>body { font: 16px sans-serif; max-width: 30rem; margin: 1rem auto }${isOurs ? RESERVED : ''}</style>
</head>
<body>
<h1>Café de origen</h1>
<div id="checkout">${backend?.html ?? ''}</div>
<p>Envíos a todo el país en tres días hábiles. Cambios dentro de los treinta días.</p>
</body>
</html>`;
  return new Response(html, { headers: HTML });
}
