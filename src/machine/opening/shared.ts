import { isPaid } from '../../contract/status.js';
import { currentOf, offerOf } from '../current.js';
import { type State, initialState } from '../state.js';
import { type Handlers, type Step, fail, failCall, load } from '../step.js';

/** What both acts do in the same way. */
export const shared: Handlers<
  | 'start'
  | 'misconfigured'
  | 'part-missing'
  | 'stop'
  | 'opened'
  | 'closed'
  | 'online'
  | 'offline'
  | 'offer-failed'
> = {
  /** Everything begins again, but for the events that were dispatched. */
  start({ emitted, run, connection }, { config, hint, returned, open }) {
    const state = { ...initialState, emitted, run: run + 1, connection, config, hint, open };
    if (!returned) return load(state);
    // With a Basic backend the address has the key of the create; this tab may know what it made.
    const target = (hint?.idempotencyKey === returned.id && hint.attempt) || returned;
    return [{ ...state, screen: { phase: 'returning', target, from: 'ADDRESS', offer: null } }];
  },

  misconfigured: (state, { type, detail }) =>
    fail(state, type, { step: 'LOAD', replacing: null }, null, detail),

  'part-missing'(state) {
    const { screen } = state;
    // A receipt is drawn without further parts, and a create under way will be answered.
    if (screen.phase === 'creating' || ('attempt' in screen && isPaid(screen.attempt.status))) return [state];
    const offer = offerOf(screen);
    return fail(state, 'part_missing', {
      step: 'LOAD',
      replacing: currentOf(screen),
      ...(offer && { offer }),
    });
  },

  stop: (state) => [{ ...state, screen: { phase: 'idle' }, older: [], run: state.run + 1 }],

  opened: (state) =>
    state.open
      ? [state]
      : [
          { ...state, open: true },
          { type: 'announce', message: state.screen.phase },
        ],

  closed: (state) =>
    state.open
      ? [
          { ...state, open: false },
          { type: 'emit', event: { type: 'checkout-closed' } },
        ]
      : [state],

  online(state, { type }) {
    if (state.connection !== 'OFFLINE') return [state];
    const [next, ...effects] = loadAfterOutage({ ...state, connection: 'OK' });
    return [next, { type: 'announce', message: type }, ...effects];
  },

  offline(state, { type }) {
    const { screen, connection } = state;
    if (connection === 'OFFLINE') return [state];
    // The notice of being offline is enough: a failed check is not shown beside it.
    const quiet = 'check' in screen ? { ...screen, check: 'NONE' as const } : screen;
    return [
      { ...state, connection: 'OFFLINE', screen: quiet },
      { type: 'announce', message: type },
    ];
  },

  'offer-failed'(state, { run, failure, atMs }) {
    const { screen } = state;
    if (run !== state.run || screen.phase !== 'loading') return [state];
    return failCall(state, failure, { step: 'LOAD', replacing: screen.replacing }, atMs);
  },
};

/** Reads again what a lost network interrupted. After a create only to see whether it arrived: that screen stays. */
function loadAfterOutage(state: State): Step {
  const { screen } = state;
  if (screen.phase !== 'failed' || screen.reason !== 'network' || screen.doing.step === 'REDIRECT')
    return [state];
  const { step, replacing } = screen.doing;
  return load(state, replacing, step === 'CREATE' ? 'BEHIND' : {});
}

/** Before a create a check reads the offer: the price may have changed, or an attempt may be open elsewhere. */
export const readAgain = (state: State): Step =>
  state.screen.phase === 'choosing' ? load(state, null, 'BEHIND') : [state];
