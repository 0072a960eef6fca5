import type { Member, Membership, Tabs } from '../../src/transport/tabs.js';

interface Joined extends Member {
  asleep: boolean;
}

/**
 * The tabs of one browser, as Web Locks and BroadcastChannel connect them. Each page of a test takes `page()` for its
 * own; what is granted and said arrives a turn later, as in a browser.
 */
export class FakeTabs {
  /** The first of each queue leads. */
  readonly #queues = new Map<string, Joined[]>();
  readonly #later: (run: () => void) => void;
  /** What was said, in order. */
  readonly said: string[] = [];

  constructor(later: (run: () => void) => void = queueMicrotask) {
    this.#later = later;
  }

  /** One page's way to the others. It sleeps and wakes, and dies, with the page. */
  page(): Tabs & { sleep(): void; wake(): void; die(): void; leads(): boolean } {
    const mine = new Map<Joined, string>();
    const outOfQueues = () => {
      for (const [joined, name] of mine) this.#leave(name, joined);
    };
    return {
      join: (name, member): Membership => {
        const joined: Joined = { ...member, asleep: false };
        mine.set(joined, name);
        this.#queue(name, joined, 'LAST');
        return {
          take: () => this.#queue(name, joined, 'FIRST'),
          notify: (text) => {
            this.said.push(text);
            this.#say(name, joined, text);
          },
          leave: () => {
            mine.delete(joined);
            this.#leave(name, joined);
            joined.lead(false);
          },
        };
      },
      leads: () => [...mine].some(([joined, name]) => this.#queues.get(name)?.[0] === joined),
      /** Freezes, or goes into the back/forward cache. */
      sleep: () => {
        outOfQueues();
        for (const joined of mine.keys()) {
          joined.asleep = true;
          joined.lead(false);
        }
      },
      wake: () => {
        for (const [joined, name] of mine) {
          joined.asleep = false;
          this.#queue(name, joined, 'LAST');
        }
      },
      /** Closed or crashed: nothing more is said to it or by it. */
      die: () => {
        outOfQueues();
        for (const joined of mine.keys()) joined.asleep = true;
        mine.clear();
      },
    };
  }

  /** Anybody on the same origin may say anything. */
  forge(name: string, said: unknown): void {
    this.#say(name, null, said);
  }

  #say(name: string, from: Joined | null, said: unknown): void {
    for (const joined of this.#queues.get(name) ?? []) {
      if (joined !== from) this.#later(() => !joined.asleep && joined.receive(said));
    }
  }

  #queue(name: string, joined: Joined, place: 'FIRST' | 'LAST'): void {
    const before = this.#queues.get(name) ?? [];
    if (before[0] === joined) return;
    const others = before.filter((other) => other !== joined);
    // The one whose lead is taken asks for it again.
    const [robbed, ...rest] = others;
    const queue = place === 'LAST' ? [...others, joined] : [joined, ...rest, ...(robbed ? [robbed] : [])];
    this.#settle(name, before[0], queue);
  }

  #leave(name: string, joined: Joined): void {
    const before = this.#queues.get(name) ?? [];
    this.#settle(
      name,
      before[0],
      before.filter((other) => other !== joined),
    );
  }

  #settle(name: string, leader: Joined | undefined, queue: Joined[]): void {
    this.#queues.set(name, queue);
    const [next] = queue;
    if (next === leader) return;
    if (leader && queue.includes(leader)) this.#later(() => this.#tellLead(name, leader));
    if (next) this.#later(() => this.#tellLead(name, next));
  }

  #tellLead(name: string, joined: Joined): void {
    if (!joined.asleep) joined.lead(this.#queues.get(name)?.[0] === joined);
  }
}
