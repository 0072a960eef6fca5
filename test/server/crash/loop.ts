import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Engine } from '../../../src/sandbox.js';
import { newReference } from '../../../src/server/ids.js';
import { bundleProgram } from '../../support/bundles.js';
import { eventsTo } from '../../support/kit.js';
import { orderOf } from '../../support/references.js';
import { type CrashDatabase, letTimePass, skippingClock } from './harness.js';
import { ask, type Instance, startInstance } from './loop-instance.js';
import { deliverAgain, endPayouts, judgeRefunds, refundReference } from './loop-refunds.js';
import { EVER, LOOP_SHOP, openLoopCheckout } from './loop-shop.js';

/** Instances that are killed at any moment while people pay, and what must be true in the end. */

export interface LoopCounts {
  readonly kills: number;
  readonly orders: number;
  readonly paidOrders: number;
  readonly payments: number;
  readonly underpaid: number;
  readonly linkPayments: number;
  /** Links on whose page two payments were made. */
  readonly linksPaidTwice: number;
  /** Links whose payment was confirmed after they had expired. */
  readonly linksPaidLate: number;
  readonly chargebacks: number;
  /** Payments that the store knew nothing of, as after a restore: only a reconcile finds them. */
  readonly adopted: number;
  readonly refunds: number;
  readonly declinedRefunds: number;
  readonly psePayments: number;
  readonly priceChanges: number;
  readonly failedHookRuns: number;
  readonly notices: number;
  readonly repeatedNotices: number;
}

export interface LoopResult {
  readonly counts: LoopCounts;
  /** What went wrong, in words; empty when nothing did. */
  readonly defects: readonly string[];
}

export interface LoopOptions {
  readonly database: CrashDatabase;
  readonly instances: number;
  readonly kills: number;
  readonly random: () => number;
}

interface Notice {
  readonly hook: string;
  readonly key: string;
  readonly order: string;
  readonly reference: string;
  readonly serviceId: string | null;
}

const BREB = { rail: 'BRE_B', breb: { keyType: 'QR_CODE' } };
const PSE = {
  rail: 'PSE',
  pse: { bank: 'CO_BANCOLOMBIA', personType: 'INDIVIDUAL' },
  inlineCustomer: {
    name: 'Ana María Pérez',
    idType: 'CO_CC',
    idNumber: '1000000001',
    phone: '+573001234567',
    email: 'ana@correo.test',
  },
};
const PRICE_IN_CENTS = 5_000_000;
const RAISED_IN_CENTS = 9_000_000;
/** With so many orders each way to pay, a raised price and a short payment have come at least once. */
const EVERY_KIND = 12;

