/**
 * Next: app/api/checkout/[...path]/route.ts, with checkout.ts beside it and `basePath: '/api/checkout'` in its options.
 * Where functions end with their answer, a schedule calls the route of next-tick.ts.
 */
import type { Checkout } from 'pay-checkout/server';
import { makeCheckout } from './checkout';

export const dynamic = 'force-dynamic';

// Made by the first request: a build has no secrets.
let checkout: Checkout | undefined;

function handle(request: Request): Promise<Response> {
  checkout ??= makeCheckout(process.env);
  return checkout.fetch(request);
}

export { handle as GET, handle as OPTIONS, handle as POST };
