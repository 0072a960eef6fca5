import { isFinal, payinStatus } from '../../contract/status.js';
import { fail, type Finding, pass, skip } from '../checks.js';
import { type Answer, codeOf, describeAnswer } from '../probe.js';
import { behind, NO_SANDBOX } from './service.js';
import type { SandboxControl } from './sandbox-control.js';
import { untilPayable } from './creating.js';
import { shopHas, TELL_THE_SHOP } from './shop.js';
import {
  attemptIn,
  create,
  HOLD_PAUSE_MS,
  isFinding,
  LOOK_PAUSES_MS,
  newKey,
  type Payment,
  payinPath,
  type Seen,
  startBody,
  type Step,
  type Visit,
} from './visit.js';

/** Payments played out at the sandbox, each with an order of its own: what the backend then says, and tells its shop. */

/** Takes a spare order, opens a payin for it, and plays; or says why it cannot. */
function play(run: (payment: Payment, visit: Visit) => Promise<Finding>): Step['run'] {
  return async (visit) => {
    const { control } = visit;
    if (control === undefined) return NO_SANDBOX;
    const order = visit.ordersLeft.shift();
    if (order === undefined)
      return skip(
        'there are too few orders',
        `Give --order ${ORDERS_NEEDED} times, each with a fresh order.`,
      );
    const payment = await open(control, { ...visit, order });
    return isFinding(payment) ? payment : run(payment, visit);
  };
}

export const ORDERS_NEEDED = 6;

async function open(control: SandboxControl, visit: Visit, more: object = {}): Promise<Payment | Finding> {
  const created = attemptIn(visit, await create(visit, startBody(visit, { ...more }), newKey()));
  if (isFinding(created)) return created;
  const attempt = await untilPayable(visit, created);
  if (isFinding(attempt)) return attempt;
  const [payin] = await behind(control, attempt);
  // Events of the creation come first: a later one would have the backend read the payin while the outcome is tried.
  await control.untilAnswered();
  return payin === undefined
    ? fail('the payin is not at the sandbox')
    : { control, visit, attempt, payinId: payin.id };
}

/** As many as a payer's tabs and impatience make. */
const READS_AT_ONCE = 8;

/** Reads until the payin is as it should be; otherwise the failure, with the last answer. */
async function until(
  { visit, attempt }: Payment,
  expectation: string,
  isSo: (seen: Seen) => boolean,
  readsAtOnce = 1,
): Promise<Seen | Finding> {
  for (let tries = 0; ; tries++) {
    // All of them ask for the same payin, so one answer is enough.
    const reads = Array.from({ length: readsAtOnce }, () => visit.probe.send(payinPath(attempt.id)));
    const [answer] = (await Promise.all(reads)) as [Answer];
    const seen = attemptIn(visit, answer);
    if (isFinding(seen) || isSo(seen)) return seen;
    const pauseMs = LOOK_PAUSES_MS[tries];
    if (pauseMs === undefined) return fail(`${describe(seen)}, not ${expectation}`, undefined, answer);
    await visit.probe.pause(pauseMs);
  }
}

function describe({ status, confirmedAmountInCents, settlement }: Seen): string {
  const confirmed = confirmedAmountInCents === null ? '' : ` with ${confirmedAmountInCents} cents`;
  return `${status}${confirmed}${settlement === null ? '' : `, settlement ${settlement.state}`}`;
}

const isPaid = ({ status, settlement }: Seen) =>
  status === 'CONFIRMED' && (settlement === null || settlement.state === 'PAID');

const paid: Step = {
  id: 'play-paid',
  title: 'Paid, with every event sent twice while many read: paid once',
  needs: ['service'],
  advice:
    'Read the payin when an event names it and while a payer watches; take a repeated event for the same one. Claim the order before you ship, in one step that only one of them can win.',
  run: play(async (payment) => {
    const { control, visit, attempt } = payment;
    await control.set('webhooks-duplicated', true);
    const seen = await confirmAmidReads(payment);
    await control.set('webhooks-duplicated', false);
    if (isFinding(seen)) return seen;
    const confirmed = seen.confirmedAmountInCents ?? attempt.amountInCents;
    if (confirmed !== attempt.amountInCents) return fail(describe(seen));
    if (visit.level === 'full' && seen.version === attempt.version) {
      return fail('the version is the same as before the payment', 'Make `version` cover the status.');
    }
    await control.repeatEvents(2);
    return (await shopHas(payment, { shipped: 1 })) ?? (await closed(payment)) ?? pass(describe(seen));
  }),
};

/** Confirms it while tabs and devices ask: of events and reads, any may be the first to learn of the payment. */
async function confirmAmidReads(payment: Payment): Promise<Seen | Finding> {
  const [seen] = await Promise.all([
    until(payment, 'paid', isPaid, READS_AT_ONCE),
    payment.control.settle(payment.payinId, 'CONFIRMED'),
  ]);
  return seen;
}

