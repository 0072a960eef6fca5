import { esKey } from './es/key.js';
import { esLink } from './es/link.js';
import { esModal } from './es/modal.js';
import { esOpening } from './es/opening.js';
import { esPaying } from './es/paying.js';
import { esPse } from './es/pse.js';
import type { Messages } from './messages.js';

/** All of it, for pages that take the words along or change some of them. */
export const es: Messages = {
  ...esOpening,
  ...esPaying,
  ...esKey,
  ...esPse,
  ...esLink,
  ...esModal,
};
