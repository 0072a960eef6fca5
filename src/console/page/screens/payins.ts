import { html, nothing, type TemplateResult } from 'lit';
import {
  PAYIN_FILTERS,
  type PayinPage,
  type PayinRow,
  RAIL_NAMES,
} from '../../../contract/merchant/console.js';
import { chip, type Content, empty, heading } from '../../../look/parts/parts.js';
import { filterForm } from '../filters.js';
import { type Row, rowList } from '../listed.js';
import { isOtherSum, rail, received } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

const FILTERS = ['status', 'rail', 'q'] as const;

/** The service's own list of payins, newest first. */
export class ConsolePayins extends Screen<PayinPage> {
  protected load(signal: AbortSignal): Promise<PayinPage> {
    return this.shell.api.get(`/payins?${this.route.query.toString()}`, signal);
  }

  #filter(): Record<string, string> {
    return Object.fromEntries(FILTERS.map((name) => [name, this.route.query.get(name) ?? '']));
  }

  #isFiltered(): boolean {
    return FILTERS.some((name) => (this.route.query.get(name) ?? '') !== '');
  }

  protected override render(): TemplateResult {
    const { shell, route } = this;
    const { words } = shell;
    const statuses = PAYIN_FILTERS.map((status) => [status, words.statuses[status] ?? status] as const);
    const filters = [
      { name: 'status', label: words.facts.status, options: statuses },
      {
        name: 'rail',
        label: words.facts.rail,
        options: RAIL_NAMES.map((name) => [name, rail(name, shell)] as const),
      },
      { name: 'q', label: words.facts.reference },
    ];
    return html`${heading(words.sections.payins, words.payins.lead)} ${filterForm(shell, route, filters)}
      ${this.answered((data) => this.#page(data))}
      <console-health .shell=${shell} .route=${route} .pulse=${this.pulse}></console-health>`;
  }

  #page(page: PayinPage): Content {
    const { words, siteUrl } = this.shell;
    const filtered = this.#isFiltered();
    const isAll = page.older === null && !this.route.query.has('cursor');
    if (page.rows.length === 0 && !filtered && isAll) {
      const shop =
        siteUrl === '' ? nothing : html`<a class="button" href=${siteUrl}>${words.payins.shop}</a>`;
      return empty(words.payins.empty, words.payins.emptyHint, shop);
    }
    return html`<p class="count" role="status">
        ${words.payins.shown(page.rows.length, page.scanned)}${filtered && isAll ? ` · ${words.payins.lookedAtAll}` : ''}
      </p>
      ${
        page.rows.length === 0
          ? empty(words.payins.noMatch, isAll ? words.payins.lookedAtAll : words.payins.noMatchHint)
          : rowList(
              this.shell,
              page.rows.map((row) => this.#row(row)),
            )
      }
      ${this.#turns(page)}`;
  }

  #row(row: PayinRow): Row {
    const { shell } = this;
    return {
      id: row.id,
      href: toRoute('payins', row.id),
      main: row.reference,
      about: [rail(row.rail, shell), row.fromLink && shell.words.payins.fromLink].filter(Boolean).join(' · '),
      at: row.createdAt,
      sum: received(shell, row.confirmedAmountInCents ?? 0, row.amountInCents ?? 0),
      state: chip(isOtherSum(row) ? 'OTRO_VALOR' : row.status, shell),
    };
  }

  #turns({ older }: PayinPage): Content {
    const { words } = this.shell;
    const filter = this.#filter();
    const isHead = !this.route.query.has('cursor');
    if (isHead && older === null) return nothing;
    return html`<nav class="turns" aria-label=${words.pages}>
      ${isHead ? nothing : html`<a href=${toRoute('payins', '', filter)}>${words.payins.newest}</a>`}
      ${
        older === null
          ? nothing
          : html`<a
              class="button plain"
              rel="next"
              href=${toRoute('payins', '', { ...filter, cursor: older })}
              >${words.older}</a
            >`
      }
    </nav>`;
  }
}
