import { isPaid } from '../../contract/status.js';
import { admit, arrive, enter } from './arrivals.js';
import { currentOf, isOpen, targetOf } from '../current.js';
import { failOffer } from '../opening/steps.js';
import { merge, restInCents } from './attempts.js';
import { isAlike } from '../methods.js';
import { rememberedOf } from './choices.js';
import { renew } from './creating.js';
import type { Failure, Input } from '../input.js';
import type { Creating } from '../state.js';
import { type Turn, change, connect, fail, load, offerMethods, reasonOf, remember, show } from '../turn.js';

type Answer = Extract<
  Input,
  {
    type:
      | 'offer-loaded'
      | 'offer-failed'
      | 'created'
      | 'create-failed'
      | 'attempt'
      | 'attempt-missing'
      | 'watch-failed';
  }
>;

/** So many failed reads in a row are worth a notice. */
const TROUBLE_AFTER = 3;

/** What the backend says. An answer to a question that is no longer asked changes nothing. */
export function takeAnswer(turn: Turn, input: Answer): void {
  const { state } = turn;
  const { screen } = state;

  switch (input.type) {
    case 'offer-loaded':
      if (input.run !== state.run) return;
      return takeOffer(turn, input);

    case 'offer-failed':
      return failOffer(turn, input);

    case 'created': {
      if (screen.phase !== 'creating' || screen.idempotencyKey !== input.idempotencyKey) return;
      const { attempt } = input;
      const { choice, idempotencyKey, offer, replacing } = screen;
      connect(turn, attempt.now);
      remember(turn, {
        attempt: targetOf(attempt),
        idempotencyKey,
        answered: true,
        choice: rememberedOf(choice),
      });
      const alreadyInProgress = attempt.id === replacing?.id || !isAlike(attempt, choice);
      if (!alreadyInProgress) {
        turn.effects.push(
          {
            type: 'emit',
            event:
              attempt.kind === 'PAYIN'
                ? { type: 'payin-created', payin: attempt }
                : { type: 'paymentlink-created', link: attempt },
          },
          { type: 'measure', name: 'created' },
        );
      }
      const follow = !alreadyInProgress && (choice.kind === 'PAYIN' || state.config.linkMode === 'FOLLOW');
      return admit(turn, attempt, { offer, follow, alreadyInProgress });
    }

    case 'create-failed':
      if (screen.phase !== 'creating' || screen.idempotencyKey !== input.idempotencyKey) return;
      return refuse(turn, screen, input.failure);

    case 'attempt': {
      const { attempt, asked } = input;
      if (screen.phase === 'returning') {
        if (asked !== screen.target.id) return;
        connect(turn, attempt.now);
        const { order } = state.config;
        if (screen.from === 'ADDRESS' && order !== null && order !== attempt.order) {
          // Several checkouts on one page: the address may name the attempt of another one, which cleans it. But an
          // order has another token once the merchant's secret was changed: its offer tells.
          return load(turn, null, { returned: attempt.id });
        }
        const returned = resolve(turn);
        return admit(turn, attempt, { offer: screen.offer, returned });
      }
      const known = [currentOf(screen), ...state.older].some((other) => other?.id === attempt.id);
      if (!known) return;
      connect(turn, attempt.now);
      return arrive(turn, attempt);
    }

    case 'attempt-missing':
      if (screen.phase !== 'returning' || input.id !== screen.target.id) return;
      resolve(turn);
      if (screen.offer) return offerMethods(turn, screen.offer, null);
      if (state.config.order !== null) return load(turn);
      return fail(turn, 'not_found', { step: 'LOAD', replacing: null });

    case 'watch-failed': {
      if (input.failures >= TROUBLE_AFTER && state.connection === 'OK') {
        change(turn, { connection: 'TROUBLE' });
        turn.effects.push({ type: 'announce', message: 'trouble' });
      }
      if (!('check' in screen) || screen.check !== 'ASKING' || screen.attempt.id !== input.id) return;
      if (state.connection === 'OFFLINE') return show(turn, { ...screen, check: 'NONE' });
      turn.effects.push({ type: 'announce', message: 'unreachable' });
      return show(turn, { ...screen, check: 'UNREACHABLE' });
    }
  }
}

/** The id in the address has done its work. Says whether it was in the address. */
function resolve({ state: { screen }, effects }: Turn): boolean {
  const fromAddress = screen.phase === 'returning' && screen.from === 'ADDRESS';
  if (fromAddress) effects.push({ type: 'clean-address' });
  return fromAddress;
}

