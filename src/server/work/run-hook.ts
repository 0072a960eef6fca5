import type { Hooks } from '../hooks.js';
import { errorName, type Kit } from '../context.js';
import type { NoticeRecord, OrderRecord } from '../orders/record.js';
import { backOffMs } from '../orders/schedule.js';

/**
 * Tells the merchant. Run under the order's lease, so that no other instance tells the same at the same time; what
 * was told is struck off only afterwards, so that a crash repeats a notice rather than losing it.
 */
export async function deliver(kit: Kit, rowId: string, notice: NoticeRecord): Promise<void> {
  const startedAt = kit.now();
  try {
    await run(kit, notice);
  } catch (error) {
    const tries = notice.tries + 1;
    kit.log(
      { level: 'error', event: 'hook_failed', hook: notice.hook, tries, code: errorName(error) },
      error,
    );
    kit.measure({ name: 'hook.failed', value: 1, unit: 'count', label: notice.hook });
    await kit.orders.apply(rowId, (record, now) => postponed(record, notice.key, now));
    return;
  }
  kit.measure({ name: 'hook', value: kit.now() - startedAt, unit: 'ms', label: notice.hook });
  await kit.orders.apply(rowId, (record) => told(record, notice.key));
}

async function run(kit: Kit, notice: NoticeRecord): Promise<void> {
  const { options, clock, hookTimeoutMs } = kit.settings;
  // What was written down is what the hook's type says: settle.ts made it.
  const handler = (options as Hooks)[notice.hook] as ((payload: unknown) => unknown) | undefined;
  if (handler === undefined) return;
  let cancelTimer: (() => void) | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    cancelTimer = clock.setTimer(hookTimeoutMs, () => reject(new HookTimeoutError()));
  });
  try {
    await Promise.race([(async () => handler({ ...notice.payload }))(), tooLong]);
  } finally {
    cancelTimer?.();
  }
}

class HookTimeoutError extends Error {
  override readonly name = 'HookTimeoutError';
}

function told(record: OrderRecord, key: string): OrderRecord {
  return { ...record, notices: record.notices.filter((notice) => notice.key !== key) };
}

function postponed(record: OrderRecord, key: string, now: number): OrderRecord {
  return {
    ...record,
    notices: record.notices.map((notice) =>
      notice.key === key
        ? { ...notice, tries: notice.tries + 1, nextAt: now + backOffMs(notice.tries) }
        : notice,
    ),
  };
}
