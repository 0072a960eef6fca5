import { styles as attemptStyles, words as attemptWords } from './attempts.js';
import { styles as pseStyles, words as pseWords } from './pse.js';

/** The whole of a PSE payment, for who has nothing of it yet: the build for pages makes one file of it. */
export * from './attempts.js';
export * from './pse.js';

export const words = { ...attemptWords, ...pseWords };
export const styles = attemptStyles + pseStyles;
