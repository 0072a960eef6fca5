import type { Engine } from '../../../src/sandbox.js';
import { PayoutError, type Checkout } from '../../../src/server.js';
import { WEBHOOK } from '../../support/kit.js';
import { LOOP_SHOP } from './loop-shop.js';

/** Refunds in the kill loop: operators who ask twice at once, on instances that die under them. */

const OPERATOR = {
  name: 'Ana María Pérez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@correo.test',
} as const;

/** What an instance does for `POST /refund?order=…&reference=…`: both steps, as an operator's page would. */
export async function refundOnRequest(checkout: Checkout, request: Request): Promise<Response> {
  const query = new URL(request.url).searchParams;
  const input = { order: query.get('order') ?? '', reference: query.get('reference') ?? '' };
  try {
    const draft = await checkout.refunds.draft({
      ...input,
      keyString: OPERATOR.idNumber,
      customer: OPERATOR,
    });
    const { state } = await checkout.refunds.send(draft.id, { version: draft.version });
    return Response.json({ state });
  } catch (error) {
    if (!(error instanceof PayoutError)) throw error;
    return Response.json({ code: error.code }, { status: 409 });
  }
}

/** Events of payouts come again, since the dead may have missed them: there is no read that could replace them. */
export async function deliverAgain(checkout: Checkout, events: readonly string[]): Promise<void> {
  const headers = {
    'content-type': 'application/json',
    [WEBHOOK.header]: WEBHOOK.secret,
  };
  for (const body of events)
    await checkout.fetch(new Request(`${LOOP_SHOP}/webhooks`, { method: 'POST', headers, body }));
}

export interface RefundNotice {
  readonly hook: string;
  readonly key: string;
  readonly reference: string;
}

/** The order that a refund's reference names. */
export const refundReference = (order: string, number: number) => `refund-${order}-${number}`;
const orderIn = (reference: string) => /^refund-(.*)-\d+$/.exec(reference)?.[1] ?? '';

/** The outcomes that the service has not told yet: every fifth is declined. */
export function endPayouts(engine: Engine): void {
  for (const [index, payout] of engine.payouts.toReversed().entries()) {
    if (payout.status === 'PROCESSING') engine.settle(payout.id, index % 5 === 4 ? 'DECLINED' : 'CONFIRMED');
  }
}

/** Nothing was sent twice, nothing beyond what came in, and every outcome was told once. */
export function judgeRefunds(
  engine: Engine,
  paid: ReadonlyMap<string, number>,
  notices: readonly RefundNotice[],
): { readonly refunds: number; readonly refused: number; readonly defects: readonly string[] } {
  const defects: string[] = [];
  const out = new Map<string, number>();
  const references = new Set<string>();
  for (const { reference, status, amountInCents } of engine.payouts) {
    if (references.has(reference)) defects.push(`doubled: ${reference} was sent twice`);
    references.add(reference);
    const order = orderIn(reference);
    if (status !== 'DECLINED') out.set(order, (out.get(order) ?? 0) + amountInCents);
    const told = (hook: string) =>
      notices.filter((notice) => notice.hook === hook && notice.reference === reference).length;
    const [refunded, failed] = [told('onRefunded'), told('onPayoutFailed')];
    const isRight = status === 'DECLINED' ? refunded === 0 && failed === 1 : refunded === 1 && failed === 0;
    if (!isRight) defects.push(`${reference} is ${status} and was told ${refunded} and ${failed} times`);
  }
  for (const [order, amount] of out) {
    const came = paid.get(order) ?? 0;
    if (amount > came) defects.push(`doubled: of ${order} ${came} came in and ${amount} went back`);
  }
  const declined = engine.payouts.filter(({ status }) => status === 'DECLINED').length;
  return { refunds: engine.payouts.length, refused: declined, defects };
}
