import type { Attempt } from '../contract/backend.js';
import type { ReturnId, WatchTarget } from '../contract/return-id.js';
import { type Transport, TransportError } from './port.js';
import type { Membership, Tabs } from './tabs.js';

/** Time, chance and the page's own signals, so that a test can play all of them. */
export interface Surroundings {
  nowMs(): number;
  /** Runs once after a delay; returns what cancels it. */
  after(delayMs: number, run: () => void): () => void;
  /** From 0 up to but not including 1. */
  random(): number;
  /** Whether the page is out of sight. */
  hidden(): boolean;
  /**
   * Calls back when the page becomes visible, focused, online, or returns from the back/forward cache or a freeze;
   * several calls for one such moment are expected. Returns what ends it.
   */
  onWake(wake: () => void): () => void;
  /** Other tabs that may be watching the same; absent when this one is on its own. */
  readonly tabs?: Tabs | undefined;
}

export interface Listener {
  /** Something was read, changed or not. `asked` is the id it was read by. */
  arrived(asked: string, attempt: Attempt): void;
  /** The backend knows no such attempt. Reading goes on, slowly, until it is watched no more. */
  missing(id: string): void;
  /** A read failed, also by such an answer; `failures` in a row by now. */
  failed(id: string, failures: number): void;
}

export interface Watcher {
  /** Watches exactly these from now on. One that was watched before goes on undisturbed. */
  watch(targets: readonly WatchTarget[]): void;
  /** Reads at once, watched or not, and goes on as if it had just been started. */
  check(target: ReturnId): void;
  /** Ends every call, timer and listener. */
  stop(): void;
}

const WAIT_SECONDS = 25;
const SHORTEST_MS = 1_000;
const HIDDEN_MS = 60_000;
const EAGER_MS = 30_000;
const FIRST_INTERVAL_MS = 2_000;
const LAST_INTERVAL_MS = 15_000;
const LONGEST_BACKOFF_MS = 60_000;
/** A backend that asks for more patience than this is asked anyway: the payer would wait for ever. */
const LONGEST_QUIET_MS = 3_600_000;
/** A read that is not answered within this time counts as failed; one that waits for news gets its wait on top. */
const LOST_MS = 20_000;
/** The leading tab sends a message at least this often; when it is hidden, at least every `HIDDEN_PATIENCE_MS`. */
const PATIENCE_MS = 30_000;
const HIDDEN_PATIENCE_MS = 90_000;

/** 2 s for the first 30 s, then half as long again each time, up to 15 s. */
export function intervalMs(ageMs: number): number {
  let interval = FIRST_INTERVAL_MS;
  for (let at = EAGER_MS; at <= ageMs && interval < LAST_INTERVAL_MS; at += interval) interval *= 1.5;
  return Math.min(interval, LAST_INTERVAL_MS);
}

/**
 * Keeps reading attempts until it is stopped. It never gives up and never decides anything: it only reports
 * what the backend answers.
 */
export function createWatcher(
  read: Transport['read'],
  listener: Listener,
  surroundings: Surroundings,
): Watcher {
  const watches = new Map<string, Watch>();
  /** When each was last read: a payment that is left and taken up again is still read once a second at most. */
  const calls = new Map<string, number>();
  let unlisten: (() => void) | undefined;

  function updateListening() {
    if (watches.size === 0) {
      unlisten?.();
      unlisten = undefined;
    } else {
      unlisten ??= surroundings.onWake(() => {
        for (const watch of [...watches.values()]) watch.wake();
      });
    }
  }

  function start(target: ReturnId, version: string | null, once: boolean): Watch {
    const end = () => {
      watches.delete(target.id);
      updateListening();
    };
    const watch = createWatch(target, version, read, listener, surroundings, calls, once ? end : undefined);
    watches.set(target.id, watch);
    updateListening();
    return watch;
  }

  function release(isWanted: (id: string) => boolean) {
    for (const [id, watch] of watches) {
      if (isWanted(id)) continue;
      watches.delete(id);
      watch.stop();
    }
    updateListening();
  }

  return {
    watch(targets) {
      release((id) => targets.some((target) => target.id === id));
      for (const target of targets) {
        const watch = watches.get(target.id);
        if (watch) watch.watchOn();
        else start(target, target.version, false).go();
      }
    },
    check: (target) => (watches.get(target.id) ?? start(target, null, true)).check(),
    stop: () => release(() => false),
  };
}

interface Watch {
  go(): void;
  wake(): void;
  check(): void;
  /** A single check becomes a watch. */
  watchOn(): void;
  stop(): void;
}

