/**
 * Those who wait for orders to change, in this process, and which state of the order they have seen. A state is any
 * number that differs after each change worth waking for; 0 stands for an order that does not exist.
 */
export class Waiters {
  readonly #waited = new Map<string, Waited>();

  /** How many orders somebody waits for. */
  get size(): number {
    return this.#waited.size;
  }

  add(key: string, changed: () => void): () => void {
    // A wrapper of its own for each call, so that the same function may wait twice and leave once.
    const waiter = (): void => changed();
    let waited = this.#waited.get(key);
    if (waited === undefined) {
      waited = { waiters: new Set(), seen: undefined };
      this.#waited.set(key, waited);
    }
    waited.waiters.add(waiter);
    const joined = waited;
    return () => {
      joined.waiters.delete(waiter);
      if (joined.waiters.size === 0 && this.#waited.get(key) === joined) this.#waited.delete(key);
    };
  }

  keys(): string[] {
    return [...this.#waited.keys()];
  }

  /**
   * Notes the state that a reader of this process was given. The oldest one counts: whoever read it may still be
   * waiting for anything newer.
   */
  saw(key: string, state: number): void {
    const waited = this.#waited.get(key);
    if (waited === undefined) return;
    waited.seen = waited.seen === undefined ? state : Math.min(waited.seen, state);
  }

  /** Wakes those whose order is not in the state they saw. An order that nobody has read yet counts as changed. */
  compare(key: string, state: number): void {
    if (this.#waited.get(key)?.seen !== state) this.wake(key, state);
  }

  wake(key: string, state?: number): void {
    const waited = this.#waited.get(key);
    if (waited === undefined) return;
    waited.seen = state;
    for (const waiter of [...waited.waiters]) {
      try {
        waiter();
      } catch {
        // The write that woke them is committed: one waiter's fault must not hide it from its writer or the others.
      }
    }
  }

  wakeAll(): void {
    for (const key of this.keys()) this.wake(key);
  }

  clear(): void {
    this.#waited.clear();
  }
}

interface Waited {
  readonly waiters: Set<() => void>;
  seen: number | undefined;
}
