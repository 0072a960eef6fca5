/** Node alone: `node node.js`. */
import { listen } from 'pay-checkout/node';
import { makeCheckout } from './checkout.js';

const checkout = makeCheckout(process.env);
const stopWork = checkout.work();
const server = await listen(checkout, { port: 3000, hostname: '0.0.0.0' });
console.log(`Listening on ${server.url}`);

process.once('SIGTERM', () => {
  void (async () => {
    await stopWork();
    await checkout.close();
    await server.close();
  })();
});
