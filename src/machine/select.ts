import type { Attempt } from '../contract/backend.js';
import { expiresAtMs, isOpen, targetOf } from './attempts.js';
import { currentOf } from './current.js';
import type { WatchTarget } from './effect.js';
import { STALLED_AFTER_MS, localMs } from './screens.js';
import type { State } from './state.js';

/** What a state waits for. */

/** The attempts whose word is awaited. A Full backend speaks for all attempts of an order by any one of them. */
export function targetsOf({ screen, level, older }: State): readonly WatchTarget[] {
  if (screen.phase === 'returning') return [{ ...screen.target, version: null }];
  if (screen.phase === 'idle') return [];
  const current = currentOf(screen);
  const open = older.filter(isOpen);
  if (level === 'FULL') return current && (isOpen(current) || open.length > 0) ? [watched(current)] : [];
  return [...(current && isOpen(current) ? [current] : []), ...open].map(watched);
}

const watched = (attempt: Attempt): WatchTarget => ({ ...targetOf(attempt), version: attempt.version });

/** The next moment (this device's clock) at which time alone changes the screen; null when none does. */
export function deadlineMs(state: State): number | null {
  const { screen } = state;
  const expiry = 'attempt' in screen ? localMs(state, expiresAtMs(screen.attempt)) : Infinity;
  let atMs: number;
  switch (screen.phase) {
    case 'preparing':
      atMs = Math.min(expiry, screen.stalled ? Infinity : screen.sinceMs + STALLED_AFTER_MS);
      break;
    case 'paying':
    case 'link':
      atMs = expiry;
      break;
    case 'pending':
      // Once the bank sent the payer back the debit may have been made: only the backend's word ends that.
      atMs = screen.url === null ? Infinity : expiry;
      break;
    case 'creating':
      atMs = screen.slowAtMs ?? Infinity;
      break;
    case 'redirecting':
    case 'verifying':
      atMs = screen.untilMs;
      break;
    case 'lapsed':
      atMs = screen.checkingUntilMs ?? Infinity;
      break;
    default:
      atMs = Infinity;
  }
  return atMs === Infinity ? null : atMs;
}
