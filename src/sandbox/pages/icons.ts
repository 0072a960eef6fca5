import { html } from 'hono/html';
import { type IconName, ICONS } from '../../look/icons.js';
import { COLOURS } from '../../look/palette.js';
import type { Html } from './layout.js';

/** Decorative: always beside text. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d="${ICONS[name]}" /></svg>`;
}

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="${COLOURS.accent[0]}"/><path transform="translate(4 4)" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round" d="${ICONS.flask}"/></svg>`;