/** A paid order takes no further payment. */
async function closed({ visit }: Payment): Promise<Finding | undefined> {
  if (visit.level === 'basic') return undefined;
  const answer = await create(visit, startBody(visit), newKey());
  if (answer.status === 409 && codeOf(answer) === 'already_paid') return undefined;
  const advice = 'Answer 409 already_paid with the paying attempt when the order is paid.';
  return fail(`a paid order: ${describeAnswer(answer)}`, advice, answer);
}

const declined: Step = {
  id: 'play-declined',
  title: 'Declined, with every event lost: known all the same',
  needs: ['service'],
  advice: 'Read open payins from the service while a payer asks and on a schedule: events get lost.',
  run: play(async (payment, visit) => {
    await payment.control.set('webhooks-lost', true);
    await payment.control.settle(payment.payinId, 'DECLINED');
    const seen = await until(payment, 'DECLINED', ({ status }) => status === 'DECLINED');
    await payment.control.set('webhooks-lost', false);
    if (isFinding(seen)) return seen;
    visit.declined = payment;
    return (await shopHas(payment, { shipped: 0 })) ?? pass(describe(seen));
  }),
};

const late: Step = {
  id: 'play-late',
  title: 'Declined, then confirmed after all: paid',
  needs: ['play-declined'],
  advice:
    'Read a declined payin again when an event names it, and a few times on a schedule: banks change their mind.',
  async run(visit) {
    const payment = visit.declined;
    if (payment === undefined) return NO_SANDBOX;
    const seen = await confirmAmidReads(payment);
    if (isFinding(seen)) return seen;
    await payment.control.repeatEvents(1);
    return (await shopHas(payment, { shipped: 1 })) ?? pass(describe(seen));
  },
};

const underpaid: Step = {
  id: 'play-underpaid',
  title: 'Confirmed with half the price: not paid',
  needs: ['service'],
  advice: TELL_THE_SHOP,
  run: play(async (payment) => {
    const half = Math.ceil(payment.attempt.amountInCents / 2);
    await payment.control.settle(payment.payinId, 'CONFIRMED', half);
    const seen = await until(payment, 'CONFIRMED', ({ status }) => status === 'CONFIRMED');
    if (isFinding(seen)) return seen;
    if (seen.confirmedAmountInCents !== half) return fail(`${describe(seen)}, but ${half} cents came`);
    if (seen.settlement !== null && seen.settlement.state !== 'AMOUNT_DIFFERS') return fail(describe(seen));
    return (await shopHas(payment, { shipped: 0, review: 1 })) ?? pass(describe(seen));
  }),
};

const LOOKS = 8;

const unknownStatus: Step = {
  id: 'play-unknown-status',
  title: 'An unknown status: open, never paid',
  needs: ['service'],
  advice:
    'Compare status with the names you know. Anything else is open, until the service says what it means and you map it.',
  run: play(async (payment) => {
    const { control, visit, attempt } = payment;
    await control.set('renamed-statuses', true);
    await control.settle(payment.payinId, 'CONFIRMED');
    for (let looks = 0; looks < LOOKS; looks++) {
      const answer = await visit.probe.send(payinPath(attempt.id));
      const seen = attemptIn(visit, answer);
      if (isFinding(seen) || isFinal(payinStatus(seen.status)) || isSettled(seen)) {
        await control.set('renamed-statuses', false);
        return isFinding(seen) ? seen : fail(`APPROVED became ${describe(seen)}`, undefined, answer);
      }
      await visit.probe.pause(HOLD_PAUSE_MS);
    }
    const early = await shopHas(payment, { shipped: 0 });
    await control.set('renamed-statuses', false);
    if (early !== undefined) return early;
    const seen = await until(payment, 'paid once the name is known again', isPaid);
    return isFinding(seen) ? seen : ((await shopHas(payment, { shipped: 1 })) ?? pass('open, then paid'));
  }),
};

const isSettled = ({ settlement }: Seen) => settlement !== null && settlement.state !== 'OPEN';

const duplicate: Step = {
  id: 'play-duplicate',
  title: 'Paid twice: shipped once, and said plainly',
  level: 'full',
  needs: ['service'],
  advice:
    'Keep watching payins that were replaced. A second payment sets settlement.duplicate and goes to a person.',
  run: play(async (first) => {
    const { control, visit } = first;
    const second = await open(control, visit, { replaces: first.attempt.id });
    if (isFinding(second)) return second;
    for (const { payinId } of [second, first]) await control.settle(payinId, 'CONFIRMED');
    for (const each of [first, second]) {
      const seen = await until(each, 'paid twice', ({ settlement }) => settlement?.duplicate === true);
      if (isFinding(seen)) return seen;
    }
    return (await shopHas(first, { shipped: 1, review: 1 })) ?? pass('settlement.duplicate');
  }),
};

export const PLAYS: readonly Step[] = [paid, declined, late, underpaid, unknownStatus, duplicate];
