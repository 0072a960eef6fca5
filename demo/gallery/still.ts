/**
 * With `?still` the page's clock stands, so that every visit shows the same: it is always the same moment, and what
 * would only come after a while never does. Imported before anything that looks at the clock.
 */

const MOMENT_MS = Date.parse('2026-03-02T15:04:00-05:00');
/** A page that is being drawn waits less than this: two reads of a payment are a second apart. */
const A_WHILE_MS = 1_500;

if (new URLSearchParams(location.search).has('still')) {
  const { Date: RunningDate, setTimeout: runLater } = globalThis;
  globalThis.Date = class extends RunningDate {
    static override now(): number {
      return MOMENT_MS;
    }

    constructor(...given: [] | [number | string]) {
      super(given[0] ?? MOMENT_MS);
    }
  } as DateConstructor;
  globalThis.setTimeout = ((run: () => void, delayMs = 0) =>
    delayMs < A_WHILE_MS ? runLater(run, delayMs) : 0) as typeof setTimeout;
}

export {};
