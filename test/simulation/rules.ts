import { isFinal } from '../../src/contract/status.js';
import { amountDiffers, expiresAtMs } from '../../src/machine/paying/attempts.js';
import { currentOf } from '../../src/machine/current.js';
import type { CheckoutEvent } from '../../src/machine/effect.js';
import { targetsOf } from '../../src/machine/paying/consequences.js';
import type { State } from '../../src/machine/state.js';
import { attemptById, attemptStatus, type OrderRecord } from '../../src/server/orders/record.js';
import { verdictOn } from '../../src/server/orders/settlement.js';
import type { Told } from '../server/world.js';
import type { Shop } from './shop.js';

/** What must be true, as sentences about what somebody would complain of. */

/** The watched attempt as the widget knows it. */
export function knownOf(state: State) {
  const current = currentOf(state.screen);
  return current && targetsOf(state).some(({ id }) => id === current.id) ? current : null;
}

/** At any moment: nothing is shown that the backend has not said, and money only when the service has it. */
export function stateFaults(shop: Shop, { screen }: State): string[] {
  if (!('attempt' in screen)) return [];
  const { attempt, phase } = screen;
  const faults: string[] = [];
  if (isFinal(attempt.status) && !shop.said.has(`${attempt.id} ${attempt.status}`)) {
    faults.push(`shows ${attempt.status}, which nobody said`);
  }
  const paid = phase === 'confirmed' || phase === 'amount-differs' || phase === 'duplicate';
  if (paid && !shop.isPaid(attempt.reference)) faults.push(`shows ${phase} without a payment`);
  if (phase === 'confirmed' && amountDiffers(attempt)) faults.push('shows plain success of another amount');
  if (phase === 'duplicate' && (shop.record?.payments.length ?? 0) < 2) {
    faults.push('shows two payments where there is one');
  }
  return faults;
}

const FINAL = /^(payin-(confirmed|declined|canceled|lapsed)|paymentlink-(completed|expired))$/;
const MONEY = /(confirmed|completed)$/;

/** What one element told its page, from some place on: each final event once, true, and never taken back. */
export function eventFaults(shop: Shop, events: readonly CheckoutEvent[], from: number): string[] {
  const faults: string[] = [];
  for (let at = from; at < events.length; at++) {
    const event = events[at];
    if (!event || !FINAL.test(event.type)) continue;
    const { id, reference } = subject(event) ?? { id: '', reference: '' };
    const earlier = events
      .slice(0, at)
      .filter((other) => FINAL.test(other.type) && subject(other)?.id === id)
      .map(({ type }) => type);
    const { type } = event;
    if (earlier.includes(type)) faults.push(`${type} twice`);
    // A bank may confirm what it declined, and a lapsed key may be paid: then, and only then, there are two.
    if (earlier.some((other) => MONEY.test(other))) faults.push(`${type} after the money`);
    if (!MONEY.test(type) && earlier.some((other) => other !== type && !other.endsWith('lapsed'))) {
      faults.push(`${type} after ${earlier.join()}`);
    }
    if (MONEY.test(type) && !shop.isPaid(reference)) faults.push(`${type} without a payment`);
  }
  return faults;
}

function subject(event: CheckoutEvent) {
  return 'payin' in event ? event.payin : 'link' in event ? event.link : undefined;
}

/** The version that a widget should have caught up with. */
export function freshnessFault(state: State, id: string, version: number): string | undefined {
  const known = knownOf(state);
  if (known?.id !== id || Number(known.version) >= version) return undefined;
  return `a page still knows version ${known.version} of ${version}`;
}

/**
 * Once nothing is in the way any more: what a page shows is what the service has. A page that has just been loaded
 * shows what was known at that time, whatever it may not watch.
 */
