import { styles as attemptStyles } from './attempts.js';
import { styles as brebStyles } from './views/breb.js';

/** The whole of a Bre-B payment, for who has nothing of it yet: the build for pages makes one file of it. */
export * from './attempts.js';
export * from './views/breb.js';

export const styles = attemptStyles + brebStyles;
