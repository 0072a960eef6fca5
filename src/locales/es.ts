import { esOpening } from './es/opening.js';
import { esPaying } from './es/paying.js';
import type { Messages } from './messages.js';

/** All of it, for pages that take the words along or change some of them. */
export const es: Messages = { ...esOpening, ...esPaying };
