import type { Attempt } from '../../contract/backend.js';
import { isPaid } from '../../contract/status.js';
import { currentOf, isOpen, targetOf } from '../current.js';
import type { Effect } from '../effect.js';
import type { Failure, FailureReason } from '../input.js';
import { isAlike } from '../methods.js';
import type { Creating, Returning, State } from '../state.js';
import {
  type Handlers,
  type Step,
  connected,
  fail,
  failCall,
  load,
  offerMethods,
  reasonOf,
} from '../step.js';
import { admit, arrive, enter } from './arrivals.js';
import { merge, restInCents } from './attempts.js';
import { askDetails, rememberedOf, renewMethod } from './creating.js';

/** So many failed reads in a row are worth a notice. */
const TROUBLE_AFTER = 3;

/** What the backend says. An answer to a question that is no longer asked changes nothing. */
export const answers: Handlers<
  'offer-loaded' | 'created' | 'create-failed' | 'attempt' | 'attempt-missing' | 'watch-failed'
> = {
  'offer-loaded'(before, { run, offer, level, atMs }) {
    const { screen, hint } = before;
    const { attempt } = offer;
    if (run !== before.run) return [before];
    if (screen.phase === 'failed') {
      // Read behind a failure, to see whether the create arrived after all. If it did not, the payer decides.
      if (screen.doing.step !== 'CREATE' || !attempt) return [before];
    } else if (screen.phase !== 'loading' && screen.phase !== 'choosing') return [before];
    const state = { ...connected(before, offer.now, atMs), level };
    const current = currentOf(screen);
    if (attempt && isNews(attempt, current)) {
      const returned = screen.phase === 'loading' && screen.returned === attempt.id;
      const alreadyInProgress = current !== null && isOpen(attempt);
      const next = enter(state, attempt, { offer, returned, alreadyInProgress }, atMs);
      return returned ? [next, CLEAN_ADDRESS] : [next];
    }
    if (!current && level === 'BASIC' && hint?.attempt) {
      // A Basic backend does not say which attempt is current, but this tab remembers one.
      return [{ ...state, screen: { phase: 'returning', target: hint.attempt, from: 'MEMORY', offer } }];
    }
    if (screen.phase === 'failed') return [state];
    const replacing = current && attempt?.id === current.id ? merge(current, attempt) : current;
    if (screen.phase === 'choosing') {
      // The same offer once more leaves the screen alone: a choice that waits is one of its methods. Of another one the
      // payer is told what the price was.
      return screen.offer.version === offer.version
        ? [{ ...state, screen: { ...screen, replacing } }]
        : offerMethods(state, offer, replacing, screen.offer.amountInCents);
    }
    return screen.renewing && replacing
      ? renewMethod(state, offer, replacing, null)
      : offerMethods(state, offer, replacing);
  },

  created(before, { attempt, idempotencyKey, atMs }) {
    const { screen, config } = before;
    if (screen.phase !== 'creating' || screen.idempotencyKey !== idempotencyKey) return [before];
    const { choice, offer, replacing } = screen;
    const hint = { attempt: targetOf(attempt), idempotencyKey, answered: true, choice: rememberedOf(choice) };
    const state = { ...connected(before, attempt.now, atMs), hint };
    const alreadyInProgress = attempt.id === replacing?.id || !isAlike(attempt, choice);
    const follow = !alreadyInProgress && (choice.kind === 'PAYIN' || config.linkMode === 'FOLLOW');
    const [next, ...effects] = admit(state, attempt, { offer, follow, alreadyInProgress }, atMs);
    return [next, { type: 'remember', hint }, ...(alreadyInProgress ? [] : createdNews(attempt)), ...effects];
  },

  'create-failed'(state, { idempotencyKey, failure, atMs }) {
    const { screen, hint } = state;
    if (screen.phase !== 'creating' || screen.idempotencyKey !== idempotencyKey) return [state];
    const { problem } = failure;
    // An attempt that ended, or a plain no, is a decision about this key: the next try is another one.
    const decided =
      !UNCLEAR.includes(reasonOf(failure)) || (problem?.attempt !== undefined && !isOpen(problem.attempt));
    if (!decided || !hint) return refuse(state, screen, failure, decided, atMs);
    const answered = { ...hint, answered: true };
    const [next, ...effects] = refuse({ ...state, hint: answered }, screen, failure, decided, atMs);
    return [next, { type: 'remember', hint: answered }, ...effects];
  },

  attempt(before, { asked, attempt, atMs }) {
    const { screen, config } = before;
    if (screen.phase !== 'returning') return arrive(before, attempt, atMs);
    if (asked !== screen.target.id) return [before];
    const state = connected(before, attempt.now, atMs);
    const returned = screen.from === 'ADDRESS';
    if (returned && config.order !== null && config.order !== attempt.order) {
      // Several checkouts on one page: the address may name the attempt of another one, which cleans it. But an
      // order has another token once the merchant's secret was changed: its offer tells.
      return load(state, null, { returned: attempt.id });
    }
    return resolved(screen, admit(state, attempt, { offer: screen.offer, returned }, atMs));
  },

  'attempt-missing'(state, { id }) {
    const { screen, config } = state;
    if (screen.phase !== 'returning' || id !== screen.target.id) return [state];
    if (screen.offer) return resolved(screen, offerMethods(state, screen.offer, null));
    if (config.order !== null) return resolved(screen, load(state));
    return resolved(screen, fail(state, 'not_found', { step: 'LOAD', replacing: null }));
  },

  'watch-failed'(before, { id, failures }) {
    const { screen, connection } = before;
    const effects: Effect[] = [];
    let state = before;
    if (failures >= TROUBLE_AFTER && connection === 'OK') {
      state = { ...state, connection: 'TROUBLE' };
      effects.push({ type: 'announce', message: 'trouble' });
    }
    if ('check' in screen && screen.check === 'ASKING' && screen.attempt.id === id) {
      const check = connection === 'OFFLINE' ? 'NONE' : 'UNREACHABLE';
      state = { ...state, screen: { ...screen, check } };
      if (check === 'UNREACHABLE') effects.push({ type: 'announce', message: 'unreachable' });
    }
    return [state, ...effects];
  },
};

