import { type ReadOptions, TransportError } from '../../src/transport/port.js';
import { type Watcher, createWatcher } from '../../src/transport/watcher.js';
import { breb } from '../machine/fixtures.js';
import { FakeSurroundings } from './fake-surroundings.js';
import { FakeTabs } from './fake-tabs.js';

export const target = { kind: 'PAYIN', id: 'breb-1' } as const;
export const NAME = 'pay-checkout breb-1';
export const MINUTE_MS = 60_000;

/** Stands between what another tab says and the watcher, to see whether the test notices. */
export type Planted = (said: unknown, page: Page, ask: () => void) => void;

/** A backend that can wait, and the tabs of one browser that ask it. */
export class World {
  readonly planted: Planted | undefined;
  readonly clock = new FakeSurroundings();
  readonly tabs = new FakeTabs();
  version = 'v1';
  works = true;
  requests = 0;
  readonly #waiting = new Set<() => void>();

  constructor(planted?: Planted) {
    this.planted = planted;
  }

  open({ hidden = false, alone = false } = {}): Page {
    return new Page(this, hidden, alone);
  }

  /** The backend learns something. */
  change(version: string): void {
    this.version = version;
    for (const wake of [...this.#waiting]) wake();
  }

  read({ after, signal }: ReadOptions): Promise<ReturnType<typeof breb>> {
    this.requests++;
    if (!this.works) return Promise.reject(new TransportError('NETWORK'));
    const answer = () => breb({ version: this.version, waited: true });
    if (after !== this.version) return Promise.resolve(answer());
    return new Promise((resolve, reject) => {
      const cancel = this.clock.after(25_000, () => wake());
      const wake = () => {
        cancel();
        this.#waiting.delete(wake);
        resolve(answer());
      };
      this.#waiting.add(wake);
      signal.addEventListener('abort', () => {
        cancel();
        this.#waiting.delete(wake);
        reject(new DOMException('', 'AbortError'));
      });
    });
  }
}

export class Page {
  hidden: boolean;
  /** Answers that came, by version. */
  readonly received: string[] = [];
  calls = 0;
  waiting = 0;
  watcher: Watcher;
  readonly tabs;
  readonly #wakers = new Set<() => void>();
  #stopped = false;

  constructor(world: World, hidden: boolean, alone: boolean) {
    this.hidden = hidden;
    this.tabs = world.tabs.page();
    const { planted } = world;
    const { join } = this.tabs;
    if (planted)
      this.tabs.join = (name, member) => {
        const ask = () => void read(target, { signal: new AbortController().signal });
        const receive = (said: unknown) => {
          member.receive(said);
          planted(said, this, ask);
        };
        return join(name, { ...member, receive });
      };
    const read = async (_: unknown, options: ReadOptions) => {
      this.calls++;
      if (options.after !== undefined) this.waiting++;
      try {
        return await world.read(options);
      } finally {
        if (options.after !== undefined) this.waiting--;
      }
    };
    this.watcher = createWatcher(
      read,
      {
        arrived: (_, { version }) => void this.received.push(version),
        missing: () => {},
        failed: () => {},
      },
      {
        nowMs: world.clock.nowMs,
        after: (delayMs, run) => world.clock.after(delayMs, () => !this.#stopped && run()),
        random: () => 0.5,
        hidden: () => this.hidden,
        onWake: (wake) => {
          this.#wakers.add(wake);
          return () => void this.#wakers.delete(wake);
        },
        ...(alone ? {} : { tabs: this.tabs }),
      },
    );
    this.watcher.watch([{ ...target, version: world.version }]);
  }

  hide(): void {
    this.hidden = true;
    for (const wake of [...this.#wakers]) wake();
  }

  show(): void {
    this.hidden = false;
    for (const wake of [...this.#wakers]) wake();
  }

  /** Into the back/forward cache, and out of it. */
  sleep(): void {
    this.hide();
    this.tabs.sleep();
  }

  wake(): void {
    this.tabs.wake();
    this.show();
  }

  /** Closed or crashed, without a message. */
  die(): void {
    this.#stopped = true;
    this.tabs.die();
  }
}
