import type { Hooks } from '../hooks.js';
import { errorName, type CheckoutContext } from '../context.js';
import { noticeDelivered, noticeDropped, postponeNotice } from '../orders/notices.js';
import type { NoticeRecord } from '../orders/record.js';

/**
 * Runs one merchant hook, under the order's lease so that no other instance runs the same one at the same time. The
 * notice is removed afterwards, so a crash delivers it again.
 */
export async function runHook(context: CheckoutContext, rowId: string, notice: NoticeRecord): Promise<void> {
  const startedAt = context.now();
  // `orders/settlement` wrote the payload that the hook's type promises.
  const handler = (context.settings.options as Hooks)[notice.hook] as Handler | undefined;
  if (handler === undefined) {
    await context.orders.apply(rowId, (record) => noticeDropped(record, notice.key));
    return;
  }
  try {
    await callHandler(context, handler, notice);
  } catch (error) {
    const tries = notice.tries + 1;
    context.log(
      {
        level: 'error',
        event: 'hook_failed',
        hook: notice.hook,
        detail: notice.key,
        tries,
        code: errorName(error),
      },
      error,
    );
    context.measure({ name: 'hook.failed', value: 1, unit: 'count', label: notice.hook });
    await context.orders.apply(rowId, (record, now) => postponeNotice(record, notice.key, now));
    return;
  }
  context.measure({ name: 'hook', value: context.now() - startedAt, unit: 'ms', label: notice.hook });
  await context.orders.apply(rowId, (record, now) => noticeDelivered(record, notice.key, now));
}

type Handler = (payload: unknown) => unknown;

async function callHandler(context: CheckoutContext, handler: Handler, notice: NoticeRecord): Promise<void> {
  const { hookTimeoutMs } = context.settings;
  await context.inTime(hookTimeoutMs, async () => handler({ ...notice.payload }));
}
