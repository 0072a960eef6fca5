import { styles as outcomeStyles } from './views/outcome.js';

/** Everything from the payer's choice to the outcome that any rail needs, in one chunk. */
export { AttemptEffects } from './attempt-effects.js';
export { CLOCK, ending, renderOutcome } from './views/outcome.js';
export { bankName, formatMoment, receipt } from './views/receipt.js';

export const styles = outcomeStyles;
