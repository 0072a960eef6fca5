import { isFinal } from '../../src/contract/status.js';
import type { CheckoutEvent } from '../../src/machine/effect.js';
import type { Input } from '../../src/machine/input.js';
import { EngineError } from '../../src/sandbox.js';
import type { Store } from '../../src/server.js';
import type { Parts, Widget } from '../transport/widget.js';
import { chanceFrom } from '../support/torture.js';
import { cheapenCrypto, seedCrypto } from './cheap-crypto.js';
import { buttonsOf } from './clicks.js';
import { lightenHttp } from './light-http.js';
import { eventFaults, freshnessFault, knownOf, screenFault, settlementFaults, stateFaults } from './rules.js';
import type { Page } from './page.js';
import type { Payment, Schedule, Step } from './schedule.js';
import { AMOUNT_IN_CENTS, Shop } from './shop.js';
import { Tabs } from './tabs.js';

/** What is put in the place of the real parts, to see whether anybody notices. */
export interface Planted {
  readonly parts?: Parts;
  readonly wrapStore?: (store: Store) => Store;
}

export interface Outcome {
  readonly faults: readonly string[];
  /** What the run consisted of, so that nobody praises a simulation in which nothing happens. */
  readonly seen: ReadonlySet<string>;
  /** Every input of every widget, in order. */
  readonly trace: readonly string[];
}

const FRESH_AFTER_MS = 3_500;
const HEALED_MS = 150_000;
const LOADED_MS = 20_000;
const LOOK_EVERY_MS = 4_000;
const HOUR_MS = 3_600_000;
/** When the kit still looks for what it lost sight of. */
const LATER_MS = [10 * 60_000, HOUR_MS, 5 * HOUR_MS, 20 * HOUR_MS, 24 * HOUR_MS];

cheapenCrypto();
lightenHttp();

export async function simulate(schedule: Schedule, planted: Planted = {}): Promise<Outcome> {
  const simulation = new Simulation(schedule, planted);
  try {
    await simulation.play();
  } finally {
    simulation.close();
  }
  return simulation;
}

/** One turn of the event loop: promises need no more, because nothing here leaves the thread. */
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));

class Simulation implements Outcome {
  readonly faults: string[] = [];
  readonly seen = new Set<string>();
  readonly trace: string[] = [];
  readonly #schedule: Schedule;
  readonly #chance: () => number;
  readonly #shop: Shop;
  readonly #tabs: Tabs;

