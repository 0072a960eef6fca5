import { fail, type Finding } from '../checks.js';
import { describeAnswer, isGood } from '../probe.js';
import { isFinding, type Payment, POLL_TRIES, POLL_EVERY_MS } from './visit.js';

/** What the shop says that its backend reported. */

export const TELL_THE_SHOP =
  'Ship once per order, when the payin is CONFIRMED and confirmedAmountInCents equals your price; hand everything else to a person.';

interface ShopRecord {
  /** How often the goods of the order were shipped. */
  readonly shipped: number;
  /** How often a person was asked to look at it; undefined when the shop does not say. */
  readonly review: number | undefined;
}

/** What the shop did about the order of a payment; undefined without --shop. */
async function shopRecord({ visit }: Payment): Promise<ShopRecord | Finding | undefined> {
  const { shop, shopProbe, order } = visit;
  if (shop === undefined || shopProbe === undefined) return undefined;
  const { pathname, search } = new URL(shop.replaceAll('{order}', encodeURIComponent(order)));
  const answer = await shopProbe.send(pathname + search);
  const { shipped, review } = Object(answer.body) as { shipped?: unknown; review?: unknown };
  if (!isGood(answer) || typeof shipped !== 'number') {
    return fail(
      `the shop: ${describeAnswer(answer)}`,
      '--shop answers { "shipped": 1, "review": 0 }.',
      answer,
    );
  }
  return { shipped, review: typeof review === 'number' ? review : undefined };
}

/** Waits for the shop to have shipped, or to have asked a person, exactly as often as it should. */
export async function shopHas(
  payment: Payment,
  expected: { shipped: number; review?: number },
): Promise<Finding | undefined> {
  let record: ShopRecord | undefined;
  for (let tries = 0; tries <= POLL_TRIES; tries++) {
    const now = await shopRecord(payment);
    if (now === undefined) return undefined;
    if (isFinding(now)) return now;
    record = now;
    const isReviewed =
      expected.review === undefined || now.review === undefined || now.review >= expected.review;
    if (now.shipped > expected.shipped) break;
    if (now.shipped === expected.shipped && isReviewed) return undefined;
    await payment.visit.probe.pause(POLL_EVERY_MS);
  }
  const found = `the shop shipped ${record?.shipped} times, not ${expected.shipped}`;
  if (record?.shipped !== expected.shipped) return fail(found, TELL_THE_SHOP);
  return fail('the shop asked nobody to look at it', TELL_THE_SHOP);
}
