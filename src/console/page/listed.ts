import { html } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Listed } from '../../contract/console.js';
import { chip, type Content, turns } from '../../look/parts/parts.js';
import { amount } from './parts.js';
import { type Route, toRoute } from './route.js';
import type { Shell } from './screen.js';

/** The address of the page of a list that the reader has turned to. */
export function listPath(route: Route): string {
  const from = route.query.get('from');
  return from === null ? `/${route.section}` : `/${route.section}?from=${encodeURIComponent(from)}`;
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
    ${pages(listed, route, shell)}`;
}

/** Below a list that is not all there is: which part of it is shown, and the ways to the rest. */
function pages({ rows, from, pageSize, total }: Listed<unknown>, route: Route, shell: Shell): Content {
  const way = (to: number) => toRoute(route.section, '', { from: to > 0 ? String(to) : '' });
  return turns(
    shell,
    { first: from + 1, last: from + rows.length, total },
    {
      newer: from > 0 ? way(from - pageSize) : null,
      older: from + rows.length < total ? way(from + pageSize) : null,
    },
  );
}
