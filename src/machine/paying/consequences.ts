import { type Attempt, STALLED_AFTER_MS } from '../../contract/backend.js';
import type { WatchTarget } from '../../contract/return-id.js';
import { isPaid } from '../../contract/status.js';
import { currentOf, isOpen, targetOf } from '../current.js';
import type { CheckoutEvent, Effect } from '../effect.js';
import { announced, isResuming, ready } from '../opening/opening.js';
import type { State } from '../state.js';
import { amountDiffers, expiresAtMs, localMs } from './attempts.js';

/**
 * What follows from any change of state, whatever caused it: the page gets the news about attempts (each final event
 * once), the right attempts are watched, the next deadline is awaited, the screen is announced.
 */
export function consequences(
  before: State,
  after: State,
  asked: readonly Effect[],
): [State, readonly Effect[]] {
  if (before === after) return [after, asked];
  const { screen } = after;
  const { phase } = screen;
  const resuming = isResuming(before);
  const effects: Effect[] = [...ready(before, after), ...asked];

  const emitted = [...after.emitted];
  const known = attemptsOf(before);
  for (const attempt of attemptsOf(after)) {
    const earlier = known.find(({ id }) => id === attempt.id);
    if (attempt.kind === 'PAYIN' && earlier && earlier.version !== attempt.version) {
      effects.push({ type: 'emit', event: { type: 'payin-updated', payin: attempt } });
    }
    const event = finalEvent(after, attempt, resuming);
    if (!event) continue;
    const name = `${event.type} ${attempt.id}`;
    if (emitted.includes(name)) continue;
    // Once a payment was reported, a stale answer must not report the contrary.
    if (!isPaid(attempt.status) && emitted.includes(`payin-confirmed ${attempt.id}`)) continue;
    emitted.push(name);
    effects.push({ type: 'emit', event });
  }

  effects.push(...announced(before, after));
  if (phase !== before.screen.phase) {
    if (screen.phase === 'redirecting') {
      effects.push({ type: 'redirect', url: screen.url, attempt: screen.attempt });
    }
    if (phase === 'paying' || phase === 'redirecting' || phase === 'link') {
      effects.push({ type: 'measure', name: 'shown' });
    }
    if ('attempt' in screen && isPaid(screen.attempt.status)) {
      effects.push({ type: 'measure', name: 'settled' });
    }
  }
  if (nothingYet(after) && !nothingYet(before)) effects.push({ type: 'announce', message: 'nothing-yet' });
  // A new start may have a new watcher and timer: they are set even when nothing changed.
  const restarted = after.run !== before.run;
  const targets = targetsOf(after);
  if (restarted || names(targets) !== names(targetsOf(before))) effects.push({ type: 'watch', targets });
  const atMs = deadlineMs(after);
  if (restarted || atMs !== deadlineMs(before)) effects.push({ type: 'schedule', atMs });
  return [{ ...after, emitted }, effects];
}

/** The payer asked, and the answer brought no news. */
function nothingYet({ screen }: State): boolean {
  return 'check' in screen && screen.check === 'NOTHING_YET';
}

function attemptsOf({ screen, older }: State): Attempt[] {
  const current = currentOf(screen);
  return current ? [current, ...older] : [...older];
}

function finalEvent({ screen }: State, attempt: Attempt, resumed: boolean): CheckoutEvent | null {
  const shown = 'attempt' in screen && screen.attempt.id === attempt.id;
  const { status } = attempt;
  if (isPaid(status)) {
    const facts = {
      resumed,
      late: shown && 'late' in screen ? screen.late : true,
      amountDiffers: amountDiffers(attempt),
      duplicate: screen.phase === 'duplicate',
    };
    return attempt.kind === 'PAYIN'
      ? { type: 'payin-confirmed', payin: attempt, ...facts }
      : { type: 'paymentlink-completed', link: attempt, ...facts };
  }
  if (attempt.kind === 'PAYMENT_LINK') {
    return status === 'EXPIRED' ? { type: 'paymentlink-expired', link: attempt, resumed } : null;
  }
  if (status === 'DECLINED') return { type: 'payin-declined', payin: attempt, resumed };
  if (status === 'CANCELED') return { type: 'payin-canceled', payin: attempt, resumed };
  return shown && screen.phase === 'lapsed' && screen.checkingUntilMs === null
    ? { type: 'payin-lapsed', payin: attempt, resumed }
    : null;
}

const names = (targets: ReturnType<typeof targetsOf>): string => targets.map(({ id }) => id).join();

/** The attempts to poll. A Full backend's answer about any one of them covers all attempts of the order. */
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
