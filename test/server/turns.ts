/**
 * Waits until everything that can happen without time passing has happened. Digests and signatures run on other
 * threads and a timer of 0 ms fires when it likes (the SQLite store commits by one), so those are counted; the rest is
 * turns of the event loop.
 */
const subtle = globalThis.crypto.subtle;
let pending = 0;

for (const name of ['digest', 'sign', 'verify', 'importKey'] as const) {
  const original = subtle[name].bind(subtle) as (...given: unknown[]) => Promise<unknown>;
  Object.defineProperty(subtle, name, {
    configurable: true,
    value: (...given: unknown[]) => {
      pending += 1;
      return original(...given).finally(() => {
        pending -= 1;
      });
    },
  });
}

const dueNow = new Set<unknown>();
const { setTimeout: setRealTimeout, clearTimeout: clearRealTimeout } = globalThis;
globalThis.setTimeout = Object.assign(
  (run: (...given: unknown[]) => void, delayMs?: number, ...given: unknown[]) => {
    if (delayMs !== 0) return setRealTimeout(run, delayMs, ...given);
    const timer = setRealTimeout(() => {
      dueNow.delete(timer);
      run(...given);
    }, 0);
    dueNow.add(timer);
    return timer;
  },
  setRealTimeout,
) as typeof setTimeout;
globalThis.clearTimeout = (timer) => {
  dueNow.delete(timer);
  clearRealTimeout(timer);
};

const QUIET_TURNS = 8;

export async function settle(): Promise<void> {
  for (let quiet = 0; quiet < QUIET_TURNS; quiet++) {
    await new Promise((resolve) => setImmediate(resolve));
    if (pending + dueNow.size > 0) quiet = 0;
  }
}
