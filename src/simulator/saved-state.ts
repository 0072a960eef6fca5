import type { SavedRows } from '../server/stores/memory-store.js';

/** Where a simulation outlives a reload: `sessionStorage`, or anything of its shape. */
export type SimulatorStorage = Pick<Storage, 'getItem' | 'setItem'>;

/** What is saved: the sandbox's snapshot, the merchant's orders, and how far the clock was moved. */
interface Remembered {
  readonly service: unknown;
  readonly orders: SavedRows;
  readonly aheadMs: number;
}

const KEY = 'pay-checkout simulator';

export function recall(storage: SimulatorStorage | undefined): Remembered | undefined {
  try {
    const found = JSON.parse(storage?.getItem(KEY) ?? 'null') as Remembered | null;
    return found ?? undefined;
  } catch {
    // Storage is blocked or holds something else: start empty.
    return undefined;
  }
}

export function remember(storage: SimulatorStorage | undefined, remembered: Remembered): void {
  try {
    storage?.setItem(KEY, JSON.stringify(remembered));
  } catch {
    // Storage is full or blocked: the simulation ends with the page.
  }
}
