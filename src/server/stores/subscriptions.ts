/**
 * Who waits in this process for which order to change, and which state of it they have seen. A state is any
 * number that differs after each change worth waking for; 0 stands for an order that does not exist.
 */
export class Subscriptions {
  readonly #waited = new Map<string, Waited>();

  /** How many orders have waiters. */
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
   * Remembers the state that a reader of this process was given. The oldest counts, because its reader may still wait
   * for anything newer.
   */
  saw(key: string, state: number): void {
    const waited = this.#waited.get(key);
    if (waited === undefined) return;
    waited.seen = waited.seen === undefined ? state : Math.min(waited.seen, state);
  }

  /** Wakes those whose order is not in the state they saw. An order that no waiter has read yet counts as changed. */
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
        // The write is committed: a waiter that throws must not hide it from the writer or from other waiters.
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
