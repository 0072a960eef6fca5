import type { Listed } from '../../contract/merchant/console.js';
import type { MaskedReceiver, PayoutView } from '../../contract/merchant/payouts.js';
import type { Checkout } from '../../server/checkout.js';
import { PayoutError } from '../../server/operations/payout-error.js';
import { listedFrom, PAGE_SIZE } from './listed.js';
import { readNote } from './queries.js';
import { ConsoleProblemError, type Refusal, refusedAs } from './problem.js';

/** Payouts and refunds as the console's page asks for them. What may be sent, and how often, is the kit's to decide. */

export function payoutDesk({ payouts, refunds }: Pick<Checkout, 'payouts' | 'refunds'>) {
  const one = async (id: string): Promise<PayoutView> => {
    const found = await payouts.find(id);
    if (!found) throw new ConsoleProblemError('not_found');
    return found;
  };

  return {
    one,

    list: (asked: string | undefined): Promise<Listed<PayoutView>> =>
      listedFrom(asked, async (place) => {
        const page = await payouts.list({ limit: PAGE_SIZE, ...place });
        return { rows: page.payouts, next: page.next, total: page.total };
      }),

    /** Whose key it is. */
    async lookUp(body: unknown): Promise<MaskedReceiver> {
      const { keyString } = Object(body) as { keyString?: unknown };
      if (typeof keyString !== 'string' || keyString === '')
        throw new ConsoleProblemError('invalid_input', [{ field: 'breb.keyString', code: 'required' }]);
      return refused(payouts.lookUp(keyString));
    },

    /** A payout, or with `returnOf` the refund of that payin. Nothing is sent. */
    async draft(body: unknown): Promise<PayoutView> {
      const { returnOf, inlineCustomer, ...given } = Object(body) as Record<string, unknown>;
      const input = {
        ...withoutEmpty(given),
        ...(inlineCustomer !== undefined && { customer: inlineCustomer }),
      };
      return refused(
        // The kit reads every field of it.
        returnOf === undefined
          ? payouts.draft(input as never)
          : refunds.draft({ ...input, payment: returnOf } as never),
      );
    },

    /** Sends a draft. A repeated call only returns the payout. */
    async send(id: string, body: unknown): Promise<PayoutView> {
      const { version, accepted } = Object(body) as { version?: unknown; accepted?: unknown };
      const sent = payouts.send(id, { version: Number(version), receiverAccepted: accepted === true });
      return refused(sent).catch(async (error: unknown) => {
        const isRepeated = error instanceof ConsoleProblemError && error.problem === 'not_sendable';
        const payout = isRepeated ? await one(id) : undefined;
        if (payout === undefined || payout.state === 'DRAFT') throw error;
        return payout;
      });
    },

    async setNote(id: string, body: unknown): Promise<void> {
      await refused(payouts.setNote(id, readNote(body)));
    },

    async discard(id: string): Promise<void> {
      await refused(payouts.discard(id));
    },
  };
}

/** An empty field of the form counts as absent. */
function withoutEmpty(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== ''));
}

const REFUSALS: Readonly<Record<PayoutError['code'], Refusal>> = {
  not_found: ['not_found'],
  stale: ['not_sendable'],
  too_large: ['invalid_input', { field: 'amountInCents', code: 'too_large' }],
  receiver_differs: ['invalid_input', { field: 'accepted', code: 'required' }],
  reference_taken: ['invalid_input', { field: 'reference', code: 'taken' }],
  invalid_input: ['invalid_input'],
  service_unavailable: ['service_away'],
};

const refused = refusedAs(PayoutError, REFUSALS);
