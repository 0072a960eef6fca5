import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Plugin } from 'vite';

const PAGE = '/shop/checkout.html';
/** Where the page has its checkout: the order and its offer are written behind this. */
const ELEMENT = '<pay-checkout backend="/checkout" id="checkout"';

/**
 * The checkout page as a shop's server makes it: with the order's token and its offer in it, so that the methods are on
 * the screen before anything is asked (docs/integrate.md, "The offer in the page").
 */
export function offerInPage(backendUrl: string): Plugin {
  /** The backend checks the token. Without an answer the page goes as it is, and asks by itself. */
  async function offerTag(query: URLSearchParams): Promise<string | null> {
    const url = new URL(`/api/orders/${encodeURIComponent(query.get('pedido') ?? '')}/offer`, backendUrl);
    url.searchParams.set('token', query.get('token') ?? '');
    const answer = await fetch(url).catch(() => null);
    return answer?.ok ? answer.text() : null;
  }

  /** `read` gives the page as it would be served; `headers` go with every page of this server. */
  const answers =
    (read: (url: string) => Promise<string>, headers: OutgoingHttpHeaders = {}) =>
    async (request: IncomingMessage, response: ServerResponse, next: (error?: unknown) => void) => {
      const url = new URL(request.url ?? '/', 'http://shop');
      if (request.method !== 'GET' || url.pathname !== PAGE) return next();
      try {
        const [page, tag] = await Promise.all([read(request.url ?? PAGE), offerTag(url.searchParams)]);
        for (const [name, value] of Object.entries(headers)) response.setHeader(name, value ?? '');
        response.setHeader('content-type', 'text/html; charset=utf-8');
        response.setHeader('cache-control', 'no-store');
        response.end(tag === null ? page : withOffer(page, url.searchParams.get('token') ?? '', tag));
      } catch (error) {
        next(error);
      }
    };

  return {
    name: 'offer-in-page',
    configureServer(server) {
      const read = async (url: string) =>
        server.transformIndexHtml(url, await readFile(join(server.config.root, PAGE), 'utf8'));
      server.middlewares.use(answers(read));
    },
    configurePreviewServer({ middlewares, config }) {
      const file = join(resolve(config.root, config.build.outDir), PAGE);
      middlewares.use(answers(() => readFile(file, 'utf8'), config.preview.headers));
    },
  };
}

function withOffer(page: string, token: string, tag: string): string {
  if (!page.includes(`${ELEMENT}>`)) throw new Error(`${PAGE} has no ${ELEMENT}`);
  // The backend has checked the token, but it still goes into an attribute.
  const order = ` order="${encodeURIComponent(token)}"`;
  return page.replace(`${ELEMENT}>`, () => `${ELEMENT}${order}>${tag}`);
}
