import type { Measurement } from './log.js';

/** What this process has measured since it began, by name and label. */
export class Tally {
  readonly #sums = new Map<string, Map<string, Measured>>();

  add({ name, value, label = '' }: Measurement): void {
    const byLabel = this.#sums.get(name) ?? new Map<string, Measured>();
    this.#sums.set(name, byLabel);
    const { count, sum, largest } = byLabel.get(label) ?? NOTHING;
    byLabel.set(label, { count: count + 1, sum: sum + value, largest: Math.max(largest, value) });
  }

  total(name: string): Measured {
    const all = [...(this.#sums.get(name)?.values() ?? [])];
    return all.reduce(
      (left, right) => ({
        count: left.count + right.count,
        sum: left.sum + right.sum,
        largest: Math.max(left.largest, right.largest),
      }),
      NOTHING,
    );
  }

  /** Counts by label. */
  counts(name: string): Readonly<Record<string, number>> {
    return Object.fromEntries([...(this.#sums.get(name) ?? [])].map(([label, { count }]) => [label, count]));
  }
}

export interface Measured {
  readonly count: number;
  readonly sum: number;
  readonly largest: number;
}

const NOTHING: Measured = { count: 0, sum: 0, largest: 0 };