const CLEAN_ADDRESS: Effect = { type: 'clean-address' };

/** The id of a returning payer has done its work: it leaves the address, when it was there. */
const resolved = ({ from }: Returning, [state, ...effects]: Step): Step =>
  from === 'ADDRESS' ? [state, CLEAN_ADDRESS, ...effects] : [state, ...effects];

/** Whether the offer's attempt is to be shown: of the one that the payer comes from only that it was paid. */
function isNews(attempt: Attempt, current: Attempt | null): boolean {
  if (!current) return true;
  if (attempt.id === current.id) return isPaid(attempt.status) && restInCents(attempt) === 0;
  return isOpen(attempt) || isPaid(attempt.status);
}

const createdNews = (attempt: Attempt): Effect[] => [
  {
    type: 'emit',
    event:
      attempt.kind === 'PAYIN'
        ? { type: 'payin-created', payin: attempt }
        : { type: 'paymentlink-created', link: attempt },
  },
  { type: 'measure', name: 'created' },
];

/** Reasons that leave open whether the backend acted on the create. */
const UNCLEAR: readonly FailureReason[] = [
  'network',
  'malformed',
  'rate_limited',
  'internal_error',
  'service_unavailable',
  'store_unavailable',
];

/** A create was refused, or its answer never came. */
function refuse(state: State, screen: Creating, failure: Failure, decided: boolean, atMs: number): Step {
  const { choice, idempotencyKey, override, offer, methods, replacing } = screen;
  const { problem } = failure;
  const attempt = problem?.attempt;

  switch (problem?.code) {
    case 'offer_changed': {
      if (!problem.offer) return load(state, replacing);
      const [next, ...effects] = offerMethods(state, problem.offer, replacing, offer.amountInCents);
      return [next, { type: 'announce', message: 'offer-changed' }, ...effects];
    }

    case 'pse_in_progress': {
      if (attempt?.kind !== 'PAYIN' || attempt.rail !== 'PSE') return load(state, replacing);
      const next = enter(connected(state, attempt.now, atMs), attempt, { offer }, atMs);
      if (next.screen.phase !== 'pending') return [next];
      const retryAtMs = problem.retryAt === undefined ? null : Date.parse(problem.retryAt);
      return [
        { ...next, screen: { ...next.screen, blocked: { choice, retryAtMs } } },
        { type: 'announce', message: 'blocked' },
      ];
    }

    case 'already_paid':
    case 'not_current':
      // Where it does not say which attempt, the offer has it.
      if (!attempt) return load(state, replacing);
      return admit(
        connected(state, attempt.now, atMs),
        attempt,
        { offer, alreadyInProgress: isOpen(attempt) },
        atMs,
      );

    case 'invalid_request': {
      const method = methods.find((each) => isAlike(each, choice));
      const problems = (problem.errors ?? [])
        // Only what the method's form can ask for: a form without the field is no way on.
        .filter(({ field }) =>
          (method?.rail === 'PSE' ? /^(inlineCustomer|pse)\./ : /^inlineCustomer\./).test(field),
        )
        .map(({ field, code }) => ({ field: field.slice(field.indexOf('.') + 1), code }));
      if (problems.length === 0 || method?.kind !== 'PAYIN') break;
      const [next] = askDetails(state, screen, method, problems);
      return [next, { type: 'announce', message: 'fix-fields' }];
    }

    default:
  }
  const key = decided ? null : idempotencyKey;
  const doing = {
    step: 'CREATE',
    offer,
    methods,
    replacing,
    choice,
    idempotencyKey: key,
    override,
  } as const;
  const [failed, ...effects] = failCall(state, failure, doing, atMs);
  if (decided || state.level === 'BASIC') return [failed, ...effects];
  // It may have arrived all the same. Looking is safe; only the payer creates.
  const [next, ...reads] = load(failed, replacing, 'BEHIND');
  return [next, ...effects, ...reads];
}
