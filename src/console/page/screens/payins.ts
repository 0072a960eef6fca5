import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { live } from 'lit/directives/live.js';
import { PAYIN_FILTERS, type PayinPage, type PayinRow, RAIL_NAMES } from '../../../contract/console.js';
import { shortMoment } from '../../../look/parts/format.js';
import { chip, type Content, empty, heading } from '../../../look/parts/parts.js';
import { isOtherSum, pending, rail, received, stale } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

const FILTERS = ['status', 'rail', 'q'] as const;

/**
 * The list of payins. A page that was reached by a cursor stays where it is; the first one keeps its end and takes what
 * arrives on top, so that going on to older ones neither skips nor repeats any.
 */
export class ConsolePayins extends Screen<PayinPage> {
  /** The filter that `data` answers. */
  #answered = '';

  protected async load(signal: AbortSignal): Promise<PayinPage> {
    const { query } = this.route;
    const filter = this.#filter();
    const key = JSON.stringify(filter);
    const asked = new URLSearchParams(query);
    const before = this.#answered === key ? this.data : undefined;
    const isHead = !query.has('cursor');
    const through = isHead ? before?.through : undefined;
    if (through) asked.set('through', through);
    const page = await this.shell.api.get<PayinPage>(`/payins?${asked.toString()}`, signal);
    this.#answered = isHead ? key : '';
    if (!before || !through || page.through !== through) return page;
    return { ...page, older: before.older, partial: before.partial };
  }

  #filter(): Record<string, string> {
    return Object.fromEntries(FILTERS.map((name) => [name, this.route.query.get(name) ?? '']));
  }

  #isFiltered(): boolean {
    return FILTERS.some((name) => (this.route.query.get(name) ?? '') !== '');
  }

  readonly #apply = (event: Event): void => {
    event.preventDefault();
    const form = new FormData((event.currentTarget as HTMLElement).closest('form') ?? undefined);
    const query = Object.fromEntries(FILTERS.map((name) => [name, String(form.get(name) ?? '').trim()]));
    this.shell.go(toRoute('payins', '', query), 'quiet');
  };

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const { data } = this;
    return html`${heading(words.sections.payins, words.payins.lead)} ${this.#form()}
      ${stale(this.shell, data && this.problem)}
      ${data ? this.#page(data) : pending(this.shell, this.problem, () => void this.refresh())}
      <console-health .shell=${this.shell} .route=${this.route} .pulse=${this.pulse}></console-health>`;
  }

  #form(): Content {
    const { words } = this.shell;
    const value = (name: string) => this.route.query.get(name) ?? '';
    const option = (name: string, choice: string, label: string) =>
      html`<option value=${choice} ?selected=${value(name) === choice}>${label}</option>`;
    return html`<form class="filters" role="search" aria-label=${words.payins.filters} @submit=${this.#apply}>
      <label
        >${words.facts.status}
        <select name="status" @change=${this.#apply}>
          ${option('status', '', words.all)}
          ${PAYIN_FILTERS.map((status) => option('status', status, words.statuses[status] ?? status))}
        </select>
      </label>
      <label
        >${words.facts.rail}
        <select name="rail" @change=${this.#apply}>
          ${option('rail', '', words.all)}
          ${RAIL_NAMES.map((name) => option('rail', name, rail(name, this.shell)))}
        </select>
      </label>
      <label class="grow"
        >${words.facts.reference}
        <input
          name="q"
          type="search"
          maxlength="128"
          autocomplete="off"
          spellcheck="false"
          .value=${live(value('q'))}
        />
      </label>
      <button class="button plain" type="submit">${words.payins.apply}</button>
      ${this.#isFiltered() ? html`<a class="button plain" href="#/payins">${words.payins.clear}</a>` : nothing}
    </form>`;
  }

  #page(page: PayinPage): Content {
    const { words, siteUrl } = this.shell;
    const filtered = this.#isFiltered();
    if (page.rows.length === 0 && !filtered && page.newer === null && page.older === null) {
      const shop =
        siteUrl === '' ? nothing : html`<a class="button" href=${siteUrl}>${words.payins.shop}</a>`;
      return empty(words.payins.empty, words.payins.emptyHint, shop);
    }
    return html`<p class="count" role="status">${words.payins.shown(page.rows.length, page.scanned)}</p>
      ${
        page.rows.length === 0
          ? empty(words.payins.noMatch, words.payins.noMatchHint)
          : html`<ul class="rows payins">
              ${repeat(
                page.rows,
                ({ id }) => id,
                (row) => this.#row(row),
              )}
            </ul>`
      }
      ${this.#turns(page)}`;
  }

  #row(row: PayinRow): Content {
    const { shell } = this;
    return html`<li>
      <a href=${toRoute('payins', row.id)}>
        <b class="main">${row.reference}</b>
        <span class="meta"
          >${rail(row.rail, shell)}${row.fromLink ? ` · ${shell.words.payins.fromLink}` : ''} ·
          <time datetime=${row.createdAt}>${shortMoment(row.createdAt, shell.language)}</time></span
        >
        <span class="sum">${received(shell, row.confirmedAmountInCents ?? 0, row.amountInCents ?? 0)}</span>
        ${chip(isOtherSum(row) ? 'OTRO_VALOR' : row.status, shell)}
      </a>
    </li>`;
  }

  #turns({ newer, older }: PayinPage): Content {
    const { words } = this.shell;
    const filter = this.#filter();
    const turn = (direction: 'newer' | 'older', cursor: string | null) =>
      cursor === null
        ? html`<span class="button plain" aria-disabled="true">${words[direction]}</span>`
        : html`<a
            class="button plain"
            rel=${direction === 'older' ? 'next' : 'prev'}
            href=${toRoute('payins', '', { ...filter, direction, cursor })}
            >${words[direction]}</a
          >`;
    const isHead = !this.route.query.has('cursor');
    if (isHead && older === null) return nothing;
    return html`<nav class="turns" aria-label=${words.pages}>
      ${turn('newer', isHead ? null : newer)} ${turn('older', older)}
      ${isHead ? nothing : html`<a href=${toRoute('payins', '', filter)}>${words.payins.newest}</a>`}
    </nav>`;
  }
}
