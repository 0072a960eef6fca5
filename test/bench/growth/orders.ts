import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { StorePlan } from '../server/plan.js';

/** Travels as JSON. */
export interface OrdersPlan {
  readonly store: StorePlan;
  /** How many settled orders the store holds, one after the other, growing. */
  readonly sizes: readonly number[];
}

/** A store that holds so many settled orders. */
export interface FilledStore {
  readonly orders: number;
  /** A status read of any of them. */
  readonly readP50Ms: number;
  readonly readP99Ms: number;
  /** From the payer's click to the payin, the service in the same process. */
  readonly createP50Ms: number;
  readonly createP99Ms: number;
  /** From the events to the merchant's hooks, for each payment. */
  readonly settleMs: number;
  /** A look for due work, of which there is none; p50. */
  readonly tickMs: number;
  /** The console's cards of today, the week and the month, and its charts of 30 days. */
  readonly cardsMs: number;
  readonly chartsMs: number;
  readonly serviceRequestsPerPayment: number;
  readonly serviceRequestsPerTick: number;
  /** Of the whole process. */
  readonly residentBytes: number;
  /** In use beyond what an empty store needs. */
  readonly heapBytes: number;
  /** In files or tables, beyond what an empty store needs; undefined in memory. */
  readonly storedBytes: number | undefined;
}

const script = fileURLToPath(new URL('orders-process.ts', import.meta.url));

/** Fills a store, and measures at each size. */
export async function measureOrders(
  plan: OrdersPlan,
  onSize: (filled: FilledStore) => void,
): Promise<FilledStore[]> {
  const filled: FilledStore[] = [];
  const args = ['--expose-gc', '--max-old-space-size=8192', '--import', 'tsx', script, JSON.stringify(plan)];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  child.on('message', (message) => {
    filled.push(message as FilledStore);
    onSize(message as FilledStore);
  });
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve));
  if (code !== 0) throw new Error(`Filling a store ended with ${String(code)}`);
  return filled;
}