export function screenFault(shop: Shop, state: State, loadedMs?: number): string | undefined {
  const { screen } = state;
  const { phase } = screen;
  const { record } = shop;
  const shown = currentOf(screen);
  const loaded = loadedMs !== undefined;
  const payments = (record?.payments ?? []).filter(({ at }) => !loaded || at < loadedMs);
  const watching = targetsOf(state).length > 0;
  switch (phase) {
    case 'loading':
    case 'returning':
    case 'creating':
    case 'redirecting':
    case 'verifying':
      return loaded && phase === 'verifying' ? undefined : `stuck on ${phase}`;
    case 'failed':
      return screen.reason === 'too_many_attempts' ? undefined : `stuck on ${phase}: ${screen.reason}`;
    case 'idle':
      return 'idle';
    case 'confirmed':
    case 'amount-differs':
    case 'duplicate': {
      const payment = record?.payments.find(({ attempt }) => attempt === shown?.id);
      if (!payment || !shown) return `shows ${phase} of what was not paid`;
      const rightFor = (known: OrderRecord['payments']) => {
        const { state, by, duplicate } = verdictOn({ payments: known });
        // One of several that paid the order together is shown as what it was by itself.
        if (state === 'PAID' && by !== shown.id && !duplicate) return phase;
        if (duplicate) return 'duplicate';
        const asAsked = payment.amountInCents === shown.amountInCents;
        return state === 'PAID' && asAsked ? 'confirmed' : 'amount-differs';
      };
      const expected = [rightFor(payments), rightFor(record?.payments ?? [])];
      // A page that knows of nothing open has stopped looking; loaded again it must know.
      if (!expected.includes(phase) && (loaded || watching))
        return `shows ${phase} instead of ${expected.join()}`;
      return undefined;
    }
    default:
  }
  // An outcome without money is not watched: that a bank thought twice is seen when the page is loaded again.
  const knowable = loaded || (shown !== null && !isFinal(shown.status));
  if (verdictOn({ payments }).isComplete && knowable) return `shows ${phase} of a paid order`;
  if ((record?.payments.length ?? 0) > 0) return undefined;
  if (!shown) {
    if (loaded && (record?.attempts.length ?? 0) > 0) return `shows ${phase} instead of the attempt`;
    return undefined;
  }
  const truth = record && attemptById(record, shown.id);
  if (!truth) return 'shows an attempt that nobody has';
  if (loaded && truth.id !== record.attempts.at(-1)?.id) return 'shows an attempt that is not current';
  const status = attemptStatus(truth);
  const differs = shown.status !== status && (isFinal(shown.status) || isFinal(status));
  if (differs) return `shows ${shown.status} instead of ${status} on ${phase}`;
  return openFault(shop, record, state) ?? serviceFault(shop, state);
}

function openFault(shop: Shop, record: OrderRecord, { screen }: State): string | undefined {
  if (!('attempt' in screen)) return undefined;
  const { attempt, phase } = screen;
  const lapsed = expiresAtMs(attempt) <= shop.clock.now();
  switch (phase) {
    case 'paying':
      return lapsed ? 'shows a key that has lapsed' : undefined;
    case 'lapsed':
      if (isFinal(attempt.status)) return undefined;
      if (screen.checkingUntilMs !== null) return 'stuck in the last check';
      return lapsed ? undefined : 'calls lapsed what has not';
    case 'preparing':
      return attemptById(record, attempt.id)?.disclosed === null || attempt.rail === 'PSE'
        ? undefined
        : 'waits for a key that is there';
    default:
      return undefined;
  }
}

/** The kit's word is the service's, at least of what the page watches. A second thought may take the kit a day. */
function serviceFault(shop: Shop, state: State): string | undefined {
  const known = knownOf(state);
  if (!known || isFinal(known.status)) return undefined;
  const truth = shop.statusOf(known.reference);
  return truth !== undefined && isFinal(truth) ? `shows ${known.status} instead of ${truth}` : undefined;
}

/** When everything is over: one settlement of a paid order, and a report of each further payment. */
export function settlementFaults({ engine, told, record, restarts }: Shop): string[] {
  const { payins, links } = engine;
  const paid = [
    ...payins.filter(({ paymentLinkId, status }) => paymentLinkId === null && status === 'CONFIRMED'),
    ...links.filter(({ status }) => status === 'COMPLETED'),
  ];
  const notices = (...hooks: string[]) => told.filter(({ hook }) => hooks.includes(hook));
  const settlements = notices('onConfirmed', 'onAmountMismatch');
  const duplicates = notices('onDuplicatePayment');
  const faults: string[] = [];
  const expect = (name: string, actual: number, expected: number) => {
    if (actual !== expected) faults.push(`${actual} ${name} of ${paid.length} payments`);
  };
  const right = noticesOf(record?.payments ?? []);
  expect('settlements', record?.payments.length ?? 0, paid.length);
  expect('settlements', distinct(settlements), right.settlements);
  expect('duplicate reports', distinct(duplicates), right.duplicates);
  // Without a crash nothing is said twice, either.
  if (restarts === 0) {
    expect('notices of money', settlements.length + duplicates.length, right.settlements + right.duplicates);
  }
  const references = new Set(paid.map(({ reference }) => reference));
  for (const { hook, reference } of [...settlements, ...duplicates]) {
    if (!references.has(reference)) faults.push(`${hook} of what was not paid`);
  }
  if (record && record.notices.length > 0)
    faults.push(`${record.notices.length} notices were never delivered`);
  return faults;
}

/** Payments add up to what the order costs; what is more is a duplicate. */
function noticesOf(payments: OrderRecord['payments']): { settlements: number; duplicates: number } {
  let [settlements, duplicates, paidInCents, isComplete] = [0, 0, 0, false];
  for (const [index, { amountInCents, orderAmountInCents }] of payments.entries()) {
    if (isComplete) {
      duplicates += 1;
      continue;
    }
    paidInCents += amountInCents;
    isComplete = paidInCents >= orderAmountInCents;
    settlements += 1;
    if (index > 0 && paidInCents > orderAmountInCents) duplicates += 1;
  }
  return { settlements, duplicates };
}

const distinct = (notices: readonly Told[]) => new Set(notices.map(({ key }) => key)).size;
