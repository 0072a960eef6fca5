/**
 * Next: app/api/checkout-tick/route.ts, with checkout.ts beside it. Only the schedule may call it: it sends
 * `Authorization: Bearer` with the CRON_SECRET of the environment.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Checkout } from 'pay-checkout/server';
import { makeCheckout } from './checkout';

export const dynamic = 'force-dynamic';

let checkout: Checkout | undefined;

export async function GET(request: Request): Promise<Response> {
  const secret = process.env['CRON_SECRET'] ?? '';
  const given = request.headers.get('authorization') ?? '';
  if (secret.length < 16 || !isSame(given, `Bearer ${secret}`)) return new Response(null, { status: 401 });
  checkout ??= makeCheckout(process.env);
  return Response.json(await checkout.tick());
}

function isSame(given: string, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(expected));
}