  constructor(schedule: Schedule, { parts, wrapStore }: Planted) {
    this.#schedule = schedule;
    this.#chance = chanceFrom(schedule.chance);
    seedCrypto(this.#chance);
    const { canWait, lifetimeMs } = schedule;
    this.#shop = new Shop({
      chance: this.#chance,
      canWait,
      lifetimeMs,
      ...(wrapStore ? { wrapStore } : {}),
    });
    this.#tabs = new Tabs({
      shop: this.#shop,
      chance: this.#chance,
      hosted: schedule.hosted,
      parts,
      fault: (fault) => this.#fault(fault),
      saw: (what) => this.seen.add(what),
      observe: (page, widget, input, told) => this.#observe(page, widget, input, told),
      seenAgain: (page) => this.#expectFresh(page),
    });
  }

  async play(): Promise<void> {
    await settle();
    this.#tabs.open('tab', await this.#shop.orderToken());
    await this.#pass(500);
    await this.#begin();
    for (const step of this.#schedule.steps) {
      this.#do(step);
      await this.#pass(step.thenMs);
      this.#lookAround();
      if (this.faults.length > 0) return;
    }
    await this.#heal();
    if (this.faults.length > 0) return;
    await this.#end();
  }

  /** Most payers choose, and have a key or a bank before anything goes wrong. */
  async #begin(): Promise<void> {
    const page = this.#tabs.at(0)?.page;
    const { first } = this.#schedule;
    if (!page || first === 'waits') return;
    // The first method is there twice; the second is the bank's, which has a form.
    this.#click(page, first === 'breb' ? 0 : 3);
    if (first === 'pse') this.#click(page, 0);
    await this.#pass(Math.floor(this.#chance() * 2_000));
  }

  close(): void {
    this.#tabs.close();
    this.#shop.close();
  }

  #pass(durationMs: number): Promise<void> {
    return this.#shop.clock.advance(durationMs, settle);
  }

  #fault(fault: string): void {
    if (this.faults.length < 5) this.faults.push(fault);
  }

  #do(step: Step): void {
    const tab = 'tab' in step ? this.#tabs.at(step.tab) : undefined;
    switch (step.do) {
      case 'click':
        if (tab?.page?.isUp) this.#click(tab.page, step.which);
        return;
      case 'pay':
        return this.#pay(step.which, step.how);
      case 'page':
        if (tab) this.#tabs.move(tab, step.what);
        return;
      case 'freeze':
        if (tab?.page?.isOpen) this.#tabs.freeze(tab.page, step.how);
        return;
      case 'open':
        this.#tabs.open(step.what);
        return;
      case 'weather':
        if (tab?.page) this.#tabs.blow(tab.page, step.weather);
        return;
      case 'service':
        this.#shop.serviceWeather = step.weather;
        return;
      case 'webhooks':
        this.#shop.webhookWeather = step.weather;
        return;
      case 'kit':
        if (step.what === 'crash' && this.#shop.isUp) this.#shop.crash();
        else this.#shop.start();
        return;
      case 'hooks':
        this.#shop.failingHooks = step.failing;
        return;
      case 'price':
        this.#shop.amountInCents = AMOUNT_IN_CENTS + 100_000;
        return;
      default:
        throw new TypeError(`Unknown step: ${JSON.stringify(step satisfies never)}`);
    }
  }

  #dispatched(event: CheckoutEvent): void {
    this.seen.add(event.type);
    if ('duplicate' in event && event.duplicate) this.seen.add('a duplicate event');
    if ('late' in event && event.late) this.seen.add('a late payment');
    if ('resumed' in event && event.resumed) this.seen.add('a resumed outcome');
  }

  #observe(page: Page, { state, events }: Widget, input: Input, told: number): void {
    this.seen.add(state.screen.phase);
    this.trace.push(`${this.#shop.clock.now()} ${input.type} ${state.screen.phase}`);
    for (const fault of stateFaults(this.#shop, state)) this.#fault(`${fault}, on ${input.type}`);
    if (page.creates > page.clicksThatCreate) this.#fault('a payment was created without a click');
    for (const fault of eventFaults(this.#shop, events, told)) this.#fault(fault);
    for (const event of events.slice(told)) this.#dispatched(event);
  }

  // The payer and the bank

  #click(page: Page, which: number): void {
    const { widget } = page;
    const buttons = buttonsOf(widget.state, widget.key());
    const button = buttons[which % buttons.length];
    if (!button) return;
    if ('idempotencyKey' in button) page.clicksThatCreate += 1;
    this.seen.add(button.type);
    widget.do(button);
  }

  #pay(which: number, how: Payment): void {
    const { engine } = this.#shop;
    const shown = new Set(this.#shop.record?.attempts.map((attempt) => attempt.disclosed));
    const all = [
      ...engine.payins.filter(({ paymentLinkId }) => paymentLinkId === null),
      ...engine.links.filter(({ reference }) => shown.has(reference)),
    ];
    // Banks think twice, but not often.
    const open = all.filter(({ status }) => !isFinal(status));
    const choice = open.length > 0 && which > 1 ? open : all;
    const chosen = choice[which % choice.length];
    if (!chosen) return;
    try {
      if (chosen.kind === 'link') {
        if (how !== 'CONFIRMED') engine.expireLink(chosen.id);
        else
          engine.settle(engine.payLink(chosen.id, { rail: 'BRE_B', keyType: 'SINGLE_USE' }).id, 'CONFIRMED');
      } else if (how === 'UNDERPAID') {
        engine.settle(chosen.id, 'CONFIRMED', { confirmedAmountInCents: 1_000 });
      } else engine.settle(chosen.id, how);
      this.seen.add(`paid: ${how}`);
    } catch (error) {
      // It was paid or closed before.
      if (!(error instanceof EngineError)) throw error;
    }
  }

  // What must be true

  /** A page that is looked at again knows, soon, what the backend knew at that moment. */
  #expectFresh(page: Page): void {
    const shop = this.#shop;
    const { version } = shop;
    const atMs = shop.clock.now();
    const known = knownOf(page.widget.state);
    if (!known || !page.isUp) return;
    const hides = page.hides;
    shop.clock.setTimer(FRESH_AFTER_MS, () => {
      const undisturbed = page.isUp && page.hides === hides && shop.isUp && shop.downMs < atMs;
      if (!undisturbed || page.clearSinceMs > atMs) return;
      const fault = freshnessFault(page.widget.state, known.id, version);
      if (fault) this.#fault(`${fault} ${FRESH_AFTER_MS} ms after it was seen again`);
      this.seen.add('fresh after it was seen again');
    });
  }

  #lookAround(): void {
    for (const fault of this.#shop.faults) this.#fault(fault);
  }

  /** The network works, everybody looks: soon every page shows what is true. */
  async #heal(): Promise<void> {
    const shop = this.#shop;
    shop.serviceWeather = 'clear';
    shop.webhookWeather = 'clear';
    shop.failingHooks = 0;
    if (!shop.isUp) shop.start();
    this.#tabs.heal();
    await this.#until(HEALED_MS, 'all was well again', undefined);
    this.#tabs.reload();
    await this.#until(LOADED_MS, 'it was loaded again', shop.clock.now());
    this.#lookAround();
  }

  /** Waits until every page shows the truth, but not longer than this. */
  async #until(mostMs: number, when: string, loadedMs: number | undefined): Promise<void> {
    const faults = () =>
      this.#tabs.openPages().flatMap(({ widget }) => screenFault(this.#shop, widget.state, loadedMs) ?? []);
    for (let passedMs = 0; passedMs < mostMs; passedMs += LOOK_EVERY_MS) {
      await this.#pass(LOOK_EVERY_MS);
      this.#retryFailed();
      if (faults().length === 0) return;
    }
    for (const fault of faults()) this.#fault(`${fault}, ${mostMs / 1_000} s after ${when}`);
  }

  /** What a payer does about a screen that says it did not work. */
  #retryFailed(): void {
    for (const page of this.#tabs.openPages()) {
      const { widget } = page;
      if (widget.phase !== 'failed') continue;
      page.clicksThatCreate += 1;
      widget.do({ type: 'retry', idempotencyKey: widget.key() });
    }
  }

  /** Everybody has gone. The kit goes on, and in the end the books are right. */
  async #end(): Promise<void> {
    const shop = this.#shop;
    for (const page of this.#tabs.openPages()) page.remove();
    await this.#pass(1_000);
    await this.#during(shop.stopWork());
    for (const waitMs of LATER_MS) {
      await this.#pass(waitMs);
      await this.#during(shop.tick());
    }
    this.#lookAround();
    for (const fault of settlementFaults(shop)) this.#fault(fault);
    if (shop.restarts > 0) this.seen.add('a restarted kit');
    for (const { hook } of shop.told) this.seen.add(hook);
  }

  /** Lets time pass until something is done that needs it. */
  async #during(work: Promise<void>): Promise<void> {
    let done = false;
    void work.finally(() => (done = true));
    for (await settle(); !done;) await this.#pass(100);
  }
}
