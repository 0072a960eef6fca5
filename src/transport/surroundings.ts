import { later } from './page.js';
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
