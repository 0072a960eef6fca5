import type { Surroundings } from '../../src/transport/watcher.js';

/** A page whose time, chance and visibility the test decides. */
export class FakeSurroundings implements Surroundings {
  #nowMs = 0;
  #timers = new Map<number, { atMs: number; run: () => void }>();
  #ids = 0;
  #wakers = new Set<() => void>();
  isHidden = false;
  chance = 0.5;

  readonly nowMs = () => this.#nowMs;
  readonly random = () => this.chance;
  readonly hidden = () => this.isHidden;

  readonly after = (delayMs: number, run: () => void) => {
    const id = ++this.#ids;
    this.#timers.set(id, { atMs: this.#nowMs + delayMs, run });
    return () => void this.#timers.delete(id);
  };

  readonly onWake = (wake: () => void) => {
    this.#wakers.add(wake);
    return () => void this.#wakers.delete(wake);
  };

  wake(): void {
    for (const wake of [...this.#wakers]) wake();
  }

  get timers(): number {
    return this.#timers.size;
  }

  get listeners(): number {
    return this.#wakers.size;
  }

  /** Lets time pass, timers fire in order and promises settle in between. */
  async pass(ms: number): Promise<void> {
    const untilMs = this.#nowMs + ms;
    for (;;) {
      await settled();
      const [next] = [...this.#timers].sort(([, one], [, other]) => one.atMs - other.atMs);
      if (!next || next[1].atMs > untilMs) break;
      this.#nowMs = Math.max(this.#nowMs, next[1].atMs);
      this.#timers.delete(next[0]);
      next[1].run();
    }
    this.#nowMs = untilMs;
    await settled();
  }
}

/** Every promise that can settle without time has settled. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve));
