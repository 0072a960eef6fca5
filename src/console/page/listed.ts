import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Listed } from '../../contract/merchant/console.js';
import { shortMoment } from '../../look/parts/format.js';
import { chip, type Content, empty, heading, turns } from '../../look/parts/parts.js';
import { amount } from './parts.js';
import { toRoute } from './route.js';
import { Screen, type Shell } from './screen.js';

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

interface Shown {
  readonly id: string;
  readonly amountInCents: number;
  readonly state: string;
  readonly createdAt: string;
}

/** A list of links or payouts, a page at a time: its place in the list, and links to the other pages. */
export abstract class PagedList<Thing extends Shown> extends Screen<Listed<Thing>> {
  protected abstract readonly section: 'links' | 'payouts';
  protected abstract about(row: Thing): Pick<Row, 'main' | 'about'>;

  protected load(signal: AbortSignal): Promise<Listed<Thing>> {
    const from = this.route.query.get('from') ?? '0';
    return this.shell.api.get(`/${this.section}?from=${encodeURIComponent(from)}`, signal);
  }

  protected override render(): TemplateResult {
    const { sections, [this.section]: words } = this.shell.words;
    const create = html`<a class="button" href=${toRoute(this.section, 'new')}>${words.create}</a>`;
    return html`${heading(sections[this.section], words.lead, create)}
    ${this.answered((data) => (data.total === 0 ? empty(words.empty, words.emptyHint) : this.#page(data)))}`;
  }

  #page({ rows, from, pageSize, total }: Listed<Thing>): Content {
    const { shell, section } = this;
    const way = (to: number) => toRoute(section, '', { from: to > 0 ? String(to) : '' });
    return html`${rowList(
      shell,
      rows.map((row) => ({
        ...this.about(row),
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
}