function takeOffer(turn: Turn, { offer, level }: Extract<Answer, { type: 'offer-loaded' }>): void {
  const { screen, hint } = turn.state;
  const { attempt } = offer;
  if (screen.phase === 'failed') {
    // Read behind a failure, to see whether the create arrived after all. If it did not, the payer decides.
    if (screen.doing.step !== 'CREATE' || !attempt) return;
  } else if (screen.phase !== 'loading' && screen.phase !== 'choosing') return;
  const current = currentOf(screen);
  connect(turn, offer.now);
  change(turn, { level });
  if (attempt) {
    const returned = screen.phase === 'loading' && screen.returned === attempt.id;
    if (returned) turn.effects.push({ type: 'clean-address' });
    const isNews =
      attempt.id === current?.id
        ? isPaid(attempt.status) && restInCents(attempt) === 0
        : !current || isOpen(attempt) || isPaid(attempt.status);
    const alreadyInProgress = current !== null && isOpen(attempt);
    if (isNews) return enter(turn, attempt, { offer, returned, alreadyInProgress });
  } else if (!current && level === 'BASIC' && hint?.attempt) {
    // A Basic backend does not say which attempt is current, but this tab remembers one.
    return show(turn, { phase: 'returning', target: hint.attempt, from: 'MEMORY', offer });
  }
  if (screen.phase === 'failed') return;
  const replacing = current && attempt?.id === current.id ? merge(current, attempt) : current;
  if (screen.phase === 'loading' && screen.renewing && replacing) return renew(turn, offer, replacing, null);
  // What the payer saw before, when price or methods moved since.
  const moved = screen.phase === 'choosing' && screen.offer.version !== offer.version;
  offerMethods(turn, offer, replacing, moved ? screen.offer.amountInCents : null);
}

/** Reasons that leave open whether the backend acted on the create. */
const UNCLEAR = /^(network|malformed|rate_limited|internal_error|(service|store)_unavailable)$/;

/** A create was refused, or its answer never came. */
function refuse(turn: Turn, screen: Creating, failure: Failure): void {
  const { choice, idempotencyKey, override, offer, methods, replacing } = screen;
  const { problem } = failure;
  const attempt = problem?.attempt;
  const { hint, level } = turn.state;
  const reason = reasonOf(failure);
  // An attempt that ended, or a plain no, is a decision about this key: the next try is another one.
  const decided = !UNCLEAR.test(reason) || (attempt !== undefined && !isOpen(attempt));
  if (decided && hint) remember(turn, { ...hint, answered: true });

  switch (problem?.code) {
    case 'offer_changed':
      if (!problem.offer) break;
      turn.effects.push({ type: 'announce', message: 'offer-changed' });
      return offerMethods(turn, problem.offer, replacing, offer.amountInCents);

    case 'pse_in_progress':
      if (attempt?.kind === 'PAYIN' && attempt.rail === 'PSE') {
        connect(turn, attempt.now);
        enter(turn, attempt, { offer });
        const { screen: entered } = turn.state;
        if (entered.phase !== 'pending') return;
        const retryAtMs = problem.retryAt === undefined ? null : Date.parse(problem.retryAt);
        turn.effects.push({ type: 'announce', message: 'blocked' });
        return show(turn, { ...entered, blocked: { choice, retryAtMs } });
      }
      break;

    case 'already_paid':
    case 'not_current':
      if (!attempt) break;
      connect(turn, attempt.now);
      return admit(turn, attempt, { offer, alreadyInProgress: isOpen(attempt) });

    case 'invalid_request': {
      const method = methods.find((each) => isAlike(each, choice));
      const problems = (problem.errors ?? [])
        // Only what the method's form can ask for: a form without the field is no way on.
        .filter(({ field }) =>
          (method?.rail === 'PSE' ? /^(inlineCustomer|pse)\./ : /^inlineCustomer\./).test(field),
        )
        .map(({ field, code }) => ({ field: field.slice(field.indexOf('.') + 1), code }));
      if (problems.length === 0 || method?.kind !== 'PAYIN') break;
      turn.effects.push({ type: 'announce', message: 'fix-fields' });
      return show(turn, { phase: 'details', offer, methods, replacing, method, problems, changed: null });
    }

    default:
  }
  if (problem && /^(offer_changed|pse_in_progress|already_paid|not_current)$/.test(problem.code)) {
    // It says what happened but not about what: the offer has it.
    return load(turn, replacing);
  }
  fail(
    turn,
    reason,
    {
      step: 'CREATE',
      offer,
      methods,
      replacing,
      choice,
      idempotencyKey: decided ? null : idempotencyKey,
      override,
    },
    failure,
  );
  // It may have arrived all the same. Looking is safe; only the payer creates.
  if (!decided && level === 'FULL') load(turn, replacing, 'BEHIND');
}
