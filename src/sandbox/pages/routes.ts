import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { isOwnPage } from '../api/access.js';
import type { Engine } from '../service/engine.js';
import { controlAnswer, controlPage, controlRevision } from './control/page.js';
import { CONTROL_SCRIPT } from './control/script.js';
import { CONTROL_STYLE } from './control/style.js';
import type { Connection, SandboxParts } from './control/view.js';
import type { RequestLog } from '../api/request-log.js';
import { FAVICON } from './icons.js';
import { HOSTED_SCRIPT } from './payer/hosted-link-script.js';
import { linkAnswer, linkPage, linkStatus } from './payer/link.js';
import { foreignPage } from './payer/parts.js';
import { bankAnswer, bankPage, bankStatus } from './payer/bank.js';
import { checkoutAnswer, checkoutPage, checkoutStatus } from './payer/checkout.js';
import { PAYER_SCRIPT } from './payer/script.js';
import { PAYER_STYLE } from './payer/style.js';
import { PAGE_STYLE } from './style.js';
import { wordsIn } from './payer/words.js';
import { languageOf } from './words.js';

export interface PagesOptions {
  /** What the control page shows a developer to copy. */
  readonly connection: Connection;
  readonly requests: RequestLog;
  /** Address of the script that defines `<pay-checkout>`, for the page of a link. */
  readonly widget: string | undefined;
}

/**
 * Mounts the pages: the bank, the checkout page and the link's page for a payer (`payer`), the control page for a
 * developer (`control`). Here are HTML, styles, scripts and words; what a button does is an operation of the engine.
 */
export function mountPages(app: Hono, engine: Engine, options: PagesOptions): void {
  const { connection, requests, widget } = options;
  const parts: SandboxParts = { engine, connection, requests };
  for (const [name, asset] of Object.entries(ASSETS)) app.get(`/_/assets/${name}`, () => assetAnswer(asset));

  app.get('/bank/:token', (context) => bankPage(engine, context));
  app.get('/bank/:token/status', (context) => bankStatus(engine, context));
  app.get('/checkout/:id', (context) => checkoutPage(engine, context));
  app.get('/checkout/:id/status', (context) => checkoutStatus(engine, context));
  app.get('/link/:id', (context) => linkPage(engine, context, { widget }));
  app.get('/link/:id/status', (context) => linkStatus(engine, context));
  app.get('/_/', (context) => controlPage(parts, context));
  app.get('/_/revision', (context) =>
    Response.json(
      { revision: controlRevision(parts, context) },
      { headers: { 'cache-control': 'no-store' } },
    ),
  );
  app.get('/', (context) => context.redirect('_/', 303));
  app.get('/_', (context) => context.redirect('_/', 303));

  const forms = [
    ['/bank/:token', (context: Context) => bankAnswer(engine, context)],
    ['/checkout/:id', (context: Context) => checkoutAnswer(engine, context)],
    ['/link/:id', (context: Context) => linkAnswer(engine, context)],
    ['/_/', (context: Context) => controlAnswer(parts, context)],
  ] as const;
  for (const [path, answer] of forms) {
    app.post(path, bodyLimit({ maxSize: LARGEST_FORM_BYTES }), (context) =>
      isOwnForm(context.req.raw, engine.publicUrl)
        ? answer(context)
        : foreignPage(languageOf(context.req.raw), wordsIn(languageOf(context.req.raw))),
    );
  }
}

const LARGEST_FORM_BYTES = 16_384;

/** The page's own host, and the one a proxy in front of it is known by. */
function isOwnForm(request: Request, publicUrl: string): boolean {
  return [request.url, publicUrl].some((url) => isOwnPage(request.headers, new URL(url).host));
}

interface Asset {
  readonly type: string;
  readonly text: string;
}

const css = (text: string): Asset => ({ type: 'text/css; charset=utf-8', text });
const script = (text: string): Asset => ({ type: 'text/javascript; charset=utf-8', text });

const ASSETS: Readonly<Record<string, Asset>> = {
  'page.css': css(PAGE_STYLE),
  'payer.css': css(PAYER_STYLE),
  'control.css': css(CONTROL_STYLE),
  'payer.js': script(PAYER_SCRIPT),
  'hosted.js': script(HOSTED_SCRIPT),
  'control.js': script(CONTROL_SCRIPT),
  'icon.svg': { type: 'image/svg+xml', text: FAVICON },
};

function assetAnswer({ type, text }: Asset): Response {
  return new Response(text, {
    headers: {
      'content-type': type,
      // A restarted sandbox may be a newer one, under the same address.
      'cache-control': 'no-cache',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'",
    },
  });
}
