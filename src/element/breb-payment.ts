import { styles as attemptStyles, words as attemptWords } from './attempts.js';
import { styles as brebStyles, words as brebWords } from './views/breb.js';

/** The whole of a Bre-B payment, for who has nothing of it yet: the build for pages makes one file of it. */
export * from './attempts.js';
export * from './views/breb.js';

export const words = { ...attemptWords, ...brebWords };
export const styles = attemptStyles + brebStyles;
