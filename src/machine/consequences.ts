import type { Attempt } from '../contract/backend.js';
import { isPaid } from '../contract/status.js';
import { amountDiffers } from './attempts.js';
import { currentOf } from './current.js';
import type { CheckoutEvent, Effect } from './effect.js';
import { isResuming, screenEffects } from './opening.js';
import { deadlineMs, targetsOf } from './select.js';
import type { State } from './state.js';

/**
 * What follows from any change of state, whatever caused it: the page is told of news about attempts (each final
 * event once), the right attempts are watched, the next deadline is awaited, the screen is announced.
 */
export function consequences(
  before: State,
  after: State,
  asked: readonly Effect[],
): [State, readonly Effect[]] {
  if (before === after) return [after, asked];
  const { screen } = after;
  const { phase } = screen;
  const news: Effect[] = [];
  const emit = (event: CheckoutEvent) => news.push({ type: 'emit', event });
  const resuming = isResuming(before);

  const told = [...after.told];
  const known = attemptsOf(before);
  for (const attempt of attemptsOf(after)) {
    const earlier = known.find(({ id }) => id === attempt.id);
    if (attempt.kind === 'PAYIN' && earlier && earlier.version !== attempt.version) {
      emit({ type: 'payin-updated', payin: attempt });
    }
    const event = finalEvent(after, attempt, resuming);
    const name = event && `${event.type} ${attempt.id}`;
    if (!event || !name || told.includes(name)) continue;
    // A page that was told of money is not told the contrary, whatever an old copy of the truth says later.
    if (!isPaid(attempt.status) && told.includes(`payin-confirmed ${attempt.id}`)) continue;
    told.push(name);
    emit(event);
  }

  const effects = screenEffects(before, after, asked, news);
  if (phase !== before.screen.phase) {
    if (screen.phase === 'redirecting') {
      effects.push({ type: 'redirect', url: screen.url, attempt: screen.attempt });
    }
    if (phase === 'paying' || phase === 'redirecting' || phase === 'link') measure('shown');
    if ('attempt' in screen && isPaid(screen.attempt.status)) measure('settled');
  }
  // A new start may have new hands: they are told even when nothing changed.
  const restarted = after.run !== before.run;
  if (nothingYet(after) && !nothingYet(before)) effects.push({ type: 'announce', message: 'nothing-yet' });
  const targets = targetsOf(after);
  if (restarted || names(targets) !== names(targetsOf(before))) effects.push({ type: 'watch', targets });
  const atMs = deadlineMs(after);
  if (restarted || atMs !== deadlineMs(before)) effects.push({ type: 'schedule', atMs });
  return [told.length > after.told.length ? { ...after, told } : after, effects];

  function measure(name: 'shown' | 'settled') {
    effects.push({ type: 'measure', name });
  }
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
