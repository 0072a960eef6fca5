import { orderOf } from '../support/references.js';
import { returnIdIn } from '../../src/contract/return-id.js';
import { isPaid } from '../../src/contract/status.js';
import { EngineError } from '../../src/sandbox.js';
import { SCENARIO_NAMES } from '../../src/sandbox/service/scenarios.js';
import type { Outcome } from '../../src/sandbox/service/state.js';
import { memoryStore } from '../../src/server.js';
import { openWorld, type World } from '../server/world.js';
import { chanceFrom } from '../support/torture.js';
import { Widget } from '../transport/widget.js';
import { buttonsOf } from './clicks.js';
import type { Planted } from './simulation.js';

/** An hour in a shop: people come, choose, change their mind, pay, pay twice, leave, while every mishap happens. */

export interface Hour {
  readonly faults: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
/** Afterwards nothing goes wrong any more, and within this time every screen is right. */
const HEALED_MS = 5 * MINUTE_MS;
/** The kit asks for what it lost sight of for a day. */
const LATER_MS = 25 * HOUR_MS;
const MOST_MOVES = 12;
const MONEY_HOOKS = ['onConfirmed', 'onAmountMismatch', 'onDuplicatePayment'];

export async function anHourOf(shoppers: number, seed: number, planted: Planted = {}): Promise<Hour> {
  const orders = Object.fromEntries(
    Array.from({ length: shoppers }, (_, index) => [`o${index}`, { amountInCents: 1_000_000 + index * 100 }]),
  );
  const store = memoryStore();
  const world = await openWorld({
    store: planted.wrapStore?.(store) ?? store,
    orders,
    work: false,
    options: {
      maxAttempts: 50,
      serviceReadsPerSecond: 1_000,
      methods: [{ rail: 'BRE_B', keyType: 'SINGLE_USE' }, { rail: 'PSE' }, { kind: 'PAYMENT_LINK' }],
    },
  });
  const hour = new ShopHour(world, chanceFrom(seed));
  try {
    await hour.play(Object.keys(orders));
  } finally {
    await hour.close();
  }
  return hour;
}

class ShopHour implements Hour {
  readonly faults: string[] = [];
  readonly counts = new Map<string, number>();
  readonly #world: World;
  readonly #chance: () => number;
  readonly #widgets = new Map<string, Widget>();
  #isOver = false;

  constructor(world: World, chance: () => number) {
    this.#world = world;
    this.#chance = chance;
  }

