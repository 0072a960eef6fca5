import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Listed } from '../contract/console.js';
import { amount, chip, type Content } from './parts.js';
import { type Route, toRoute } from './route.js';
import type { Shell } from './screen.js';

/** How many more rows one press shows. */
const STEP = 100;

/** The address of a list, with as many rows as the reader has asked for. */
export function listPath(route: Route): string {
  const most = route.query.get('most');
  return most === null ? `/${route.section}` : `/${route.section}?most=${encodeURIComponent(most)}`;
}

interface ListRow {
  readonly id: string;
  readonly amountInCents: number;
  readonly state: string;
}

/** The rows of a list, each leading to its own page, with what the caller says of it before its sum and state. */
export function rowList<Row extends ListRow>(
  listed: Listed<Row>,
  route: Route,
  shell: Shell,
  about: (row: Row) => Content,
): Content {
  return html`<ul class="rows">
      ${repeat(
        listed.rows,
        ({ id }) => id,
        (row) =>
          html`<li>
            <a href=${toRoute(route.section, row.id)}>
              ${about(row)}
              <span class="sum">${amount(row.amountInCents, shell)}</span>
              ${chip(row.state, shell)}
            </a>
          </li>`,
      )}
    </ul>
    ${moreBelow(listed, route, shell)}`;
}

/** Below a list that is not all there is: how much of it is shown, and the way to more. */
function moreBelow({ rows, total }: Listed<unknown>, route: Route, { words }: Shell): Content {
  if (rows.length >= total) return nothing;
  return html`<div class="turns">
    <span role="status">${words.someOf(rows.length, total)}</span>
    <a class="button plain" href=${toRoute(route.section, '', { most: String(rows.length + STEP) })}
      >${words.more}</a
    >
  </div>`;
}
