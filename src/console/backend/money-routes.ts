import { type Context, Hono } from 'hono';
import type { PayinDetail, PayinReturns } from '../../contract/merchant/console.js';
import { PSE_BANKS } from '../../contract/payer/bank-list.js';
import type { Checkout } from '../../server/checkout.js';
import type { ServiceClient } from '../../service/client.js';
import { linkDesk } from './links.js';
import { payinDesk, readPayinQuery } from './payins.js';
import { payoutDesk } from './payouts.js';

/** The service's payins, payment links, and money that goes out. */

interface MoneyParts {
  readonly checkout: Checkout;
  readonly service: Pick<ServiceClient, 'payins'>;
}

export function moneyRoutes({ checkout, service }: MoneyParts): Hono {
  const payins = payinDesk(service);
  const payouts = payoutDesk(checkout);
  const links = linkDesk(checkout);
  const app = new Hono();
  const body = (context: Context) => context.req.json<unknown>().catch(() => null);

  app.get('/payins', async (context) =>
    context.json(await payins.page(readPayinQuery(new URL(context.req.url).searchParams))),
  );
  app.get('/payins/:id', async (context) =>
    context.json(await withReturns(checkout, await payins.one(context.req.param('id')))),
  );

  app.get('/payouts', async (context) => context.json(await payouts.list(context.req.query('from'))));
  // A key may be a person's phone or document, so it is in no address.
  app.post('/keys', async (context) => context.json(await payouts.lookUp(await body(context))));
  app.post('/payouts', async (context) => context.json(await payouts.draft(await body(context)), 201));
  app.get('/payouts/:id', async (context) => context.json(await payouts.one(context.req.param('id'))));
  app.post('/payouts/:id/send', async (context) =>
    context.json(await payouts.send(context.req.param('id'), await body(context)), 202),
  );
  app.post('/payouts/:id/note', async (context) => {
    await payouts.setNote(context.req.param('id'), await body(context));
    return context.body(null, 204);
  });
  app.delete('/payouts/:id', async (context) => {
    await payouts.discard(context.req.param('id'));
    return context.body(null, 204);
  });

  app.get('/banks', (context) => context.json(PSE_BANKS.map(({ code, name }) => ({ code, name }))));
  app.get('/links', async (context) => context.json(await links.list(context.req.query('from'))));
  app.post('/links', async (context) => context.json(await links.create(await body(context)), 201));
  app.post('/links/:id/note', async (context) => {
    await links.setNote(context.req.param('id'), await body(context));
    return context.body(null, 204);
  });
  app.get('/links/:id', async (context) => context.json(await links.one(context.req.param('id'))));
  return app;
}

/** A payin with its order, what was given back of it, and what still can be. */
async function withReturns(checkout: Checkout, payin: PayinDetail): Promise<PayinDetail & PayinReturns> {
  const { orders, refunds, links } = checkout;
  const order = (await orders.find(payin.id)) ?? (await orders.find(payin.reference)) ?? null;
  const given = order === null ? [] : await refunds.list(order);
  return {
    ...payin,
    order,
    hasLinkPage: payin.paymentLinkId !== null && (await links.find(payin.paymentLinkId)) !== undefined,
    returns: given.filter(({ state, payment }) => state !== 'DRAFT' && (payment ?? payin.id) === payin.id),
    returnableInCents: await refunds.returnable({ payment: payin.id }).catch(() => 0),
  };
}