/** One attempt: at most one call in flight, at most one timer. */
function createWatch(
  target: ReturnId,
  version: string | null,
  read: Transport['read'],
  listener: Listener,
  { nowMs, after, random, hidden, tabs }: Surroundings,
  calls: Map<string, number>,
  endOnce: (() => void) | undefined,
): Watch {
  let startedMs = nowMs();
  let failures = 0;
  /** The backend asked to be left alone until then. */
  let quietUntilMs = 0;
  let wokenMs = -Infinity;
  let wokenMeanwhile = false;
  /** Whether the timer was set while the page was hidden: it is too late for a payer who looks. */
  let resting = false;
  let cancelTimer: (() => void) | undefined;
  let call: AbortController | undefined;
  /** What the timer or the call is for: a read that waits for news, one that wants an answer, or the leader's silence. */
  let doing: 'WAIT' | 'ASK' | 'LISTEN' = 'ASK';
  let tab: Membership | undefined;
  let leading = !tabs;

  function drop() {
    cancelTimer?.();
    cancelTimer = undefined;
    call?.abort();
    call = undefined;
  }

  /**
   * The next call, after a delay, but never two within a second. A hidden page waits a minute between calls, unless
   * another tab has news; a backend that asked for patience gets it, unless the payer asks.
   */
  function schedule(delayMs: number, waits: boolean, reason: 'ROUTINE' | 'NEWS' | 'PAYER' = 'ROUTINE') {
    const rests = () => hidden() && reason === 'ROUTINE';
    const due = () =>
      Math.max(
        (calls.get(target.id) ?? -Infinity) + (rests() ? HIDDEN_MS : SHORTEST_MS),
        reason === 'PAYER' ? 0 : quietUntilMs,
      );
    drop();
    resting = rests();
    doing = waits ? 'WAIT' : 'ASK';
    cancelTimer = after(Math.max(delayMs, due() - nowMs(), 0), () => {
      cancelTimer = undefined;
      // The page may have been hidden since.
      if (nowMs() < due()) schedule(0, waits, reason);
      else void ask(waits);
    });
  }

  /** Another tab reads. When it is silent for too long, it is asleep or out of reach. */
  function listen() {
    drop();
    resting = hidden();
    doing = 'LISTEN';
    cancelTimer = after(resting ? HIDDEN_PATIENCE_MS : PATIENCE_MS, () => now());
  }

  async function ask(waits: boolean) {
    calls.set(target.id, nowMs());
    const mine = new AbortController();
    call = mine;
    const waiting = waits && version !== null ? { after: version, waitSeconds: WAIT_SECONDS } : {};
    let attempt: Attempt | undefined;
    let error: TransportError | undefined;
    let cancelLost: (() => void) | undefined;
    const lost = new Promise<never>((_, reject) => {
      mine.signal.onabort = () => reject(new TransportError('TIMEOUT'));
      cancelLost = after(LOST_MS + (waiting.waitSeconds ?? 0) * 1_000, () => mine.abort());
    });
    try {
      attempt = await Promise.race([lost, read(target, { ...waiting, signal: mine.signal })]);
    } catch (cause) {
      // A transport of the page's own may throw anything.
      if (cause instanceof TransportError) error = cause;
    }
    cancelLost?.();
    // An aborted call was replaced, or its watch has ended.
    if (call !== mine) return;
    call = undefined;
    const interval = intervalMs(nowMs() - startedMs);
    let delayMs = interval;
    if (attempt) {
      failures = 0;
      version = attempt.version;
      if (attempt.waited) delayMs = 0;
      if (leading) tab?.notify(version);
    } else {
      const longest = Math.min(LONGEST_BACKOFF_MS, interval * 2 ** ++failures);
      delayMs += random() * (longest - interval);
      const retryAfterMs = error?.retryAfterMs ?? null;
      if (retryAfterMs !== null) {
        delayMs = Math.min(retryAfterMs, LONGEST_QUIET_MS);
        quietUntilMs = nowMs() + delayMs;
      } else if (wokenMeanwhile) delayMs = 0;
    }
    wokenMeanwhile = false;
    // Before listeners are called, because they may end this watch.
    if (endOnce) endOnce();
    else if (attempt && !leading) listen();
    else schedule(delayMs, leading);

    if (attempt) return listener.arrived(target.id, attempt);
    if (error?.problem?.code === 'not_found' || (error?.kind === 'HTTP' && error.status === 404))
      listener.missing(target.id);
    listener.failed(target.id, failures);
  }

  /** A call that is waiting may have died while the page slept, so it is replaced by one that does not wait. */
  function now(reason?: 'PAYER') {
    // The tab that the payer looks at is the one that watches.
    if (!leading && !hidden()) tab?.take();
    schedule(0, false, reason);
  }

  /** Takes part in what other tabs do about the same attempt. */
  function join() {
    tab ??= tabs?.join(`pay-checkout ${target.id}`, {
      lead(is) {
        if (is === leading) return;
        leading = is;
        // The others may have missed what this tab read before it led.
        if (is && version !== null) tab?.notify(version);
        // What the payer or the page asked for is answered, whichever tab leads.
        if (is && doing === 'LISTEN') schedule(0, true);
        else if (!is && doing === 'WAIT') listen();
      },
      receive(message) {
        if (leading || typeof message !== 'string') return;
        if (message !== version) schedule(0, false, 'NEWS');
        else if (doing === 'LISTEN') listen();
      },
    });
  }

  return {
    go() {
      join();
      // A hidden page with a known version need not read as long as another tab may be reading.
      if (!leading && hidden() && version !== null) return listen();
      if (!leading && !hidden()) tab?.take();
      schedule(0, true);
    },
    wake() {
      if (hidden()) return;
      // Signals come in bunches. A call of this very moment answers all of them, unless it fails.
      if (nowMs() - wokenMs < SHORTEST_MS && (call || (failures === 0 && !resting))) {
        wokenMeanwhile = true;
        return;
      }
      wokenMs = nowMs();
      now();
    },
    check() {
      startedMs = nowMs();
      now('PAYER');
    },
    watchOn() {
      endOnce = undefined;
      join();
    },
    stop() {
      tab?.leave();
      drop();
    },
  };
}
