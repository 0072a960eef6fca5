import type { Context as HonoContext } from 'hono';
import * as v from 'valibot';
import { type FieldError, read } from '../../contract/schema.js';
import type { CheckoutContext } from '../context.js';
import type { StoredOrder } from '../order-repository.js';
import { watchedDueAt } from '../orders/next-task.js';
import { keys } from '../orders/record.js';
import type { LongPoll } from './long-poll.js';
import { ProblemError } from './responses.js';

/** Reading an attempt: at once, or held until there is news. */

const LONGEST_WAIT_SECONDS = 25;
/** As `randomId` makes them; anything else is not worth a query. */
const ATTEMPT_ID = /^[\w-]{24}$/;

/** How long the caller wants to wait, and the version that the caller already has. */
export interface Waiting {
  readonly after: string;
  readonly waitMs: number;
}

export interface Held {
  readonly order: StoredOrder;
  readonly waited: boolean;
}

export function requireAttemptId(id: string | undefined): string {
  if (id === undefined || !ATTEMPT_ID.test(id)) throw new ProblemError('not_found');
  return id;
}

export async function findOrder(context: CheckoutContext, attemptId: string): Promise<StoredOrder> {
  const order = await context.repository.find(keys.attempt(attemptId));
  if (order === undefined) throw new ProblemError('not_found');
  return order;
}

/** Holds the answer until the version differs, the time is up or the payer hangs up. */
export async function holdAttempt(
  context: CheckoutContext,
  longPoll: LongPoll,
  id: string,
  { after, waitMs }: Waiting,
  signal: AbortSignal,
  onHold: (order: StoredOrder) => void,
): Promise<Held> {
  const until = context.now() + waitMs;
  const isNews = ({ record }: StoredOrder) => String(record.version) !== after;
  const confirm = async () => {
    const order = await findOrder(context, id);
    return isNews(order) ? undefined : (watchedDueAt(order.record) ?? Infinity);
  };
  // Promises instead of `await`: an async frame would keep its order in memory for as long as the answer is held.
  const holdOnce = () =>
    findOrder(context, id).then((order): Held | Promise<undefined> => {
      if (isNews(order) || signal.aborted || context.now() >= until) return { order, waited: true };
      if (!longPoll.hasRoom) return { order, waited: false };
      onHold(order);
      return longPoll.wait(order.rowId, until - context.now(), signal, confirm).then(() => undefined);
    });
  let held: Held | undefined;
  while (held === undefined) held = await holdOnce();
  return held;
}

const AfterSchema = v.pipe(v.string(), v.maxLength(64));
const WaitSchema = v.pipe(v.string(), v.maxLength(4), v.regex(/^\d+$/), v.transform(Number));

/** Undefined when the caller does not want to wait. */
export function readWaiting(c: HonoContext): Waiting | undefined {
  const [after, wait] = [c.req.query('after'), c.req.query('wait')];
  if (after === undefined && wait === undefined) return undefined;
  const errors: FieldError[] = [];
  if (after !== undefined && !read(AfterSchema, after).ok) errors.push({ field: 'after', code: 'format' });
  const seconds = wait === undefined ? undefined : read(WaitSchema, wait);
  if (seconds?.ok === false) errors.push({ field: 'wait', code: 'format' });
  if (errors.length > 0) throw new ProblemError('invalid_request', { errors });
  if (after === undefined || !seconds?.ok || seconds.value === 0) return undefined;
  return { after, waitMs: Math.min(seconds.value, LONGEST_WAIT_SECONDS) * 1000 };
}
