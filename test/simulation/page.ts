import type { ReturnId } from '../../src/contract/return-id.js';
import type { Config, Input, Hint } from '../../src/machine/input.js';
import type { FakeTabs } from '../transport/fake-tabs.js';
import { type Parts, Widget } from '../transport/widget.js';
import type { Shop } from './shop.js';

/** What becomes of calls from one page to the backend. */
export type PageWeather =
  'clear' | 'lost' | 'answer-lost' | 'error' | 'busy' | 'slow' | 'silent' | 'malformed';

/** What becomes of calls that are under way when a page is frozen. */
export type Freeze = 'kept' | 'killed' | 'silent';

export interface Read {
  readonly path: string;
  readonly atMs: number;
  readonly signal: AbortSignal;
  open: boolean;
}

export interface PageOptions {
  readonly shop: Shop;
  /** The tabs of the same browser; none where it lacks what connects them. */
  readonly tabs: FakeTabs | null;
  readonly order: string | null;
  readonly hint: Hint | null;
  readonly returned: ReturnId | null;
  readonly config: Partial<Config>;
  readonly parts: Parts | undefined;
  readonly chance: () => number;
  readonly name: string;
  readonly observe: (page: Page, widget: Widget, input: Input) => void;
  readonly fault: (fault: string) => void;
}

const SLOW_MS = 9_000;
const HTML = { status: 200, headers: { 'content-type': 'text/html' } };

/** One load of the merchant's page in a tab, with a widget on it. Its time can stand still, and it can go away. */
export class Page {
  readonly widget: Widget;
  readonly reads: Read[] = [];
  creates = 0;
  clicksThatCreate = 0;
  weather: PageWeather = 'clear';
  weatherClearSinceMs: number;
  onlineSinceMs: number;
  offline = false;
  /** How often it went out of sight. */
  hides = 0;
  #freeze: Freeze | undefined;
  #gone = false;
  #removed = false;
  readonly #held: (() => void)[] = [];
  readonly #shop: Shop;
  readonly #tabs;
  readonly #fault: (fault: string) => void;

  constructor(options: PageOptions) {
    const { shop, order, hint, returned, config, parts, chance, name, observe, fault } = options;
    this.#shop = shop;
    this.#tabs = options.tabs?.page();
    this.#fault = fault;
    this.weatherClearSinceMs = this.onlineSinceMs = shop.clock.now();
    const clock = {
      now: () => shop.clock.now(),
      setTimer: (delayMs: number, run: () => void) => shop.clock.setTimer(delayMs, () => this.#later(run)),
    };
    const checkouts = [{ fetch: (request: Request) => this.#send(request) }];
    this.widget = new Widget(
      { clock, checkouts },
      {
        order,
        config,
        hint,
        returned,
        random: chance,
        tabs: this.#tabs,
        name,
        observe: (widget, input) => observe(this, widget, input),
        ...(parts ? { parts } : {}),
      },
    );
  }

  get isFrozen(): boolean {
    return this.#freeze !== undefined;
  }

  /** Since when the way to the backend is in order; infinite while it is not. */
  get clearSinceMs(): number {
    if (this.offline || this.weather !== 'clear') return Infinity;
    return Math.max(this.onlineSinceMs, this.weatherClearSinceMs);
  }

  /** The payer can see it and it can reach the backend. */
  get isUp(): boolean {
    return !this.#gone && !this.#removed && !this.isFrozen && !this.widget.hidden;
  }

  get isOpen(): boolean {
    return !this.#gone && !this.#removed;
  }

  /** The widget is taken off a page that lives on. */
  remove(): void {
    this.#removed = true;
    this.widget.close();
    if (this.reads.some(({ open, signal }) => open && !signal.aborted)) this.#fault('a call was not aborted');
  }

  /** The page is unloaded: nothing of it runs any more. */
  unload(): void {
    this.#gone = true;
    this.#tabs?.die();
  }

  hide(): void {
    this.hides += 1;
    this.widget.hidden = true;
  }

  freeze(how: Freeze): void {
    if (this.isFrozen) return;
    this.#freeze = how;
    this.#tabs?.sleep();
    this.hide();
  }

  /** Time goes on, for a payer who looks or who does not yet. */
  thaw(hidden: boolean): void {
    this.widget.hidden = hidden;
    if (!this.isFrozen) return;
    this.#freeze = undefined;
    this.#tabs?.wake();
    for (const run of this.#held.splice(0)) run();
  }

  #later(run: () => void): void {
    if (this.#gone) return;
    if (this.isFrozen) this.#held.push(run);
    else run();
  }

  async #send(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (this.#removed) this.#fault(`${request.method} by an element that was removed`);
    if (request.method === 'POST') this.creates += 1;
    const read: Read = { path: pathname, atMs: this.#shop.clock.now(), signal: request.signal, open: true };
    if (request.method === 'GET' && !pathname.includes('/orders/')) this.#note(read);
    request.signal.addEventListener('abort', () => (read.open = false));
    try {
      return await this.#arrives(this.#travel(request));
    } finally {
      read.open = false;
    }
  }

  /** The rules that hold for every read, whatever happens. */
  #note(read: Read): void {
    const before = this.reads.findLast(({ path }) => path === read.path);
    if (before) {
      if (before.open && !before.signal.aborted) this.#fault(`two reads of ${read.path} at once`);
      if (read.atMs - before.atMs < 1_000) this.#fault(`two reads of ${read.path} within a second`);
    }
    this.reads.push(read);
  }

  /** An answer to a page that stands still waits with it, or never comes. */
  #arrives(answer: Promise<Response>): Promise<Response> {
    return new Promise((resolve, reject) => {
      const startedFrozen = this.isFrozen;
      const settle = (run: () => void) => {
        const freeze = this.#freeze;
        if (this.#gone || freeze === 'silent') return;
        if (freeze === 'killed' && !startedFrozen) {
          this.#held.push(() => reject(new TypeError('network changed')));
        } else this.#later(run);
      };
      answer.then(
        (response) => settle(() => resolve(response)),
        (error: Error) => settle(() => reject(error)),
      );
    });
  }

  async #travel(request: Request): Promise<Response> {
    const shop = this.#shop;
    if (this.offline) throw new TypeError('offline');
    await shop.latency();
    const { weather } = this;
    switch (weather) {
      case 'lost':
        throw new TypeError('connection reset');
      case 'silent':
        return new Promise(() => undefined);
      case 'error':
        return new Response('<h1>Bad gateway</h1>', { ...HTML, status: 502 });
      case 'busy':
        return new Response('{}', { status: 503, headers: { 'retry-after': '7' } });
      case 'malformed':
        return new Response('<h1>Sign in to the wireless network</h1>', HTML);
      case 'clear':
      case 'slow':
      case 'answer-lost': {
        if (weather === 'slow') await shop.pause(SLOW_MS / 3);
        const response = await shop.fetch(request);
        await (weather === 'slow' ? shop.pause(SLOW_MS) : shop.latency());
        if (weather === 'answer-lost' || this.offline) throw new TypeError('connection reset');
        return response;
      }
      default:
        throw new TypeError(`Unknown weather: ${String(weather satisfies never)}`);
    }
  }
}
