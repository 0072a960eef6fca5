import { returnIdIn, type ReturnId } from '../../src/contract/return-id.js';
import type { Hint, Input } from '../../src/machine/input.js';
import { FakeTabs } from '../transport/fake-tabs.js';
import type { Parts, Widget } from '../transport/widget.js';
import { type Freeze, Page, type PageWeather } from './page.js';
import type { Opening, PageMove } from './schedule.js';
import type { Shop } from './shop.js';

/** A tab of a browser. What it remembers stays when the page in it is loaded again. */
export interface Tab {
  page: Page | null;
  /** The page that the way to the bank left behind, if the browser kept it. */
  cached: Page | null;
  hint: Hint | null;
  readonly remembers: boolean;
  readonly browser: FakeTabs | null;
  readonly order: string | null;
  /** The return id in its address, until the widget takes it out. */
  address: ReturnId | null;
}

/** Where the tabs are, and who is told what happens in them. */
export interface World {
  readonly shop: Shop;
  readonly chance: () => number;
  readonly hosted: boolean;
  readonly parts: Parts | undefined;
  readonly fault: (fault: string) => void;
  readonly saw: (what: string) => void;
  /** A widget took an input; of its events so many were known before. */
  readonly observe: (page: Page, widget: Widget, input: Input, told: number) => void;
  /** The payer looks at the page again. */
  readonly seenAgain: (page: Page) => void;
}

const MOST_TABS = 4;

/** The tabs of one payer's browsers: opened, left for the bank, frozen, come back to. */
export class Tabs {
  readonly #world: World;
  readonly #tabs: Tab[] = [];
  readonly #pages: Page[] = [];
  readonly #browser = new FakeTabs();

  constructor(world: World) {
    this.#world = world;
  }

  /** Counted round, so that any number is one of them. */
  at(index: number): Tab | undefined {
    return this.#tabs[index % this.#tabs.length];
  }

  openPages(): Page[] {
    return this.#tabs.flatMap(({ page }) => (page?.isOpen ? [page] : []));
  }

  /** Every tab is looked at, and its network works. */
  heal(): void {
    for (const tab of this.#tabs) {
      if (tab.cached) this.#back(tab);
      const { page } = tab;
      if (!page?.isOpen) continue;
      this.blow(page, 'clear');
      page.thaw(false);
      this.#online(page);
      page.widget.wake();
      page.widget.wake();
    }
  }

