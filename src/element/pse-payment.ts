import { styles as attemptStyles } from './attempts.js';
import { styles as pseStyles } from './pse.js';

/** The whole of a PSE payment, for who has nothing of it yet: the build for pages makes one file of it. */
export * from './attempts.js';
export * from './pse.js';

export const styles = attemptStyles + pseStyles;
