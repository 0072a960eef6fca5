import { html, nothing } from 'lit';
import type { Listed } from '../contract/console.js';
import type { Content } from './parts.js';
import { type Route, toRoute } from './route.js';
import type { Shell } from './screen.js';

/** How many more rows one press shows. */
const STEP = 100;

/** The address of a list, with as many rows as the reader has asked for. */
export function listPath(route: Route): string {
  const most = route.query.get('most');
  return most === null ? `/${route.section}` : `/${route.section}?most=${encodeURIComponent(most)}`;
}

/** Below a list that is not all there is: how much of it is shown, and the way to more. */
export function moreBelow({ rows, total }: Listed<unknown>, route: Route, { words }: Shell): Content {
  if (rows.length >= total) return nothing;
  return html`<div class="turns">
    <span role="status">${words.someOf(rows.length, total)}</span>
    <a class="button plain" href=${toRoute(route.section, '', { most: String(rows.length + STEP) })}
      >${words.more}</a
    >
  </div>`;
}
