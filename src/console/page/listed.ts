import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Listed } from '../../contract/merchant/console.js';
import { shortMoment } from '../../look/parts/format.js';
import { chip, type Content, turns } from '../../look/parts/parts.js';
import { amount } from './parts.js';
import { type Route, toRoute } from './route.js';
import type { Shell } from './screen.js';

/** One row of a list, with a link to its page. */
export interface Row {
  readonly id: string;
  readonly href: string;
  readonly main: string;
  /** A short description, shown before the date. */
  readonly about: string;
  readonly at: string;
  readonly sum?: string;
  readonly state: Content;
}

export function rowList({ language }: Shell, rows: readonly Row[]): Content {
  return html`<ul class="rows">
    ${repeat(
      rows,
      ({ id }) => id,
      ({ href, main, about, at, sum, state }) =>
        html`<li>
          <a href=${href}>
            <b class="main">${main}</b>
            <span class="meta">${about} · <time datetime=${at}>${shortMoment(at, language)}</time></span>
            ${sum === undefined ? nothing : html`<span class="sum">${sum}</span>`} ${state}
          </a>
        </li>`,
    )}
  </ul>`;
}

/** The API path of the list page that the route names. */
export function listPath(route: Route): string {
  const from = route.query.get('from');
  return from === null ? `/${route.section}` : `/${route.section}?from=${encodeURIComponent(from)}`;
}

interface Shown {
  readonly id: string;
  readonly amountInCents: number;
  readonly state: string;
  readonly createdAt: string;
}

/** A page of links or payouts, with its place in the list and links to the other pages. */
export function pagedList<Thing extends Shown>(
  { rows, from, pageSize, total }: Listed<Thing>,
  { section }: Route,
  shell: Shell,
  about: (row: Thing) => Pick<Row, 'main' | 'about'>,
): Content {
  const way = (to: number) => toRoute(section, '', { from: to > 0 ? String(to) : '' });
  return html`${rowList(
    shell,
    rows.map((row) => ({
      ...about(row),
      id: row.id,
      href: toRoute(section, row.id),
      at: row.createdAt,
      sum: amount(row.amountInCents, shell),
      state: chip(row.state, shell),
    })),
  )}
  ${turns(
    shell,
    { first: from + 1, last: from + rows.length, total },
    {
      newer: from > 0 ? way(from - pageSize) : null,
      older: from + rows.length < total ? way(from + pageSize) : null,
    },
  )}`;
}
