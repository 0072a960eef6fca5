import { html, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Listed } from '../../contract/merchant/console.js';
import { shortMoment } from '../../look/parts/format.js';
import { chip, type Content, turns } from '../../look/parts/parts.js';
import { amount } from './parts.js';
import { type Route, toRoute } from './route.js';
import type { Shell } from './screen.js';

/** One line of a list, which leads to the page of its thing. */
export interface Row {
  readonly id: string;
  readonly href: string;
  readonly main: string;
  /** What is said of it, before when it began. */
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

/** The address of the page of a list that the reader has turned to. */
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

/** A page of links or payouts, with which part of the list it is and the ways to the rest. */
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
