/**
 * Next: app/api/checkout/[...path]/route.ts, with `basePath: '/api/checkout'` in the options. Where functions end with
 * their answer, a schedule calls tick: app/api/checkout-tick/route.ts with `export const GET = tick`.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { makeCheckout } from './checkout.js';

const checkout = makeCheckout(process.env);

export const dynamic = 'force-dynamic';

const handle = (request: Request): Promise<Response> => checkout.fetch(request);

export { handle as GET, handle as OPTIONS, handle as POST };

/** Only the schedule may call it: it sends `Authorization: Bearer` with the CRON_SECRET of the environment. */
export async function tick(request: Request): Promise<Response> {
  const secret = process.env['CRON_SECRET'] ?? '';
  const given = request.headers.get('authorization') ?? '';
  if (secret.length < 16 || !isSame(given, `Bearer ${secret}`)) return new Response(null, { status: 401 });
  return Response.json(await checkout.tick());
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
