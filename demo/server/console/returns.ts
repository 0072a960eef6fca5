import { type Checkout, ConsoleProblemError } from '../../../src/server.js';
import { type ServiceClient, ServiceError } from '../../../src/service.js';
import type { PayinReturns, PayoutState, ReturnView } from '../../../src/console-page.js';
import type { ShopDatabase } from '../database.js';

/**
 * Money given back. The service has no refunds, so a return is a payout that knows its payin and its order. What was
 * sent, or may have been, counts as returned: no payin is given back twice.
 */

export const RETURN_TABLES = [
  `create table if not exists console_returns (
     payout_id text primary key, payin_id text not null, order_id text, amount_in_cents bigint not null,
     paid_in_cents bigint not null)`,
  'create index if not exists console_returns_by_payin on console_returns (payin_id)',
  'create index if not exists console_returns_by_order on console_returns (order_id)',
];

const MAY_HAVE_LEFT = [
  'SENDING',
  'PROCESSING',
  'UNCLEAR',
  'CONFIRMED',
] as const satisfies readonly PayoutState[];
const LEFT = MAY_HAVE_LEFT.map((state) => `'${state}'`).join(', ');

/** True of a draft `$1` unless it would give back more than its payin brought. */
export const FITS_ITS_PAYIN = `not exists (
  select 1 from console_returns own where own.payout_id = $1 and own.paid_in_cents < own.amount_in_cents + coalesce((
    select sum(other.amount_in_cents) from console_returns other join console_payouts payout on payout.id = other.payout_id
      where other.payin_id = own.payin_id and other.payout_id <> own.payout_id and payout.state in (${LEFT})), 0))`;

interface ReturnRow {
  readonly payout_id: string;
  readonly payin_id: string;
  readonly order_id: string | null;
  readonly reference: string;
  readonly amount_in_cents: number | string;
  readonly state: PayoutState;
}

const SELECT = `select r.payout_id, r.payin_id, r.order_id, r.amount_in_cents, p.reference, p.state
  from console_returns r join console_payouts p on p.id = r.payout_id`;

interface PaidPayin {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  readonly amountInCents: number | null;
  readonly confirmedAmountInCents: number | null;
}

export interface ReturnParts {
  readonly service: ServiceClient;
  readonly checkout: Checkout;
  readonly database: ShopDatabase;
}

export function openReturns({ service, checkout, database }: ReturnParts) {
  const orderOf = async (reference: string): Promise<string | null> =>
    (await checkout.orders.find(reference)) ?? null;
  const paidBy = ({ status, confirmedAmountInCents, amountInCents }: PaidPayin) =>
    status === 'CONFIRMED' ? (confirmedAmountInCents ?? amountInCents ?? 0) : 0;
  const returnsOf = async (payin: string) =>
    database.all<ReturnRow>(`${SELECT} where r.payin_id = $1 order by p.created_at, p.id`, payin);
  const leftOver = (payin: PaidPayin, rows: readonly ReturnRow[]) =>
    paidBy(payin) -
    rows
      .filter(({ state }) => MAY_HAVE_LEFT.some((each) => each === state))
      .reduce((sum, row) => sum + Number(row.amount_in_cents), 0);

  return {
    /** What belongs to a payin besides its own data. */
    async about(payin: PaidPayin): Promise<Omit<PayinReturns, 'hasLinkPage'>> {
      const rows = await returnsOf(payin.id);
      return {
        order: await orderOf(payin.reference),
        returns: rows.map(view),
        returnableInCents: leftOver(payin, rows),
      };
    },

    /** Whose money it was, and how much of it is still here. */
    async plan(payinId: unknown) {
      if (typeof payinId !== 'string') throw new ConsoleProblemError('not_found');
      const payin = await service.payins.retrieve(payinId).catch((error: unknown) => {
        throw error instanceof ServiceError && error.kind === 'not_found'
          ? new ConsoleProblemError('not_found')
          : error;
      });
      const { inlineCustomer } = payin;
      return {
        payin: payin.id,
        order: await orderOf(payin.reference),
        paidInCents: paidBy(payin),
        returnableInCents: leftOver(payin, await returnsOf(payin.id)),
        customer: typeof inlineCustomer === 'object' ? inlineCustomer : null,
      };
    },

    async add(
      payoutId: string,
      amountInCents: number,
      { payin, order, paidInCents }: { payin: string; order: string | null; paidInCents: number },
    ): Promise<void> {
      await database.run(
        `insert into console_returns (payout_id, payin_id, order_id, amount_in_cents, paid_in_cents)
           values ($1, $2, $3, $4, $5)`,
        payoutId,
        payin,
        order,
        amountInCents,
        paidInCents,
      );
    },

    /** The payin that a payout gives back, or null. */
    async ofPayout(payoutId: string): Promise<{ payin: string; order: string | null } | null> {
      const [row] = await database.all<ReturnRow>(`${SELECT} where r.payout_id = $1`, payoutId);
      return row ? { payin: row.payin_id, order: row.order_id } : null;
    },

    async ofOrder(orderId: string): Promise<ReturnView[]> {
      const rows = await database.all<ReturnRow>(
        `${SELECT} where r.order_id = $1 order by p.created_at, p.id`,
        orderId,
      );
      return rows.map(view);
    },

    async forget(payoutId: string): Promise<void> {
      await database.run('delete from console_returns where payout_id = $1', payoutId);
    },
  };
}

function view(row: ReturnRow): ReturnView {
  return {
    payout: row.payout_id,
    payin: row.payin_id,
    reference: row.reference,
    amountInCents: Number(row.amount_in_cents),
    state: row.state,
  };
}
