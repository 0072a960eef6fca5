import { type Attempt, AttemptSchema, ProblemSchema } from '../../contract/backend.js';
import type { Transport } from '../port.js';
import type { BasicLevel, Members } from './basic.js';
import { type Called, type HttpOptions, READ_TIMEOUT_MS, absentCall, createCall, parse } from './call.js';

export interface AttemptOptions extends HttpOptions {
  /** What stands in for what a Basic backend does not say. */
  readonly basic?: BasicLevel;
}

/** The kit may wait this long for the service before it answers 202. */
const CREATE_TIMEOUT_MS = 30_000;

/** Creates and reads attempts over HTTP, with backends of both levels. */
export function attemptsOverHttp(options: AttemptOptions): Omit<Transport, 'offer'> {
  const { basic, now = Date.now } = options;
  const call = createCall(options, ProblemSchema);

  /** The attempt in an answer of either level. */
  async function attemptFrom(called: Called): Promise<Attempt> {
    const payin = Object(called.value) as Members;
    const isFull = payin['kind'] === 'PAYMENT_LINK' || payin['settlement'] !== undefined;
    if (isFull || !basic) return parse(AttemptSchema, called);
    return parse(AttemptSchema, { ...called, value: await basic.complete(payin, now()) });
  }

  async function create(collection: string, body: unknown, signal: AbortSignal, idempotencyKey: string) {
    const post = { body, idempotencyKey };
    try {
      return await attemptFrom(await call(collection, '', { signal, post, timeoutMs: CREATE_TIMEOUT_MS }));
    } catch (error) {
      throw absentCall(error) ?? error;
    }
  }

  return {
    createPayin: (body, { signal, idempotencyKey }) => create('/payins', body, signal, idempotencyKey),

    createLink: (body, { signal, idempotencyKey }) => create('/payment-links', body, signal, idempotencyKey),

    async read({ kind, id }, { signal, after, waitSeconds = 0 }) {
      const collection = kind === 'PAYIN' ? '/payins' : '/payment-links';
      const path = `/${encodeURIComponent(id)}`;
      const query = after === undefined ? '' : `?after=${encodeURIComponent(after)}&wait=${waitSeconds}`;
      return attemptFrom(
        await call(collection, path + query, { signal, timeoutMs: READ_TIMEOUT_MS + waitSeconds * 1_000 }),
      );
    },
  };
}
