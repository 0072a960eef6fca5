import type { Clock } from './clock.js';

const LONGEST_TIMEOUT_MS = 86_400_000;

export function requireTimeout(timeoutMs: number): void {
  if (!(timeoutMs > 0 && timeoutMs <= LONGEST_TIMEOUT_MS)) {
    throw new RangeError('timeoutMs must be above 0 and at most one day');
  }
}

/** A signal that fires when the caller gives up or when the time is up, and knows which of the two it was. */
export interface Deadline {
  readonly signal: AbortSignal;
  expired(): boolean;
  /** Must be called when the work is over: it lets go of the timer and of the caller's signal. */
  release(): void;
}

// AbortSignal.any would keep a reference for as long as the caller's signal lives; a listener can be taken back.
export function startDeadline(clock: Clock, timeoutMs: number, outer: AbortSignal | undefined): Deadline {
  const controller = new AbortController();
  let expired = false;
  const onOuterAbort = () => controller.abort(outer?.reason);
  const cancelTimer = clock.setTimer(timeoutMs, () => {
    if (controller.signal.aborted) return;
    expired = true;
    controller.abort(new DOMException('The time is up', 'TimeoutError'));
  });
  if (outer?.aborted) onOuterAbort();
  else outer?.addEventListener('abort', onOuterAbort, { once: true });
  return {
    signal: controller.signal,
    expired: () => expired,
    release() {
      cancelTimer();
      outer?.removeEventListener('abort', onOuterAbort);
    },
  };
}

/** The work's result, or the signal's reason as soon as it fires, whether or not the work listens to the signal. */
export function untilAborted<Value>(work: Promise<Value>, signal: AbortSignal): Promise<Value> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason as Error);
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

/** Runs the work with a signal that fires when the time is up. */
export async function withDeadline<Value>(
  clock: Clock,
  timeoutMs: number,
  work: (signal: AbortSignal) => Promise<Value>,
): Promise<Value> {
  const { signal, release } = startDeadline(clock, timeoutMs, undefined);
  try {
    return await work(signal);
  } finally {
    release();
  }
}

/** Whether the work ends in time. It goes on when it does not. */
export async function endsIn(clock: Clock, work: Promise<unknown>, timeoutMs: number): Promise<boolean> {
  let cancelTimer: (() => void) | undefined;
  const tooLong = new Promise<false>((resolve) => {
    cancelTimer = clock.setTimer(timeoutMs, () => resolve(false));
  });
  try {
    return await Promise.race([work.then(() => true), tooLong]);
  } finally {
    cancelTimer?.();
  }
}

/** Resolves after the delay; rejects with the signal's reason when it fires first. */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      cancelTimer();
      reject(signal?.reason as Error);
    };
    const cancelTimer = clock.setTimer(delayMs, () => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    });
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
