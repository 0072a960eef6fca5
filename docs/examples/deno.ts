/** Deno: `deno run --allow-net --allow-env deno.ts`. */
import { makeCheckout } from './checkout.ts';

const checkout = makeCheckout(Deno.env.toObject());
checkout.work();

Deno.serve({ port: 3000 }, (request, { remoteAddr }) => checkout.fetch(request, { remoteAddr }));
