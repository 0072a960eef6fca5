/** Those who wait for orders to change, in this process. */
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

  wake(key: string): void {
    const waited = this.#waited.get(key);
    if (waited === undefined) return;
    for (const waiter of [...waited.waiters]) {
      try {
        waiter();
      } catch {
        // The write that woke them is committed: one waiter's fault must not hide it from its writer or the others.
      }
    }
  }

  wakeAll(): void {
    for (const key of [...this.#waited.keys()]) this.wake(key);
  }

  /**
   * Notes the revision that a reader of this process was given. The lowest one counts: whoever read it last may
   * still be waiting for anything newer.
   */
  saw(key: string, revision: number): void {
    const waited = this.#waited.get(key);
    if (waited === undefined) return;
    waited.seen = waited.seen === undefined ? revision : Math.min(waited.seen, revision);
  }

  /** Wakes those whose order is no longer at the revision they saw; an order nobody has read yet counts as changed. */
  compare(key: string, revision: number): void {
    const waited = this.#waited.get(key);
    if (waited === undefined || waited.seen === revision) return;
    waited.seen = revision;
    this.wake(key);
  }

  keys(): string[] {
    return [...this.#waited.keys()];
  }

  clear(): void {
    this.#waited.clear();
  }
}

interface Waited {
  readonly waiters: Set<() => void>;
  seen: number | undefined;
}
