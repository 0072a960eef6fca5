import type { Attempt, Offer } from '../contract/backend.js';
import { isFinal } from '../contract/status.js';
import type { Screen, State } from './state.js';

/** What a screen is about: for the machine itself, and for those who show it. */

/** The attempt on the screen, or the one the payer comes from. */
export function currentOf(screen: Screen): Attempt | null {
  if ('attempt' in screen) return screen.attempt;
  if ('replacing' in screen) return screen.replacing;
  if (screen.phase !== 'failed') return null;
  return 'attempt' in screen.doing ? screen.doing.attempt : screen.doing.replacing;
}

export function offerOf(screen: Screen): Offer | null {
  if ('offer' in screen) return screen.offer;
  return screen.phase === 'failed' && 'offer' in screen.doing ? screen.doing.offer : null;
}

/** An attempt the payer could still pay: leaving it is worth a question. */
export function openAttempt({ screen }: State): Attempt | null {
  const current = currentOf(screen);
  return current && !isFinal(current.status) && screen.phase !== 'lapsed' ? current : null;
}

/** The open attempt asks for another amount than the order does now. The key's own amount is the one to pay. */
export function amountChanged({ screen }: State): boolean {
  return (
    'attempt' in screen &&
    screen.offer !== null &&
    !isFinal(screen.attempt.status) &&
    screen.attempt.amountInCents !== screen.offer.amountInCents
  );
}
