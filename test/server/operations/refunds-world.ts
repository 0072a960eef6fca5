import assert from 'node:assert/strict';
import { PayoutError, type PayoutView } from '../../../src/server.js';
import { checkoutOf, CUSTOMER, openWorld, type World, type WorldOptions } from '../world.js';

/** One order that was paid, whose money goes back. */

let world: World | undefined;

/** To be called after each test. */
export async function close(): Promise<void> {
  await world?.close();
  world = undefined;
}

export const open = async (options?: WorldOptions) => (world = await openWorld(options));

export const PRICE = 5_000_000;

export const KEY = CUSTOMER.idNumber;

export const sends = ({ requests }: World) => requests.filter((each) => each === 'POST /payouts').length;

export const hooks = ({ told }: World, hook: string) => told.filter((each) => each.hook === hook);

export const refusal = async (work: Promise<unknown>): Promise<PayoutError> => {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof PayoutError, String(error));
  return error;
};

/** A world with one order that was paid once, by a payer whose data the payment has. */
export async function paid(
  options: WorldOptions = {},
): Promise<{ world: World; payin: string; reference: string }> {
  const opened = await open(options);
  const { reference } = (await opened.startBreb({ inlineCustomer: CUSTOMER })).attempt;
  const payin = opened.payinOf(reference).id;
  opened.engine.settle(payin, 'CONFIRMED');
  await opened.idle();
  await (options.work === false ? opened.passByTicks(4_000, 2_000) : opened.pass(2_000));
  assert.equal(hooks(opened, 'onConfirmed').length, 1);
  return { world: opened, payin, reference };
}

export async function refund(opened: World, more: object = {}): Promise<PayoutView> {
  const { refunds } = checkoutOf(opened);
  const { id, version } = await refunds.draft({ order: 'order-1', keyString: KEY, ...more });
  return refunds.send(id, { version });
}

export async function outcome(opened: World, serviceId: string | null, status: 'CONFIRMED' | 'DECLINED') {
  opened.engine.settle(serviceId ?? '', status);
  await opened.pass(2_000);
}
