import type { Attempt } from '../contract/backend.js';
import { withReturnId } from '../contract/return-id.js';
import { isPaid } from '../contract/status.js';
import { expiresAtMs, isOpen, merge, paidByAnother, targetOf } from './attempts.js';
import { currentOf, offerOf } from './current.js';
import type { CreateRequest } from './effect.js';
import type { Choice, Hint } from './input.js';
import { isRemembered, rememberedOf } from './methods.js';
import { type Turn, change, load, show } from './opening.js';
import { type Entry, screenOf, waiting } from './screens.js';
import type { Check, Offering, Redirecting, Screen, State } from './state.js';

export const check = (turn: Turn, attempt: Attempt): void => {
  turn.effects.push({ type: 'check', target: targetOf(attempt) });
};

/** The browser is still here: the payer can go on to the bank, ask what happened, or take another method. */
export function stay(turn: Turn, { attempt, offer, url }: Redirecting): void {
  show(turn, waiting(attempt, { offer, alreadyInProgress: false, check: 'NONE' }, url));
  check(turn, attempt);
}

/** A backend usually answers a create within two seconds; after this long the payer is told. */
const SLOW_AFTER_MS = 8_000;

export function create(
  turn: Turn,
  { offer, methods, replacing }: Offering,
  choice: Choice,
  freshKey: string,
  override = false,
): void {
  const { config, hint, level } = turn.state;
  // A create that a reload or a lost network interrupted may have arrived: the same choice goes with the same key.
  const again = hint && !hint.answered && !replacing && isRemembered(hint.choice, choice);
  const idempotencyKey = (again && hint.idempotencyKey) || freshKey;
  const attempt = hint?.attempt ?? null;
  remember(turn, { attempt, idempotencyKey, answered: false, choice: rememberedOf(choice) });
  const slowAtMs = turn.atMs + SLOW_AFTER_MS;
  show(turn, { phase: 'creating', offer, methods, replacing, choice, idempotencyKey, override, slowAtMs });
  const common = {
    // The attempt's own token on a page that has no order of its own.
    order: config.order ?? replacing?.order ?? '',
    offerVersion: offer.version,
    // A Full backend names the attempt itself; for a Basic one its key has to do.
    callbackUrl:
      level === 'FULL'
        ? config.callbackUrl
        : withReturnId(config.callbackUrl, { kind: choice.kind, id: idempotencyKey }),
    // Only an open attempt can be replaced; after a final one a new attempt is simply made.
    ...(replacing && isOpen(replacing) ? { replaces: replacing.id } : {}),
    ...(override ? { override } : {}),
  };
  turn.effects.push({ type: 'create', idempotencyKey, request: request(common, choice) });
}

function request(
  common: { order: string; offerVersion: string; callbackUrl: string; replaces?: string; override?: boolean },
  choice: Choice,
): CreateRequest {
  const { kind } = choice;
  if (kind === 'PAYMENT_LINK') {
    return {
      kind,
      body: {
        ...common,
        ...(choice.rail ? { rail: choice.rail } : {}),
        ...(choice.bank ? { pse: { bank: choice.bank } } : {}),
      },
    };
  }
  const inlineCustomer = choice.customer ? { inlineCustomer: choice.customer } : {};
  if (choice.rail === 'BRE_B') {
    const { rail, keyType } = choice;
    return { kind, body: { ...common, ...inlineCustomer, rail, breb: { keyType } } };
  }
  const { rail, bank, personType } = choice;
  return { kind, body: { ...common, ...inlineCustomer, rail, pse: { bank, personType } } };
}

export function remember(turn: Turn, hint: Hint): void {
  change(turn, { hint });
  turn.effects.push({ type: 'remember', hint });
}

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
  const { screen, older, config } = turn.state;
  const current = currentOf(screen);
  if (!knownAs(turn.state, attempt.id)) change(turn, { older: [...older, attempt] });
  load(turn, config.order ?? attempt.order, current);
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
  if (isPaid(now.status)) {
    const late = screen.phase === 'lapsed' || ('late' in screen && screen.late) || !isOpen(current);
    const wasPaid = isPaid(current.status);
    show(turn, screenOf(state, now, { offer, late: wasPaid ? 'late' in screen && screen.late : late }, atMs));
  } else if (paidByAnother(now) && current.settlement.state === 'OPEN') {
    // Another attempt paid the order: the offer has it.
    show(turn, withCurrent(screen, now));
    load(turn, state.config.order ?? now.order, now);
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
