import { fail, type Finding } from '../checks.js';
import { describeAnswer, isGood } from '../probe.js';
import { HOLD_PAUSE_MS, isFinding, LOOK_PAUSES_MS, type Payment } from './visit.js';

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

interface Expected {
  readonly shipped: number;
  readonly review?: number;
}

/** A backend that ships by a queue of its own does so a moment after the event; once too often as well. */
const HOLD_LOOKS = 3;

/**
 * Waits for the shop to have shipped, or to have asked a person, as often as it should, and sees that it stays so.
 * Events have been answered by now: see `SandboxControl`.
 */
export async function shopHas(payment: Payment, expected: Expected): Promise<Finding | undefined> {
  const { probe } = payment.visit;
  let held = 0;
  for (let tries = 0; ; tries++) {
    const record = await shopRecord(payment);
    if (record === undefined || isFinding(record)) return record;
    const missing = difference(record, expected);
    if (missing === undefined) {
      if (held++ === HOLD_LOOKS) return undefined;
      await probe.pause(HOLD_PAUSE_MS);
      continue;
    }
    const pauseMs = LOOK_PAUSES_MS[tries];
    if (record.shipped > expected.shipped || pauseMs === undefined) return fail(missing, TELL_THE_SHOP);
    await probe.pause(pauseMs);
  }
}

/** What the shop did too often or not often enough; undefined when it is as it should be. */
function difference({ shipped, review }: ShopRecord, expected: Expected): string | undefined {
  if (shipped !== expected.shipped) return `the shop shipped ${shipped} times, not ${expected.shipped}`;
  if (expected.review === undefined || review === undefined || review >= expected.review) return undefined;
  return 'the shop asked no person to look at it';
}
