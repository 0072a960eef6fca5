import { keyedDigest } from '../../server/ids.js';
import type { Store } from '../../server/stores/store.js';

/**
 * How often a client may try to sign in. Every try is counted before it is looked at, in the store, so that tries at
 * the same moment and at several instances count together. The longer window is the back-off: who goes on guessing
 * waits up to an hour.
 */

interface Limit {
  readonly most: number;
  readonly windowMs: number;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const PER_CLIENT: readonly Limit[] = [
  { most: 20, windowMs: MINUTE_MS },
  { most: 60, windowMs: HOUR_MS },
];
const IN_ALL: readonly Limit[] = [
  { most: 100, windowMs: MINUTE_MS },
  { most: 400, windowMs: HOUR_MS },
];

/** What a refused try has to wait for, and whether it is the first one that the limit refuses. */
export interface SignInRefusal {
  readonly retryAfterMs: number;
  readonly isFirst: boolean;
}

export type SignInLimits = (client: string | undefined) => Promise<SignInRefusal | undefined>;

/** Clients that the runtime does not tell apart are counted as one. */
export function signInLimits(store: Pick<Store, 'hit'>, secret: string, now: () => number): SignInLimits {
  const digest = keyedDigest(secret);
  return async (client) => {
    const own = client === undefined ? '' : await digest(client);
    const at = now();
    const refusal = async (bucket: string, limits: readonly Limit[]) => {
      for (const { most, windowMs } of limits) {
        const count = await store.hit(bucket, windowMs, at);
        if (count > most) return { retryAfterMs: windowMs - (at % windowMs), isFirst: count === most + 1 };
      }
      return undefined;
    };
    // Who is over the own limit does not use up what others share.
    return (await refusal(`console client ${own}`, PER_CLIENT)) ?? (await refusal('console all', IN_ALL));
  };
}
