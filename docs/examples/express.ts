/** Express: mounted before any body parser, because the checkout bounds and reads bodies itself. */
import express from 'express';
import { toNodeHandler } from 'pay-checkout/node';
import { makeCheckout } from './checkout.js';

const checkout = makeCheckout(process.env);
checkout.work();

const app = express();
app.use('/checkout', toNodeHandler(checkout));
app.get('/order/:id', async (request, response) => {
  const token = await checkout.orderToken(request.params.id);
  response.send(`<pay-checkout backend="/checkout" order="${token}"></pay-checkout>`);
});
app.listen(3000);
