import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { assetAnswer, pageAnswer, type PageFiles } from '../../look/page-files.js';
import { isOwnPage } from '../api/access.js';
import type { Engine } from '../service/engine.js';
import { bankAnswer, bankPage, bankStatus } from './bank.js';
import { checkoutAnswer, checkoutPage, checkoutStatus } from './checkout.js';
import { FAVICON } from './icons.js';
import { linkAnswer, linkPage, linkStatus } from './link.js';
import { foreignPage, noControlPage } from './parts.js';
import { PAYER_SCRIPT } from './script.js';
import { PAGE_STYLE } from './style.js';
import { languageOf } from './words.js';

/**
 * Mounts the pages: the bank, the checkout page and the link's page, which are drawn here for a payer, and the built
 * control page for a developer, which is in `sandbox/control`. What a button does is an operation of the engine.
 */
export function mountPages(app: Hono, engine: Engine, controlPage: PageFiles | undefined): void {
  app.get('/bank/:token', (context) => bankPage(engine, context));
  app.get('/bank/:token/status', (context) => bankStatus(engine, context));
  app.get('/checkout/:id', (context) => checkoutPage(engine, context));
  app.get('/checkout/:id/status', (context) => checkoutStatus(engine, context));
  app.get('/link/:id', (context) => linkPage(engine, context));
  app.get('/link/:id/status', (context) => linkStatus(engine, context));

  app.get('/', (context) => context.redirect('_/', 303));
  app.get('/_', (context) => context.redirect('_/', 303));
  app.get('/_/', async (context) => {
    const page = controlPage && (await pageAnswer(controlPage));
    return page ?? noControlPage(languageOf(context.req.raw));
  });
  for (const [name, asset] of Object.entries(ASSETS)) app.get(`/_/assets/${name}`, () => ownAsset(asset));
  app.get('/_/assets/:name', async (context) => {
    const asset = controlPage && (await assetAnswer(controlPage, context.req.param('name')));
    return asset ?? context.notFound();
  });

  const forms = [
    ['/bank/:token', (context: Context) => bankAnswer(engine, context)],
    ['/checkout/:id', (context: Context) => checkoutAnswer(engine, context)],
    ['/link/:id', (context: Context) => linkAnswer(engine, context)],
  ] as const;
  for (const [path, answer] of forms) {
    app.post(path, bodyLimit({ maxSize: LARGEST_FORM_BYTES }), (context) =>
      isOwnPage(context.req.raw, engine.publicUrl)
        ? answer(context)
        : foreignPage(languageOf(context.req.raw)),
    );
  }
}

const LARGEST_FORM_BYTES = 16_384;

interface Asset {
  readonly type: string;
  readonly text: string;
}

const ASSETS: Readonly<Record<string, Asset>> = {
  'page.css': { type: 'text/css; charset=utf-8', text: PAGE_STYLE },
  'payer.js': { type: 'text/javascript; charset=utf-8', text: PAYER_SCRIPT },
  'icon.svg': { type: 'image/svg+xml', text: FAVICON },
};

function ownAsset({ type, text }: Asset): Response {
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