  reload(): void {
    for (const tab of this.#tabs) if (tab.page?.isOpen) this.#load(tab);
  }

  close(): void {
    for (const page of this.#pages) page.unload();
  }

  /** Of the order of the first, unless it is given. */
  open(what: Opening, order = this.#tabs[0]?.order ?? null): void {
    if (this.#tabs.length === MOST_TABS) return;
    const tab: Tab = {
      page: null,
      cached: null,
      hint: null,
      remembers: what !== 'private',
      browser: what === 'tab' ? this.#browser : what === 'device' ? new FakeTabs() : null,
      order,
      address: null,
    };
    this.#tabs.push(tab);
    this.#load(tab);
  }

  #load(tab: Tab): void {
    const old = tab.page ?? tab.cached;
    const weather = old?.weather ?? 'clear';
    tab.page?.unload();
    tab.cached?.unload();
    tab.cached = null;
    tab.page = null;
    // Neither an order nor a payment to show: the element stays empty.
    if (tab.order === null && tab.address === null) return;
    const { shop, chance, hosted, parts, fault, observe } = this.#world;
    let told = 0;
    let left = 0;
    const page = new Page({
      shop,
      tabs: tab.browser,
      order: tab.order,
      hint: tab.remembers ? tab.hint : null,
      returned: tab.address,
      config: { hosted },
      parts,
      chance,
      name: `page-${this.#pages.length}`,
      fault,
      observe: (self, widget, input) => {
        tab.hint = widget.hint;
        if (widget.cleaned) tab.address = null;
        observe(self, widget, input, told);
        told = widget.events.length;
        if (widget.redirects.length > left) this.#leave(tab, self);
        left = widget.redirects.length;
      },
    });
    page.weather = weather;
    page.offline = old?.offline ?? false;
    tab.page = page;
    this.#pages.push(page);
  }

  /** The browser goes to the bank. Some keep the page for the way back, some do not, and some do not leave. */
  #leave(tab: Tab, page: Page): void {
    if (tab.page !== page || this.#world.chance() < 0.1) return;
    tab.page = null;
    if (this.#world.chance() < 0.5) {
      page.freeze('killed');
      tab.cached = page;
    } else page.unload();
    this.#world.saw('left for the bank');
  }

  move(tab: Tab, what: PageMove): void {
    const { page } = tab;
    switch (what) {
      case 'hide':
        if (!page?.isUp) return;
        page.hide();
        page.widget.wake();
        return;
      case 'show':
        if (page?.isOpen) this.#show(page);
        return;
      case 'offline':
        if (!page?.isOpen || page.offline) return;
        page.offline = true;
        page.widget.do({ type: 'offline' });
        return;
      case 'online':
        if (page?.isOpen) this.#online(page);
        return;
      case 'reload':
        return this.#load(tab);
      case 'close':
        page?.unload();
        tab.page = null;
        return;
      case 'remove':
        if (page?.isOpen) page.remove();
        return;
      case 'back':
        return this.#back(tab);
      case 'return':
      case 'return-elsewhere':
        return this.#comeBack(tab, what === 'return-elsewhere');
      default:
        throw new TypeError(`Unknown move: ${String(what satisfies never)}`);
    }
  }

  freeze(page: Page, how: Freeze): void {
    page.freeze(how);
    this.#world.saw('a frozen page');
  }

  /** Visible, focused, shown: browsers send several signals for one moment. */
  #show(page: Page): void {
    page.thaw(false);
    page.widget.wake();
    page.widget.wake();
    this.#world.seenAgain(page);
  }

  #online(page: Page): void {
    if (!page.offline) return;
    page.offline = false;
    page.onlineSinceMs = this.#world.shop.clock.now();
    page.widget.do({ type: 'online' });
    if (page.isFrozen) return;
    page.widget.wake();
    this.#world.seenAgain(page);
  }

  /** From the bank by the back button. */
  #back(tab: Tab): void {
    const { cached } = tab;
    if (tab.page) return;
    if (!cached) return this.#load(tab);
    tab.cached = null;
    tab.page = cached;
    cached.thaw(false);
    cached.widget.do({ type: 'page-restored' });
    cached.widget.wake();
    this.#world.saw('back by the cache');
    this.#world.seenAgain(cached);
  }

  /** The bank sends the payer back, in this tab or in a browser that knows nothing. Addresses can be used again. */
  #comeBack(tab: Tab, elsewhere: boolean): void {
    const { payins, links } = this.#world.shop.engine;
    const address = (payins.find(({ source }) => source.rail === 'PSE') ?? links[0])?.callbackUrl;
    const returned = address ? returnIdIn(address) : null;
    if (returned === null) return;
    this.#world.saw('returned from the bank');
    const browser = new FakeTabs();
    const empty = {
      page: null,
      cached: null,
      hint: null,
      remembers: false,
      browser,
      order: null,
      address: null,
    };
    const target: Tab = elsewhere ? empty : tab;
    if (elsewhere && this.#tabs.push(target) > MOST_TABS) return void this.#tabs.pop();
    target.address = returned;
    this.#load(target);
  }

  blow(page: Page, weather: PageWeather): void {
    if (weather === 'clear' && page.weather !== 'clear') {
      // What the backend asked for before, and calls that were swallowed, count a little longer.
      page.weatherClearSinceMs = this.#world.shop.clock.now() + 10_000;
    }
    page.weather = weather;
  }
}
