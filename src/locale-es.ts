export { es } from './locales/es.js';
export type { Messages } from './locales/messages.js';
