import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { browserTarget, buildCdn, type CdnIntegrity } from '../../scripts/build/cdn.js';
import { build } from '../../scripts/build/own-mode.js';
import { listen } from '../../src/node.js';
import { createSandbox } from '../../src/sandbox.js';
import { createKit, sandboxClient } from '../support/kit.js';

/** A strict page of a merchant, with the files of the script tags beside it and a checkout behind it. */

const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'nonce-map'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
];

export interface CdnSite {
  readonly integrity: CdnIntegrity;
  /** The address of a page with an order of its own and this in its head; only these policies may be made on it. */
  page(head: string, policies: string): string;
  /** From now on this file ends with something else than it was built with. */
  tamper(name: string): void;
  close(): Promise<void>;
}

export async function openCdnSite(): Promise<CdnSite> {
  // Before the build: a bundler makes the process one of production, where a sandbox refuses to start.
  const sandbox = createSandbox();
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-cdn-'));
  const integrity = await buildCdn(folder);
  const fromNpm = await applicationFile();
  const pages = new Map<string, { head: string; policies: string }>();
  const tampered = new Set<string>();
  const checkout = createKit({
    service: sandboxClient({ fetch: (request) => sandbox.fetch(request) }),
    findOrder: () => ({ amountInCents: 4_290_000, description: 'Café' }),
  });
  const stopWork = checkout.work();

  const fetchSite = async (request: Request, env: unknown): Promise<Response> => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/checkout/')) return checkout.fetch(request, env);
    const page = pages.get(pathname);
    if (page) {
      return new Response(htmlOf(page.head, await checkout.orderToken(pathname.slice(1))), {
        headers: {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': [...POLICY, `trusted-types ${page.policies}`].join('; '),
        },
      });
    }
    const name = pathname.slice(1);
    if (name === 'favicon.ico') return new Response(null, { status: 204 });
    const headers = { 'content-type': name.endsWith('.css') ? 'text/css' : 'text/javascript' };
    if (name === 'reserve.css') return new Response(reserveCss(), { headers });
    if (name === 'npm.js') return new Response(fromNpm, { headers });
    if (!(name in integrity.files)) return new Response('', { status: 404 });
    const code = readFileSync(join(folder, name), 'utf8');
    return new Response(tampered.has(name) ? `${code}\n;` : code, { headers });
  };
  const listening = await listen({ fetch: fetchSite });

  return {
    integrity,
    page(head, policies) {
      const path = `/page-${pages.size}`;
      pages.set(path, { head, policies });
      return `${listening.url}${path}`;
    },
    tamper: (name) => void tampered.add(name),
    async close() {
      await stopWork();
      await checkout.close();
      await listening.close();
      sandbox.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function htmlOf(head: string, token: string): string {
  return `<!doctype html><html lang="es"><head><meta charset="utf-8"><title>Pagar</title>
<link rel="stylesheet" href="/reserve.css">${head}</head><body>
<pay-checkout backend="/checkout" order="${token}"><a href="/otros">Otros medios de pago</a></pay-checkout>
<p id="below">Debajo</p></body></html>`;
}

/** The very words of docs/integrate.md. */
function reserveCss(): string {
  const css = /```css\n([^`]*)```/.exec(readFileSync('docs/integrate.md', 'utf8'))?.[1];
  if (css === undefined) throw new Error('docs/integrate.md has no CSS to paste');
  return css;
}

/** An application that has the element from the package, with the application's own Lit. */
async function applicationFile(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      target: browserTarget,
      write: false,
      lib: { entry: 'src/define.ts', formats: ['iife'], name: 'application' },
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [output] = built as Extract<typeof built, readonly unknown[]>;
  return output?.output[0].code ?? '';
}