export async function runKillLoop({ database, instances, kills, random }: LoopOptions): Promise<LoopResult> {
  const prices = new Map<string, number>();
  const told: Notice[] = [];
  const tally = {
    failedHookRuns: 0,
    priceChanges: 0,
    underpaid: 0,
    linkPayments: 0,
    linksPaidTwice: 0,
    linksPaidLate: 0,
    chargebacks: 0,
    adopted: 0,
  };
  /** Payins of links that expire before they are confirmed. */
  const late = new Set<string>();
  /** Events of payouts as they were sent: what the dead have missed comes again at the end. */
  const payoutEvents: string[] = [];
  let asked = 0;
  let isLastPart = false;
  const live = new Set<Instance>();
  const pick = () => [...live][Math.floor(random() * live.size)];

  const sandbox = createSandbox({
    autoOutcome: 'never',
    webhooks: eventsTo(LOOP_SHOP),
    async send(request) {
      const { headers } = request;
      const body = await request.text();
      if (body.includes('"resource":"payout"')) payoutEvents.push(body);
      return ask(pick(), '/webhooks', { method: 'POST', headers, body });
    },
  });
  const server = createServer(
    getRequestListener(async (request) => {
      const { pathname } = new URL(request.url);
      if (pathname.startsWith('/price/')) {
        const amountInCents = prices.get(decodeURIComponent(pathname.slice('/price/'.length)));
        return amountInCents === undefined
          ? new Response(null, { status: 404 })
          : Response.json({ amountInCents });
      }
      if (pathname !== '/told') return sandbox.fetch(request);
      const notice = (await request.json()) as Notice;
      const luck = isLastPart ? 1 : random();
      if (luck < 0.2) {
        tally.failedHookRuns += 1;
        return new Response(null, { status: 500 });
      }
      told.push(notice);
      // Taken, but the answer is a failure: it must come again under the same key.
      if (luck < 0.35) tally.failedHookRuns += 1;
      return new Response(null, { status: luck < 0.35 ? 500 : 204 });
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const serviceUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sandbox.engine.publicUrl = serviceUrl;

  const setup = database.open();
  await setup.migrate();
  const tokens = openLoopCheckout({ store: setup, serviceUrl });
  const program = await bundleProgram(new URL('loop-child.ts', import.meta.url));
  const birth = async () => live.add(await startInstance(program, database, serviceUrl));
  try {
    for (let index = 0; index < instances; index++) await birth();
    let orders = 0;
    let dead = 0;
    const traffic = async (): Promise<void> => {
      // On a slow machine an instance may die before it has answered: the last one stays until all kinds were paid.
      while (dead < kills || orders < EVERY_KIND) {
        const number = (orders += 1);
        const order = `order-${number}`;
        prices.set(order, PRICE_IN_CENTS);
        await payOrder(order, number);
        if (number % 2 === 1) await giveBack(order);
      }
    };
    const payOrder = async (order: string, number: number): Promise<void> => {
      const { engine } = sandbox;
      if (number % 9 === 2) {
        const reference = await newReference(order);
        const input = { amountInCents: PRICE_IN_CENTS, currency: 'COP', reference } as const;
        engine.settle(
          engine.createPayin({ ...input, rail: 'BRE_B', breb: { keyType: 'QR_CODE' } }).id,
          'CONFIRMED',
        );
        tally.adopted += 1;
        return;
      }
      const isLink = number % 4 === 0;
      const method = isLink ? {} : number % 3 === 1 ? PSE : BREB;
      const body = JSON.stringify({
        order: await tokens.orderToken(order),
        callbackUrl: `${LOOP_SHOP}/gracias`,
        ...method,
      });
      const headers = {
        'content-type': 'application/json',
        origin: LOOP_SHOP,
        'idempotency-key': `the-payer-pressed-once-${order}`,
      };
      for (let tries = 0; tries < 300; tries++) {
        const path = isLink ? '/payment-links' : '/payins';
        const { status } = await ask(pick(), path, { method: 'POST', headers, body });
        if (status === 200 || status === 201) break;
        await pause(100);
      }
      if (number % 5 === 0) {
        prices.set(order, RAISED_IN_CENTS);
        tally.priceChanges += 1;
      }
      const short = number % 6 === 0;
      for (const link of engine.links.filter(({ reference }) => reference.startsWith(`${order}-`))) {
        if (link.status !== 'PENDING') continue;
        const pay = () => engine.payLink(link.id, { rail: 'BRE_B', keyType: 'QR_CODE' }).id;
        const ids = number % 8 === 0 ? [pay(), pay()] : [pay()];
        tally.linkPayments += ids.length;
        if (ids.length > 1) tally.linksPaidTwice += 1;
        if (number % 8 === 4) {
          for (const id of ids) late.add(id);
          engine.expireLink(link.id);
          tally.linksPaidLate += 1;
        }
      }
      for (const payin of engine.payins) {
        const isDue = payin.status !== 'CONFIRMED' && !late.has(payin.id);
        if (payin.reference.startsWith(`${order}-`) && isDue) confirm(engine, payin.id, short);
      }
    };
    /** Two operators give all of it back at once; while it is not paid yet, they try again. */
    const giveBack = async (order: string): Promise<void> => {
      for (let tries = 0; tries < 100; tries++) {
        const answers = await Promise.all(
          [1, 2].map(() =>
            ask(pick(), `/refund?order=${order}&reference=${refundReference(order, (asked += 1))}`, {
              method: 'POST',
            }),
          ),
        );
        endPayouts(sandbox.engine);
        if (answers.some(({ status }) => status === 200)) return;
        await pause(100);
      }
    };
    const confirm = (engine: Engine, id: string, short: boolean) => {
      engine.settle(id, 'CONFIRMED', short ? { confirmedAmountInCents: PRICE_IN_CENTS / 2 } : {});
      if (short) tally.underpaid += 1;
    };
    const killing = async (): Promise<void> => {
      while (dead < kills) {
        await pause(300 + random() * 1_500);
        const doomed = pick();
        if (doomed === undefined) continue;
        live.delete(doomed);
        doomed.child.kill('SIGKILL');
        dead += 1;
        await birth();
      }
    };
    await Promise.all([traffic(), traffic(), killing()]);
    for (const { child } of live) child.kill('SIGKILL');
    live.clear();
    isLastPart = true;
    const { engine } = sandbox;
    // One clock for both times: the second begins where the first ended, with the reads that were planned by then.
    const clock = skippingClock();
    // Twice: what the last instance left unclear is asked for again meanwhile, and that is paid too.
    for (let time = 0; time < 2; time++) {
      if (time === 1) {
        for (const [index, payin] of engine.payins.entries()) {
          if (payin.status !== 'CONFIRMED' || index % 7 !== 0) continue;
          engine.chargeBack(payin.id);
          tally.chargebacks += 1;
        }
      }
      for (const payin of engine.payins) {
        if (payin.status !== 'CONFIRMED' && (time === 1 || !late.has(payin.id))) {
          confirm(engine, payin.id, false);
        }
      }
      endPayouts(engine);
      await engine.idle();
      await settleAll(database, serviceUrl, clock, payoutEvents);
    }
    return judge(engine, prices, told, { kills: dead, orders, ...tally });
  } finally {
    for (const { child } of live) child.kill('SIGKILL');
    await tokens.close();
    await setup.close();
    sandbox.close();
    server.close();
    server.closeAllConnections();
  }
}

// real time: other processes work meanwhile
const pause = (durationMs: number) => new Promise((resolve) => setTimeout(resolve, durationMs));

const HOURS = [
  0,
  1_000,
  5_000,
  40_000,
  60_000,
  300_000,
  900_000,
  ...Array.from({ length: 30 }, () => 3_600_000),
];

async function settleAll(
  database: CrashDatabase,
  serviceUrl: string,
  clock: ReturnType<typeof skippingClock>,
  events: readonly string[],
): Promise<void> {
  const [store, other] = [database.open(), database.open()];
  const checkout = openLoopCheckout({ store, serviceUrl, clock });
  const second = openLoopCheckout({ store: other, serviceUrl, clock });
  await Promise.all([checkout.reconcile(EVER), second.reconcile(EVER)]);
  await second.close();
  await other.close();
  await deliverAgain(checkout, events);
  await letTimePass(database, checkout, clock, HOURS);
  await checkout.close();
  await store.close();
}

/** Each payment is told once, and each order that is paid in full is confirmed once. */
function judge(
  engine: Engine,
  prices: ReadonlyMap<string, number>,
  told: readonly Notice[],
  counted: Pick<
    LoopCounts,
    | 'kills'
    | 'orders'
    | 'failedHookRuns'
    | 'priceChanges'
    | 'underpaid'
    | 'linkPayments'
    | 'linksPaidTwice'
    | 'linksPaidLate'
    | 'chargebacks'
    | 'adopted'
  >,
): LoopResult {
  const notices = new Map(told.map((notice) => [notice.key, notice]));
  const about = (hook: string) => [...notices.values()].filter((notice) => notice.hook === hook);
  const money = [...about('onConfirmed'), ...about('onAmountMismatch'), ...about('onDuplicatePayment')];
  const defects: string[] = [];
  const paid = new Map<string, number>();
  for (const payin of engine.payins) {
    // Asked for after the last round of payments: nobody has paid it.
    if (payin.status !== 'CONFIRMED') continue;
    const order = orderOf(payin.reference);
    paid.set(order, (paid.get(order) ?? 0) + (payin.confirmedAmountInCents ?? 0));
    const mine = money.filter(({ serviceId }) => serviceId === payin.id);
    const takenBack = about('onChargeback').filter(({ serviceId }) => serviceId === payin.id).length;
    if (takenBack !== (payin.chargebackAtMs === null ? 0 : 1)) {
      defects.push(`${payin.reference}: its chargeback was reported ${takenBack} times`);
    }
    if (mine.length === 0) defects.push(`lost: ${payin.reference} was paid and nobody was told`);
    if (new Set(mine.map(({ hook }) => hook)).size !== mine.length) {
      defects.push(`doubled: ${payin.reference} was told twice by one hook`);
    }
  }
  let paidOrders = 0;
  for (const [order, amount] of paid) {
    const isPaid = amount >= (prices.get(order) ?? Infinity);
    if (isPaid) paidOrders += 1;
    const confirmed = about('onConfirmed').filter((notice) => notice.order === order).length;
    if (confirmed !== (isPaid ? 1 : 0)) {
      defects.push(
        `${order}: ${amount} of ${String(prices.get(order))} was paid and confirmed ${confirmed} times`,
      );
    }
  }
  const { refunds, refused, defects: ofRefunds } = judgeRefunds(engine, paid, [...notices.values()]);
  defects.push(...ofRefunds);
  const counts = {
    ...counted,
    paidOrders,
    refunds,
    declinedRefunds: refused,
    payments: engine.payins.length,
    psePayments: engine.payins.filter(({ source }) => source.rail === 'PSE').length,
    notices: notices.size,
    repeatedNotices: told.length - notices.size,
  };
  return { counts, defects };
}
