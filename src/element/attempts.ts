import { esAttempts } from '../locales/es-attempts.js';

/** Everything from the payer's choice to the outcome that any rail needs, in one chunk. */
export { AttemptEffects } from './effects.js';
export { CLOCK, ending, renderOutcome, styles } from './views/outcome.js';
export { bankName, formatMoment, receipt } from './views/receipt.js';

export const words = esAttempts;
