import type { Attempt } from '../../contract/backend.js';
import { isPaid } from '../../contract/status.js';
import { currentOf, isOpen, offerOf } from '../current.js';
import { expiresAtMs, merge, paidByAnother, restInCents } from './attempts.js';
import { type Entry, screenOf, waiting } from './screens.js';
import type { Check, Redirecting, Screen, State } from '../state.js';
import { type Turn, change, check, load, show } from '../turn.js';

/** Brings an attempt onto the screen. The one that was there stays known, and watched while it is open. */
export function enter(turn: Turn, attempt: Attempt, entry: Entry): void {
  const before = currentOf(turn.state.screen);
  const known = knownAs(turn.state, attempt.id);
  const now = known ? merge(known, attempt) : attempt;
  const older = turn.state.older.filter(({ id }) => id !== now.id);
  if (before && before.id !== now.id && (isOpen(before) || isPaid(before.status))) older.push(before);
  change(turn, { older });
  show(turn, screenOf(turn.state, now, entry, turn.atMs));
}

/** The same for an attempt that is not the offer's own: when another one has paid the order, the offer has that one. */
export function admit(turn: Turn, attempt: Attempt, entry: Entry): void {
  if (isPaid(attempt.status) || !paidByAnother(attempt)) return enter(turn, attempt, entry);
  const { screen, older } = turn.state;
  const current = currentOf(screen);
  if (!knownAs(turn.state, attempt.id)) change(turn, { older: [...older, attempt] });
  load(turn, current);
}

const knownAs = (state: State, id: string): Attempt | undefined =>
  [currentOf(state.screen), ...state.older].find((attempt) => attempt?.id === id) ?? undefined;

/** Another answer about an attempt that is on the screen, behind it, or replaced. */
export function arrive(turn: Turn, attempt: Attempt): void {
  const { state, atMs } = turn;
  const { screen } = state;
  const current = currentOf(screen);
  if (current?.id !== attempt.id) return arriveOlder(turn, attempt);

  const now = merge(current, attempt);
  const offer = offerOf(screen);
  if (!('attempt' in screen) && isPaid(current.status) && restInCents(now) > 0) {
    // The payer is about to pay what is missing after it.
    show(turn, withCurrent(screen, now));
  } else if (isPaid(now.status)) {
    const late = screen.phase === 'lapsed' || ('late' in screen && screen.late) || !isOpen(current);
    const wasPaid = isPaid(current.status);
    show(turn, screenOf(state, now, { offer, late: wasPaid ? 'late' in screen && screen.late : late }, atMs));
  } else if (paidByAnother(now) && current.settlement.state === 'OPEN') {
    // Another attempt paid the order: the offer has it.
    show(turn, withCurrent(screen, now));
    load(turn, now);
  } else show(turn, 'attempt' in screen ? advance(turn, screen, now) : withCurrent(screen, now));
}

function arriveOlder(turn: Turn, attempt: Attempt): void {
  const { state, atMs } = turn;
  const known = state.older.find(({ id }) => id === attempt.id);
  if (!known) return;
  const now = merge(known, attempt);
  change(turn, { older: state.older.map((other) => (other === known ? now : other)) });
  if (!isPaid(now.status)) return;
  const current = currentOf(state.screen);
  const offer = offerOf(state.screen);
  if (current && isPaid(current.status)) {
    show(
      turn,
      screenOf(turn.state, current, { offer, late: 'late' in state.screen && state.screen.late }, atMs),
    );
  } else enter(turn, now, { offer, late: true });
}

type AttemptScreen = Extract<Screen, { attempt: Attempt }>;

/** The same screen with a newer, unpaid attempt, or the next screen when there is one. */
function advance({ state, atMs }: Turn, screen: AttemptScreen, now: Attempt): Screen {
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

/** The browser is still here: the payer can go on to the bank, ask what happened, or take another method. */
export function stay(turn: Turn, { attempt, offer, url }: Redirecting): void {
  show(turn, waiting(attempt, { offer, alreadyInProgress: false, check: 'NONE' }, url));
  check(turn, attempt);
}
