import type { Attempt } from '../../contract/backend.js';
import { isPaid } from '../../contract/status.js';
import { currentOf, isOpen, offerOf } from '../current.js';
import type { Check, Screen, State } from '../state.js';
import { type Step, connected, load } from '../step.js';
import { expiresAtMs, merge, paidByAnother, restInCents } from './attempts.js';
import { type Entry, screenOf } from './screens.js';

/** Brings an attempt onto the screen. The one that was there stays known, and watched while it is open. */
export function enter(state: State, attempt: Attempt, entry: Entry, atMs: number): State {
  const before = currentOf(state.screen);
  const known = knownOf(state, attempt);
  const now = known ? merge(known, attempt) : attempt;
  const older = state.older.filter(({ id }) => id !== now.id);
  if (before && before.id !== now.id && (isOpen(before) || isPaid(before.status))) older.push(before);
  const next = { ...state, older };
  return { ...next, screen: screenOf(next, now, entry, atMs) };
}

/**
 * The same for an attempt that did not come with an offer. When another attempt has paid the order, the offer is read
 * instead, because it has that one.
 */
export function admit(state: State, attempt: Attempt, entry: Entry, atMs: number): Step {
  if (isPaid(attempt.status) || !paidByAnother(attempt)) return [enter(state, attempt, entry, atMs)];
  const older = knownOf(state, attempt) ? state.older : [...state.older, attempt];
  return load({ ...state, older }, currentOf(state.screen));
}

/** What is known of an attempt that is on the screen, behind it, or replaced. */
const knownOf = ({ screen, older }: State, { id }: Attempt): Attempt | null =>
  [currentOf(screen), ...older].find((attempt) => attempt?.id === id) ?? null;

/** Another answer about an attempt. One that this checkout does not know is another checkout's. */
export function arrive(before: State, attempt: Attempt, atMs: number): Step {
  const known = knownOf(before, attempt);
  if (!known) return [before];
  const state = connected(before, attempt.now, atMs);
  const { screen } = state;
  const now = merge(known, attempt);
  if (known !== currentOf(screen)) return [arriveOlder(state, known, now, atMs)];
  const show = (next: Screen): State => ({ ...state, screen: next });
  if (!('attempt' in screen) && isPaid(known.status) && restInCents(now) > 0) {
    // The payer is about to pay what is missing after it.
    return [show(withCurrent(screen, now))];
  }
  if (isPaid(now.status)) {
    const late = isPaid(known.status) ? isLate(screen) : screen.phase === 'lapsed' || !isOpen(known);
    return [show(screenOf(state, now, { offer: offerOf(screen), late }, atMs))];
  }
  if (paidByAnother(now) && known.settlement.state === 'OPEN') {
    // Another attempt paid the order: the offer has it.
    return load(show(withCurrent(screen, now)), now);
  }
  return [show('attempt' in screen ? advance(state, screen, now, atMs) : withCurrent(screen, now))];
}

/** The attempt was replaced: only that it was paid matters to the payer. */
function arriveOlder(state: State, known: Attempt, now: Attempt, atMs: number): State {
  const { screen } = state;
  const next = { ...state, older: state.older.map((other) => (other === known ? now : other)) };
  if (!isPaid(now.status)) return next;
  const current = currentOf(screen);
  const offer = offerOf(screen);
  return current && isPaid(current.status)
    ? { ...next, screen: screenOf(next, current, { offer, late: isLate(screen) }, atMs) }
    : enter(next, now, { offer, late: true }, atMs);
}

const isLate = (screen: Screen): boolean => 'late' in screen && screen.late;

type AttemptScreen = Extract<Screen, { attempt: Attempt }>;

/** The same screen with a newer, unpaid attempt, or the next screen when there is one. */
function advance(state: State, screen: AttemptScreen, now: Attempt, atMs: number): Screen {
  const { offer } = screen;
  if (!isOpen(now)) return screenOf(state, now, { offer }, atMs);
  switch (screen.phase) {
    case 'lapsed': {
      // A longer life puts the attempt back on its screen. An answer from before the expiry is not the last check.
      if (now.expiresAt !== screen.attempt.expiresAt) return screenOf(state, now, { offer }, atMs);
      const checked = Date.parse(now.now) >= expiresAtMs(now);
      return { ...screen, attempt: now, checkingUntilMs: checked ? null : screen.checkingUntilMs };
    }
    case 'preparing': {
      const { follow, alreadyInProgress, sinceMs } = screen;
      const next = screenOf(state, now, { offer, follow, alreadyInProgress }, atMs);
      if (next.phase !== 'preparing') return next;
      return { ...next, sinceMs, stalled: screen.stalled || next.stalled, check: answered(screen.check) };
    }
    default:
      return withCurrent('check' in screen ? { ...screen, check: answered(screen.check) } : screen, now);
  }
}

const answered = (check: Check): Check => (check === 'NONE' ? check : 'NOTHING_YET');

/** The same screen with newer knowledge of its attempt. `merge` keeps kind and rail, so the types hold. */
function withCurrent(screen: Screen, now: Attempt): Screen {
  if (screen.phase === 'failed') {
    const newer = 'attempt' in screen.doing ? { attempt: now } : { replacing: now };
    return { ...screen, doing: { ...screen.doing, ...newer } } as Screen;
  }
  if (!('attempt' in screen)) return { ...screen, replacing: now } as Screen;
  const source = screen.phase === 'paying' && 'sourceData' in now ? { source: now.sourceData } : {};
  return { ...screen, attempt: now, ...source } as Screen;
}
