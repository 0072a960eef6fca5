import { esAttempts } from '../locales/es-attempts.js';

/** Everything from the payer's choice to the outcome that any rail needs, in one chunk. */
export { AttemptEffects } from './attempt-effects.js';
export { renderOutcome, styles } from './views/outcome.js';

export const words = esAttempts;
