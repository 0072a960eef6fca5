/**
 * Next: app/api/checkout/[...path]/route.ts, with `basePath: '/api/checkout'` in the options. Where functions end with
 * their answer, a schedule calls tick: app/api/checkout-tick/route.ts with `export const GET = tick`.
 */
import { makeCheckout } from './checkout.js';

const checkout = makeCheckout(process.env);

export const dynamic = 'force-dynamic';

const handle = (request: Request): Promise<Response> => checkout.fetch(request);

export { handle as GET, handle as OPTIONS, handle as POST };

export async function tick(): Promise<Response> {
  return Response.json(await checkout.tick());
}
