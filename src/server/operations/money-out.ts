import { MONEY_OUT } from '../../contract/merchant/payouts.js';
import type { MoneyOut, MoneyOutLine } from '../../contract/merchant/sales.js';
import { isoTime } from '../../service/clock.js';
import type { CheckoutContext } from '../context.js';
import type { LineRow } from '../stores/store.js';
import { orderIn } from './places.js';

/** Money that went out in a time, as the store has it: the service has no list of payouts to compare with. */

const PAGE = 200;
const OPEN = ['SENDING', 'PROCESSING', 'UNCLEAR'];

export async function moneyOut(context: CheckoutContext, from: number, until: number): Promise<MoneyOut> {
  const lines: MoneyOutLine[] = [];
  for (let after: LineRow | undefined; ;) {
    const rows = await context.store.lines({
      from,
      until,
      rails: MONEY_OUT,
      limit: PAGE,
      ...(after !== undefined && { after }),
    });
    lines.push(...rows.map(lineOf));
    after = rows.at(-1);
    if (rows.length < PAGE) break;
  }
  const sum = (of: 'outInCents' | 'openInCents') => lines.reduce((total, line) => total + line[of], 0);
  return { lines, outInCents: sum('outInCents'), openInCents: sum('openInCents') };
}

function lineOf(row: LineRow): MoneyOutLine {
  return {
    at: isoTime(row.startedAt),
    kind: MONEY_OUT.find((each) => each === row.rail) ?? 'PAYOUT',
    order: orderIn(row) || null,
    reference: row.reference,
    status: row.status,
    outInCents: row.paidInCents,
    openInCents: OPEN.includes(row.status) ? row.amountInCents : 0,
  };
}
