import { later } from './later.js';
import type { Surroundings } from './watcher.js';

/** The real page: its clock, its timers, and the moments at which a payer may be looking again. */
export function pageSurroundings(): Surroundings {
  return {
    nowMs: () => Date.now(),
    after: later,
    random: () => Math.random(),
    hidden: () => document.visibilityState === 'hidden',
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
