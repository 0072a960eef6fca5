/** Express: mounted before any body parser, because the checkout bounds and reads bodies itself. */
import express from 'express';
import { toNodeHandler } from 'pay-checkout/node';
import { makeCheckout } from './checkout.js';

const checkout = makeCheckout(process.env);
checkout.work();

/** Stands for your session store: the order that each visitor is about to pay. */
const orderOfSession = new Map<string, string>();

const app = express();
app.use('/checkout', toNodeHandler(checkout));
app.get('/pagar', async (request, response) => {
  // From the visitor's session, never from the address: who has an order's token may see and pay that order.
  const session = /(?:^|; )session=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1];
  const order = orderOfSession.get(session ?? '');
  if (order === undefined) {
    response.status(404).send('No hay nada por pagar.');
    return;
  }
  const token = await checkout.orderToken(order);
  response.send(`<pay-checkout backend="/checkout" order="${token}"></pay-checkout>`);
});
app.listen(3000);
