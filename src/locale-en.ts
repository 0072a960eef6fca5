export { en } from './locales/en.js';
export type { Messages } from './locales/messages.js';
