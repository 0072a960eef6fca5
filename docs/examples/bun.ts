/** Bun: `bun bun.ts`. */
import { makeCheckout } from './checkout.js';

const checkout = makeCheckout(process.env);
checkout.work();

const server = Bun.serve({
  port: 3000,
  // Longer than an answer may be held.
  idleTimeout: 60,
  fetch: (request) => checkout.fetch(request),
});
console.log(`Listening on ${server.url}`);
