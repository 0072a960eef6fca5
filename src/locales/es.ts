import { esForm } from './es/form.js';
import { esKey } from './es/key.js';
import { esModal } from './es/modal.js';
import { esOpening } from './es/opening.js';
import { esPaying } from './es/paying.js';
import type { Messages } from './messages.js';

/** All of it, for pages that take the words along or change some of them. */
export const es: Messages = { ...esOpening, ...esPaying, ...esForm, ...esKey, ...esModal };
