import type { Engine } from '../../../src/sandbox.js';
import { type Checkout, PayoutError } from '../../../src/server.js';
import { aMoment, ORDER, webhook } from './kit.js';

/** What an operator does who finds a refund as a dead process has left it, and what must be true in the end. */

const OPERATOR = {
  name: 'Ana María Pérez',
  idType: 'CO_CC',
  idNumber: '1000000001',
  phone: '+573001234567',
  email: 'ana@correo.test',
} as const;

/** Both steps of giving everything back. */
async function giveBack({ refunds }: Checkout): Promise<Response> {
  const draft = await refunds.draft({ order: ORDER, keyString: OPERATOR.idNumber, customer: OPERATOR });
  return Response.json(await refunds.send(draft.id, { version: draft.version }));
}

/** The same on a database that may be gone by then: the operator sees a failure and looks again later. */
export function tryToGiveBack(checkout: Checkout): Promise<Response> {
  return giveBack(checkout).catch(() => Response.json({}, { status: 503 }));
}

export interface RefundWorld {
  readonly engine: Engine;
  /** Bodies of all events so far. */
  readonly events: readonly string[];
  /** Lets time pass and the background work happen. */
  pass(): Promise<void>;
}

/** The operator waits, asks the service about what is unclear, and gives back what has not gone. */
export async function finishRefund(checkout: Checkout, { engine, events, pass }: RefundWorld): Promise<void> {
  const deliver = async () => {
    for (const payout of engine.payouts) {
      if (payout.status === 'PROCESSING') engine.settle(payout.id, 'CONFIRMED');
      while (!events.some((body) => body.includes('payout.confirmed') && body.includes(payout.id)))
        await aMoment();
    }
    for (const body of events.filter((each) => each.includes('"resource":"payout"'))) {
      await checkout.fetch(webhook(body));
      await checkout.idle();
    }
  };
  await pass();
  await deliver();
  for (const { id, version, state, reference } of await checkout.refunds.list(ORDER)) {
    const isThere = engine.payouts.some((payout) => payout.reference === reference);
    if (state === 'UNCLEAR' && !isThere) await checkout.payouts.resolve(id, { version, sent: false });
  }
  await giveBack(checkout).catch((error: unknown) => {
    if (!(error instanceof PayoutError && error.code === 'too_large')) throw error;
  });
  await deliver();
  await pass();
}

/** The money went back once, and the merchant was told once. */
export async function judgeRefund(
  checkout: Checkout,
  engine: Engine,
  told: readonly { readonly hook: string; readonly key: string }[],
): Promise<string[]> {
  const defects: string[] = [];
  if (engine.payouts.length === 0) defects.push('lost: nothing was given back');
  if (engine.payouts.length > 1) defects.push(`duplicate: given back ${engine.payouts.length} times`);
  const keys = new Set(told.filter(({ hook }) => hook === 'onRefunded').map(({ key }) => key));
  if (keys.size !== 1) defects.push(`lost: ${keys.size} refunds were told`);
  const left = await checkout.refunds.returnable({ order: ORDER });
  if (left !== 0) defects.push(`duplicate: ${left} could still be given back`);
  return defects;
}
