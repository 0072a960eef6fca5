import type { Attempt, Offer } from '../contract/backend.js';
import type { ReturnId } from '../contract/return-id.js';
import { isFinal } from '../contract/status.js';
import type { Screen } from './state.js';

/** What is on a screen: its attempt, and the offer it was made of. */

export const isOpen = (attempt: Attempt): boolean => !isFinal(attempt.status);

export const targetOf = ({ kind, id }: Attempt): ReturnId => ({ kind, id });

/** The attempt on the screen, or the one the payer comes from. */
export function currentOf(screen: Screen): Attempt | null {
  if ('attempt' in screen) return screen.attempt;
  if ('replacing' in screen) return screen.replacing;
  if (screen.phase !== 'failed') return null;
  return 'attempt' in screen.doing ? screen.doing.attempt : screen.doing.replacing;
}

export function offerOf(screen: Screen): Offer | null {
  if ('offer' in screen) return screen.offer;
  return (screen.phase === 'failed' && 'offer' in screen.doing && screen.doing.offer) || null;
}
