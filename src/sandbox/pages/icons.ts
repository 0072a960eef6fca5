import { html, raw } from 'hono/html';
import type { Html } from './layout.js';

/** The simulator's panel draws these two itself, in templates that take no markup from a string. */
export const FLASK_PATH =
  'M9 3h6M10 3v6l-5.2 8.7A2.2 2.2 0 0 0 6.7 21h10.6a2.2 2.2 0 0 0 1.9-3.3L14 9V3M7.5 15h9';
export const CROSS_PATH = 'm7 7 10 10M17 7 7 17';

const ICON_PATHS = {
  alert: '<path d="M12 4 2.8 20h18.4L12 4Z"/><path d="M12 10.5v4M12 17.2v.01"/>',
  back: '<path d="M9 6 4 11l5 5"/><path d="M4 11h10a6 6 0 0 1 6 6v1"/>',
  bank: '<path d="M3 10 12 4l9 6M5 10v8m4.7-8v8m4.6-8v8M19 10v8M3 20h18"/>',
  bolt: '<path d="M13 3 5 13.5h6L10 21l8-10.5h-6L13 3Z"/>',
  check: '<path d="m5 12.5 4.5 4.5L19 7.5"/>',
  chevron: '<path d="m9 6 6 6-6 6"/>',
  clock: '<circle cx="12" cy="12" r="8.5"/><path d="M12 7.5V12l3 2"/>',
  copy: '<rect x="8.5" y="8.5" width="12" height="12" rx="2.5"/><path d="M15.5 5V4.5a1 1 0 0 0-1-1H5a1.5 1.5 0 0 0-1.5 1.5v9.5a1 1 0 0 0 1 1H5"/>',
  cross: `<path d="${CROSS_PATH}"/>`,
  flask: `<path d="${FLASK_PATH}"/>`,
  key: '<circle cx="8" cy="15" r="4.5"/><path d="M11.2 11.8 20 3m-3.5 3.5L19 9m-5-.5 2 2"/>',
  link: '<path d="M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.7-5.7l-1 1"/><path d="M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.7 5.7l1-1"/>',
  lock: '<rect x="4" y="11" width="16" height="9" rx="2"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  minus: '<path d="M6 12h12"/>',
  out: '<path d="M7 17 17 7M9 7h8v8"/>',
  plug: '<path d="M9 3v5m6-5v5M6.5 8h11v3a5.5 5.5 0 0 1-11 0V8ZM12 16.5V21"/>',
  qr: '<rect x="3" y="3" width="7" height="7" rx="1.5"/><rect x="14" y="3" width="7" height="7" rx="1.5"/><rect x="3" y="14" width="7" height="7" rx="1.5"/><path d="M14 14h3v3M21 14v.01M14 21h3M21 18v3"/>',
  terminal: '<rect x="3" y="4.5" width="18" height="15" rx="2.5"/><path d="m7 9.5 3 2.5-3 2.5M12.5 15H17"/>',
} as const;
export type IconName = keyof typeof ICON_PATHS;

/** Decorative: always beside text. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${raw(ICON_PATHS[name])}</svg>`;
}

export const FAVICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#1d4ed8"/><g transform="translate(4 4)" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round">${ICON_PATHS.flask}</g></svg>`;