  async play(orders: readonly string[]): Promise<void> {
    const { clock, pass, passByTicks, engine } = this.#world;
    for (const order of orders)
      clock.setTimer(Math.floor(this.#chance() * 0.8 * HOUR_MS), () => void this.#arrive(order));
    this.#stir();
    const stops = this.#world.checkouts.map((checkout) => checkout.work());
    await pass(HOUR_MS);
    this.#isOver = true;
    this.#heal();
    await pass(HEALED_MS);
    for (const [order, widget] of this.#widgets) this.#judgeScreen(order, widget);
    for (const widget of this.#widgets.values()) widget.close();
    // Looking every second for a day and a night would take longer than all the rest.
    const stopped = Promise.all(stops.map((stop) => stop()));
    await pass(MINUTE_MS);
    await stopped;
    await passByTicks(LATER_MS, 30 * MINUTE_MS);
    this.#judgeBooks(orders);
    this.#count('payins', engine.payins.length);
    this.#count('links', engine.links.length);
  }

  async close(): Promise<void> {
    this.#isOver = true;
    for (const widget of this.#widgets.values()) widget.close();
    await this.#world.close();
  }

  // Mishaps

  /** Every ten seconds one mishap begins or ends for everybody, and others wait for the next creations. */
  #stir(): void {
    if (this.#isOver) return;
    const { engine, clock } = this.#world;
    engine.setMishap(this.#oneOf(SCENARIO_NAMES), this.#chance() < 0.3);
    engine.armMishap(this.#oneOf(SCENARIO_NAMES), 1);
    clock.setTimer(10 * SECOND_MS, () => this.#stir());
  }

  #heal(): void {
    const { engine } = this.#world;
    for (const name of SCENARIO_NAMES) {
      engine.setMishap(name, false);
      engine.armMishap(name, 0);
      for (const { id } of [...engine.payins, ...engine.links]) engine.setMishapFor(id, name, false);
    }
  }

  // A shopper

  async #arrive(order: string): Promise<void> {
    this.#count('shoppers');
    const token = await this.#world.token(order);
    this.#open(order, new Widget(this.#world, { order: token, name: order, random: this.#chance }));
    this.#next(order, MOST_MOVES);
  }

  #open(order: string, widget: Widget): void {
    this.#widgets.get(order)?.close();
    this.#widgets.set(order, widget);
  }

  #next(order: string, movesLeft: number): void {
    if (movesLeft === 0) return;
    const pauseMs = this.#oneOf([1, 3, 8, 20, 60]) * SECOND_MS;
    this.#world.clock.setTimer(pauseMs, () => {
      if (this.#isOver) return;
      this.#move(order);
      this.#next(order, movesLeft - 1);
    });
  }

  #move(order: string): void {
    const widget = this.#widgets.get(order);
    if (widget === undefined) return;
    const drawn = this.#chance();
    if (widget.redirects.length > 0) return this.#atTheBank(order, widget);
    if (drawn < 0.35 && ['paying', 'link', 'lapsed'].includes(widget.phase)) return this.#pay(order);
    if (drawn > 0.97) return this.#pay(order);
    const buttons = buttonsOf(widget.state, widget.key());
    const isSure = drawn < 0.8 && widget.phase !== 'choosing';
    const button = isSure ? buttons[0] : buttons[Math.floor(this.#chance() * buttons.length)];
    if (button !== undefined) widget.do(button);
  }

  /** Any key that is still open, also one that was replaced. */
  #pay(order: string): void {
    const { engine } = this.#world;
    const isOwn = ({ reference }: { readonly reference: string }) => orderOf(reference) === order;
    const payin = engine.payins.find(
      (each) => isOwn(each) && ['PENDING', 'PROCESSING'].includes(each.status),
    );
    const link = engine.links.find((each) => isOwn(each) && each.status === 'PENDING');
    const drawn = this.#chance();
    const outcome: Outcome = drawn < 0.75 ? 'CONFIRMED' : drawn < 0.9 ? 'DECLINED' : 'CANCELED';
    try {
      if (payin !== undefined) engine.decide(payin.id, outcome);
      else if (link !== undefined)
        engine.decide(engine.payLink(link.id, { rail: 'BRE_B', keyType: 'SINGLE_USE' }).id, outcome);
      else return;
      this.#count(`decided ${outcome}`);
    } catch (error) {
      // A mishap refuses it, or it was decided before.
      if (!(error instanceof EngineError)) throw error;
    }
  }

  /** Pays there or not, and comes back by the bank's way to a page that knows nothing, or by a reload. */
  #atTheBank(order: string, widget: Widget): void {
    this.#count('at the bank');
    if (this.#chance() < 0.8) this.#pay(order);
    const { screen } = widget.state;
    const reference = 'attempt' in screen ? screen.attempt.reference : undefined;
    const { payins, links } = this.#world.engine;
    const paid = [...payins, ...links].find((each) => each.reference === reference);
    const returned = paid?.callbackUrl ? returnIdIn(paid.callbackUrl) : null;
    void this.#world.token(order).then((token) => {
      if (this.#isOver) return;
      const more = this.#chance() < 0.7 ? { returned } : { hint: widget.hint };
      this.#open(order, new Widget(this.#world, { order: token, name: `${order}-back`, ...more }));
    });
  }

  // What must be true

  #judgeScreen(order: string, { state: { screen }, phase }: Widget): void {
    this.#count(`ends on ${phase}`);
    const showsMoney = phase === 'confirmed' || phase === 'amount-differs' || phase === 'duplicate';
    const paid = this.#paidBy(order);
    if (showsMoney && paid.length === 0) this.faults.push(`${order} shows ${phase} without a payment`);
    if (!('attempt' in screen) || showsMoney) return;
    const { reference } = screen.attempt;
    if (!paid.includes(reference)) return;
    if (phase === 'declined' && this.#wasDeclined(reference))
      // A result is final for the page. What the bank thinks better of is told to the merchant.
      this.#count('declined, then paid');
    else this.faults.push(`${order} shows ${phase} of a paid attempt`);
  }

  /** Whether the service has said so, before it said otherwise. */
  #wasDeclined(reference: string): boolean {
    const { payins, events } = this.#world.engine;
    const payin = payins.find((each) => each.reference === reference);
    return events.some(
      ({ event, resourceId, forged }) => event === 'payin.declined' && resourceId === payin?.id && !forged,
    );
  }

  #judgeBooks(orders: readonly string[]): void {
    const { told } = this.#world;
    for (const order of orders) {
      const paid = this.#paidBy(order);
      const money = told.filter((each) => each.order === order && MONEY_HOOKS.includes(each.hook));
      if (new Set(money.map(({ key }) => key)).size < money.length)
        this.faults.push(`${order} was told twice`);
      if (money.filter(({ hook }) => hook === 'onConfirmed').length > 1)
        this.faults.push(`${order} has two settlements`);
      for (const reference of paid)
        if (!money.some((each) => each.reference === reference)) this.faults.push(`${order} lost a payment`);
      for (const { reference } of money)
        if (!paid.includes(reference)) this.faults.push(`${order} was told of money that never came`);
      this.#count('paid orders', paid.length > 0 ? 1 : 0);
      this.#count('further payments', Math.max(0, paid.length - 1));
    }
  }

  /** References under which the service has the order's money. */
  #paidBy(order: string): string[] {
    const { payins, links } = this.#world.engine;
    return payins
      .filter(({ status }) => isPaid(status))
      .map(({ reference, paymentLinkId }) =>
        paymentLinkId === null ? reference : (links.find(({ id }) => id === paymentLinkId)?.reference ?? ''),
      )
      .filter((reference) => orderOf(reference) === order);
  }

  #oneOf<Value>(values: readonly Value[]): Value {
    return values[Math.floor(this.#chance() * values.length)] as Value;
  }

  #count(what: string, by = 1): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + by);
  }
}
