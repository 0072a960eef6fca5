import type { Context } from 'hono';
import { html } from 'hono/html';
import { safeUrl } from '../../contract/safe-url.js';
import type { Language } from '../../look/bilingual.js';

/** Escaped HTML. Pages are built from nothing else. */
export type Html = ReturnType<typeof html>;

export interface Page {
  readonly language: Language;
  readonly title: string;
  readonly body: Html;
  /**
   * From this page to the folder `/_/`. Addresses are relative, so that the pages also work where a proxy serves
   * them under a path of its own.
   */
  readonly root: string;
  /** By file name in the folder `assets`. */
  readonly style: string;
  readonly script?: string;
  readonly status?: number;
  /** Where a form on this page may send the payer in the end, when it is not a page of the sandbox. */
  readonly leavesTo?: string | undefined;
}

export async function renderPage(page: Page): Promise<Response> {
  const document = await html`<!doctype html>
    <html lang="${page.language === 'es' ? 'es-CO' : 'en'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title}</title>
        <link rel="icon" href="${page.root}assets/icon.svg" type="image/svg+xml" />
        <link rel="stylesheet" href="${page.root}assets/${page.style}" />
        ${
          page.script === undefined
            ? ''
            : html`<script type="module" src="${page.root}assets/${page.script}"></script>`
        }
      </head>
      ${page.body}
    </html>`;
  return new Response(String(document), {
    status: page.status ?? 200,
    headers: { 'content-type': 'text/html; charset=utf-8', ...pageHeaders(page) },
  });
}

/** No inline code, no other host, no frame; and nothing of a payment stays in a cache or travels in a referrer. */
function pageHeaders({ leavesTo }: Page): Record<string, string> {
  return {
    'content-security-policy': [
      "default-src 'none'",
      "style-src 'self'",
      "script-src 'self'",
      "connect-src 'self'",
      "img-src 'self' data:",
      // Chromium holds this against every address of a redirect after a form, and a merchant's return address
      // often redirects further, to hosts unknown here: so a page that leaves may leave to any web address.
      `form-action 'self'${leavesTo === undefined ? '' : ' http: https:'}`,
      "base-uri 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ].join('; '),
    'cache-control': 'no-store',
    // Not `no-referrer`: browsers then send forms with `Origin: null`, which the origin check refuses.
    'referrer-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'cross-origin-opener-policy': 'same-origin',
  };
}

/** The merchant's return address when a browser may be sent there, else nothing. */
export function returnAddress(callbackUrl: string | null | undefined): string | undefined {
  if (callbackUrl === null || callbackUrl === undefined) return undefined;
  // The sandbox is for development, where shops run without TLS.
  return safeUrl(callbackUrl, { pageProtocol: 'http:' }) ?? undefined;
}

/** After a form the browser asks for the next page with GET, so that a reload repeats nothing. */
export function seeOther(location: string): Response {
  return new Response(null, {
    status: 303,
    headers: { location, 'cache-control': 'no-store', 'referrer-policy': 'same-origin' },
  });
}

/** Names and values, one below the other. */
export function facts(rows: readonly (readonly [string, Html | string])[]): Html {
  return html`<dl class="facts">
    ${rows.map(
      ([name, value]) =>
        html`<div>
          <dt>${name}</dt>
          <dd>${value}</dd>
        </div>`,
    )}
  </dl>`;
}

export async function sentForm(context: Context): Promise<URLSearchParams> {
  return new URLSearchParams(await context.req.text());
}
