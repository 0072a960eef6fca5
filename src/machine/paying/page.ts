import { targetOf } from '../current.js';
import { type Handlers, fail } from '../step.js';
import { deadlineMs } from './consequences.js';
import { LAST_CHECK_MS, stay, waiting } from './screens.js';

/** What time and the browser do while there is a payment. */
export const page: Handlers<'tick' | 'page-restored' | 'redirect-canceled' | 'redirect-refused'> = {
  tick(state, { atMs }) {
    const { screen } = state;
    const deadline = deadlineMs(state);
    if (deadline === null || atMs < deadline) return [state];
    switch (screen.phase) {
      case 'creating':
        return [
          { ...state, screen: { ...screen, slowAtMs: null } },
          { type: 'announce', message: 'stalled' },
        ];
      case 'redirecting':
        return stay(state);
      case 'verifying':
        return [{ ...state, screen: waiting(screen.attempt, screen, null) }];
      case 'lapsed':
        return [{ ...state, screen: { ...screen, checkingUntilMs: null } }];
      case 'preparing':
        if (screen.stalled) break;
        return [
          { ...state, screen: { ...screen, stalled: true } },
          { type: 'announce', message: 'stalled' },
        ];
      default:
    }
    if (!('attempt' in screen)) return [state];
    const { attempt, offer } = screen;
    return [
      { ...state, screen: { phase: 'lapsed', attempt, offer, checkingUntilMs: atMs + LAST_CHECK_MS } },
      { type: 'check', target: targetOf(attempt) },
    ];
  },

  'page-restored': stay,

  'redirect-canceled': stay,

  'redirect-refused'(state) {
    const { screen } = state;
    if (screen.phase !== 'redirecting') return [state];
    const { attempt, offer } = screen;
    return fail(state, 'unsafe_address', { step: 'REDIRECT', attempt, offer });
  },
};
