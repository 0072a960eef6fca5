import {
  type Attempt,
  type LinkAttempt,
  type Offer,
  type PseAttempt,
  STALLED_AFTER_MS,
} from '../../contract/backend.js';
import { isPaid } from '../../contract/status.js';
import { currentOf, isOpen, targetOf } from '../current.js';
import { addressOf, amountDiffers, expiresAtMs, paidInFull } from './attempts.js';
import type { WatchTarget } from '../../contract/return-id.js';
import type { Open, Screen, State } from '../state.js';

/** Which screen an attempt belongs on, and what a screen waits for. */

/** Back from the bank the outcome is usually known within a minute. */
const VERIFY_MS = 60_000;
/** How long the last check at expiry may take before the screen says so. */
export const LAST_CHECK_MS = 10_000;
/** A browser that has not left by now will not leave. */
export const REDIRECT_MS = 20_000;

/** This device's moment for a moment of the server's clock. */
export const localMs = (state: State, serverMs: number): number => serverMs - state.clockOffsetMs;

export interface Entry {
  readonly offer: Offer | null;
  /** The bank or the hosted page sent the payer back. */
  readonly returned?: boolean;
  /** The payer asked for this attempt just now, so the bank's address is followed. */
  readonly follow?: boolean;
  readonly alreadyInProgress?: boolean;
  readonly late?: boolean;
}

/** The screen of an attempt that just came onto it. */
export function screenOf(state: State, attempt: Attempt, entry: Entry, atMs: number): Screen {
  const { offer, returned = false, follow = false, alreadyInProgress = false, late = false } = entry;
  const { status } = attempt;
  if (isPaid(status)) {
    const twice =
      attempt.settlement.duplicate ||
      state.older.some((other) => other.id !== attempt.id && paidInFull(other));
    const phase = twice ? 'duplicate' : amountDiffers(attempt) ? 'amount-differs' : 'confirmed';
    return { phase, attempt, offer, late: late || attempt.late };
  }
  if (attempt.kind === 'PAYIN' && (status === 'DECLINED' || status === 'CANCELED')) {
    return { phase: status === 'DECLINED' ? 'declined' : 'canceled', attempt, offer };
  }
  const base = { offer, alreadyInProgress, check: 'NONE' } as const;
  const lapsed = status === 'EXPIRED' || localMs(state, expiresAtMs(attempt)) <= atMs;
  if (lapsed && !(returned && isOpen(attempt))) {
    return { phase: 'lapsed', attempt, offer, checkingUntilMs: null };
  }
  if (attempt.kind === 'PAYIN' && attempt.rail === 'BRE_B') {
    if (attempt.sourceData) return { phase: 'paying', ...base, attempt, source: attempt.sourceData };
  } else {
    if (returned) return { phase: 'verifying', ...base, attempt, untilMs: atMs + VERIFY_MS };
    const url = addressOf(attempt);
    if (url !== null) {
      return follow
        ? { phase: 'redirecting', attempt, offer, url, untilMs: atMs + REDIRECT_MS }
        : waiting(attempt, base, url);
    }
  }
  return { phase: 'preparing', ...base, attempt, sinceMs: atMs, stalled: attempt.stalled, follow };
}

/** The screen of an attempt that is with the bank or on the hosted page, for a payer who is here. */
export function waiting(
  attempt: PseAttempt | LinkAttempt,
  { offer, alreadyInProgress, check }: Omit<Open<Attempt>, 'attempt'>,
  url: string | null,
): Screen {
  const base = { offer, alreadyInProgress, check };
  if (attempt.kind === 'PAYIN') return { phase: 'pending', ...base, attempt, url, blocked: null };
  return { phase: 'link', ...base, attempt, url: url ?? attempt.paymentLinkUrl };
}

/** The attempts to read again and again. A Full backend speaks for all attempts of an order by any one of them. */
export function targetsOf({ screen, level, older }: State): readonly WatchTarget[] {
  if (screen.phase === 'idle') return [];
  const open = older.filter(isOpen);
  if (screen.phase === 'returning') {
    const { target } = screen;
    const others = level === 'FULL' ? [] : open.filter(({ id }) => id !== target.id);
    return [{ ...target, version: null }, ...others.map(watched)];
  }
  const current = currentOf(screen);
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
      // Once the bank sent the payer back the debit may have been made: only the backend can end that.
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
