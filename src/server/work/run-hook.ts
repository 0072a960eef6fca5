import type { Hooks } from '../hooks.js';
import { endsIn } from '../../service/deadline.js';
import { failureFacts, type CheckoutContext, HookTimeoutError } from '../context.js';
import { holdNotice, noticeDelivered, passNoticeOn, postponeNotice } from '../orders/notices.js';
import type { NoticeRecord } from '../orders/record.js';
import type { StoredOrder } from '../order-repository.js';

/** How long a run that outlives its time keeps others from running the same; renewed while this process lives. */
const HOLD_MS = 60_000;
/** A run that has not ended by then is no longer waited for. */
const LONGEST_RUN_MS = 600_000;

/**
 * Runs one merchant hook, under the order's lease so that no other instance runs the same one at the same time. The
 * notice is removed afterwards, so a crash delivers it again. A run that outlives `hookTimeoutMs` holds up nothing else,
 * and is waited for: one that ends late and well has delivered its notice.
 */
export async function runHook(
  context: CheckoutContext,
  rowId: string,
  notice: NoticeRecord,
): Promise<StoredOrder | undefined> {
  // `orders/settlement` wrote the payload that the hook's type promises.
  const handler = (context.settings.options as Hooks)[notice.hook] as Handler | undefined;
  if (handler === undefined) {
    return context.repository.apply(rowId, (record, now) => passNoticeOn(record, notice.key, now));
  }
  const { clock, hookTimeoutMs } = context.settings;
  const startedAt = context.now();
  const run = (async () => handler({ ...notice.payload }))();
  const ended = run.then(
    () => delivered(context, rowId, notice, startedAt),
    (error: unknown) => failed(context, rowId, notice, error),
  );
  if (await endsIn(clock, ended, hookTimeoutMs)) return ended;
  logFailure(context, notice, new HookTimeoutError());
  const hold = () =>
    context.repository.apply(rowId, (record, now) =>
      holdNotice(record, notice.key, now + HOLD_MS, notice.tries + 1),
    );
  const held = await hold();
  const outlast = async () => {
    while (!(await endsIn(clock, ended, HOLD_MS / 2))) {
      if (context.now() - startedAt >= LONGEST_RUN_MS) return;
      await hold();
    }
  };
  outlast().catch((error: unknown) => logFailure(context, notice, error));
  return held;
}

type Handler = (payload: unknown) => unknown;

async function delivered(
  context: CheckoutContext,
  rowId: string,
  { hook, key }: NoticeRecord,
  startedAt: number,
): Promise<StoredOrder | undefined> {
  context.measure({ name: 'hook', value: context.now() - startedAt, unit: 'ms', label: hook });
  return context.repository.apply(rowId, (record, now) => noticeDelivered(record, key, now));
}

async function failed(
  context: CheckoutContext,
  rowId: string,
  notice: NoticeRecord,
  error: unknown,
): Promise<StoredOrder | undefined> {
  logFailure(context, notice, error);
  return context.repository.apply(rowId, (record, now) => postponeNotice(record, notice.key, now));
}

function logFailure(context: CheckoutContext, { hook, key, tries }: NoticeRecord, error: unknown): void {
  const facts = failureFacts(error);
  context.log({ level: 'error', event: 'hook_failed', hook, detail: key, tries: tries + 1, ...facts }, error);
  context.measure({ name: 'hook.failed', value: 1, unit: 'count', label: hook });
}
