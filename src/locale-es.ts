import { esAttempts } from './locales/es-attempts.js';
import { esBank } from './locales/es-bank.js';
import { esBreb } from './locales/es-breb.js';
import { esDetails } from './locales/es-details.js';
import { esLink } from './locales/es-link.js';
import { esModal } from './locales/es-modal.js';
import { esPhone } from './locales/es-phone.js';
import { es as esFirst } from './locales/es.js';
import type { Messages } from './locales/messages.js';

/** All of it at once; the element itself fetches it part by part. */
export const es: Messages = {
  ...esFirst,
  ...esDetails,
  ...esBreb,
  ...esPhone,
  ...esBank,
  ...esLink,
  ...esAttempts,
  ...esModal,
};
export type { Messages };
