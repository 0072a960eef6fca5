import type { Attempt, LinkAttempt, Offer, PseAttempt } from '../../contract/backend.js';
import { isPaid } from '../../contract/status.js';
import { isOpen, targetOf } from '../current.js';
import type { Open, Screen, State } from '../state.js';
import type { Step } from '../step.js';
import { addressOf, amountDiffers, expiresAtMs, localMs, paidInFull } from './attempts.js';

/** Which screen an attempt belongs on. */

/** Back from the bank the outcome is usually known within a minute. */
const VERIFY_MS = 60_000;
/** How long the last check at expiry may take before the screen says so. */
export const LAST_CHECK_MS = 10_000;
/** A browser that has not left by now will not leave. */
export const REDIRECT_MS = 20_000;

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
      // Behind a closed dialog the payer reads the merchant's page, which must not be taken away.
      return follow && state.open
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

/** The browser is still here: the payer can go on to the bank, ask what happened, or take another method. */
export function stay(state: State): Step {
  const { screen } = state;
  if (screen.phase !== 'redirecting') return [state];
  const { attempt, offer, url } = screen;
  return [
    { ...state, screen: waiting(attempt, { offer, alreadyInProgress: false, check: 'NONE' }, url) },
    { type: 'check', target: targetOf(attempt) },
  ];
}
