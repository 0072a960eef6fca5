import { type ReturnId, returnIdIn, withoutReturnId } from '../contract/return-id.js';
import { browserTabs } from './tabs.js';
import type { Surroundings } from './watcher.js';

/** The real page: its clock, its timers, and the moments at which a payer may be looking again. */
export function pageSurroundings(): Surroundings {
  return {
    // A device whose clock is set back must not stop the watch.
    nowMs: () => performance.now(),
    after: later,
    random: () => Math.random(),
    hidden: () => document.visibilityState === 'hidden',
    tabs: browserTabs(),
    onWake(wake) {
      const moments: [EventTarget, string][] = [
        [document, 'visibilitychange'],
        [document, 'resume'],
        [window, 'focus'],
        [window, 'online'],
        [window, 'pageshow'],
      ];
      for (const [target, name] of moments) target.addEventListener(name, wake);
      return () => {
        for (const [target, name] of moments) target.removeEventListener(name, wake);
      };
    },
  };
}

/** Runs once after a delay; returns what cancels it. */
export function later(delayMs: number, run: () => void): () => void {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
}

/** The attempt that the page's address says the payer comes back from. */
export function readReturnId({ href }: Pick<Location, 'href'>): ReturnId | null {
  return returnIdIn(href);
}

/** Takes the return id out of the address bar and the history entry, and leaves the page's own state alone. */
export function cleanAddress(
  { href }: Pick<Location, 'href'>,
  history: Pick<History, 'state' | 'replaceState'>,
): void {
  const clean = withoutReturnId(href);
  if (clean !== href) history.replaceState(history.state, '', clean);
}
