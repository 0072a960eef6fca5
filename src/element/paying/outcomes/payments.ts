import type { Attempt } from '../../../contract/backend.js';
import { isPaid } from '../../../contract/status.js';

export interface Received {
  readonly payments: readonly {
    readonly reference: string;
    readonly amountInCents: number;
    readonly at: string;
  }[];
  readonly totalInCents: number;
  readonly orderAmountInCents: number;
}

/** What reached the order: as a backend lists it, else as this tab has seen it. */
export function receivedFor(attempt: Attempt, older: readonly Attempt[]): Received {
  const { settlement } = attempt;
  const payments =
    settlement.payments ??
    [...older.filter(({ status }) => isPaid(status)), attempt].map((each) => ({
      reference: each.reference,
      amountInCents: each.confirmedAmountInCents ?? each.amountInCents,
      at: each.resultAt ?? each.updatedAt,
    }));
  return {
    payments,
    totalInCents: payments.reduce((sum, { amountInCents }) => sum + amountInCents, 0),
    orderAmountInCents: settlement.orderAmountInCents ?? attempt.amountInCents,
  };
}
