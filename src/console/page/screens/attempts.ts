import { html, nothing, type TemplateResult } from 'lit';
import type { AttemptListItem, AttemptListPage, AttemptTotals } from '../../../contract/sales.js';
import { count, money, shortMoment } from '../../../look/parts/format.js';
import { chip, type Content, empty, heading } from '../../../look/parts/parts.js';
import { reasonWords } from '../../../look/reasons.js';
import { pending, rail, received, stale } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown extends AttemptListPage {
  readonly totals: AttemptTotals;
}

const FILTERS = ['from', 'to', 'state', 'rail'] as const;
/** Where there is room the filters stand open. */
const WIDE = '(min-width: 48rem)';
const STATES = ['paid', 'open', 'declined', 'canceled'] as const;

/** Every try to pay an order, by date, method and state, with true counts and as a file for the accountant. */
export class ConsoleAttempts extends Screen<Shown> {
  protected load(signal: AbortSignal): Promise<Shown> {
    return this.shell.api.get(`/attempts?${this.#search('after')}`, signal);
  }

  #search(...more: readonly string[]): string {
    const { query } = this.route;
    const given = [...FILTERS, 'search', ...more].map((name) => [name, query.get(name) ?? ''] as const);
    return new URLSearchParams(given.filter(([, value]) => value !== '').map(([...pair]) => pair)).toString();
  }

  readonly #filter = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const wanted = Object.fromEntries(FILTERS.map((name) => [name, String(data.get(name) ?? '').trim()]));
    this.shell.go(toRoute('attempts', '', { ...wanted, search: this.route.query.get('search') ?? '' }));
  };

  protected override render(): TemplateResult {
    const { words, api } = this.shell;
    const download = html`<a
      class="button plain"
      href=${api.address(`/attempts.csv?${this.#search()}`)}
      download
      >${words.attempts.csv}</a
    >`;
    return html`${heading(words.groups.sales, words.attempts.lead, download)} ${this.#filters()}
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#list(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #filters(): Content {
    const { words } = this.shell;
    const value = (name: (typeof FILTERS)[number]) => this.route.query.get(name) ?? '';
    const choice = (name: 'state' | 'rail', label: string, options: readonly (readonly [string, string])[]) =>
      html`<div class="field">
        <label for=${`filter-${name}`}>${label}</label>
        <select id=${`filter-${name}`} name=${name}>
          <option value="" ?selected=${value(name) === ''}>${words.all}</option>
          ${options.map(
            ([each, text]) => html`<option value=${each} ?selected=${value(name) === each}>${text}</option>`,
          )}
        </select>
      </div>`;
    const input = (name: 'from' | 'to', label: string) =>
      html`<div class="field">
        <label for=${`filter-${name}`}>${label}</label>
        <input id=${`filter-${name}`} name=${name} type="date" .value=${value(name)} />
      </div>`;
    return html`<details
      class="fold"
      ?open=${matchMedia(WIDE).matches || FILTERS.some((name) => value(name) !== '')}
    >
      <summary>${words.attempts.filters}</summary>
      <form class="filters" role="search" aria-label=${words.attempts.filters} @submit=${this.#filter}>
        ${input('from', words.attempts.from)} ${input('to', words.attempts.to)}
        ${choice(
          'state',
          words.facts.status,
          STATES.map((state) => [state, words.attempts.states[state]] as const),
        )}
        ${choice(
          'rail',
          words.facts.rail,
          (['BRE_B', 'PSE', 'PAYMENT_LINK'] as const).map((each) => [each, rail(each, this.shell)] as const),
        )}
        <p class="bar">
          <button class="button" type="submit">${words.payins.apply}</button>
          ${
            this.#search() === ''
              ? nothing
              : html`<a class="button plain" href=${toRoute('attempts')}>${words.payins.clear}</a>`
          }
        </p>
      </form>
    </details>`;
  }

  /** Money that falls short is no plain success; why nothing came is said in words, with the code in a tooltip. */
  #state({ status, reason, paidInCents, amountInCents }: AttemptListItem): Content {
    const { shell } = this;
    if (paidInCents > 0 && paidInCents !== amountInCents) return chip('OTRO_VALOR', shell);
    if (reason === null || paidInCents > 0) return chip(status, shell);
    return html`<span class="state" title=${reason}
      >${chip(status, shell)} <small>${reasonWords(reason, shell.language)}</small></span
    >`;
  }

  #list({ attempts, next, totals }: Shown): Content {
    const { shell } = this;
    const { words, language } = shell;
    const search = this.route.query.get('search') ?? '';
    if (totals.count === 0 && search !== '') {
      const atService = html`<a class="button plain" href=${toRoute('payins', '', { q: search })}
        >${words.find.atService}</a
      >`;
      return empty(words.find.nothing(search), words.find.everywhere, atService);
    }
    if (totals.count === 0) return empty(words.attempts.empty, words.attempts.emptyHint);
    const query = Object.fromEntries(new URLSearchParams(this.#search()));
    return html`<p class="count" role="status">
        ${words.attempts.totals(
          count(totals.count, language),
          count(totals.paid, language),
          money(totals.paidInCents, language),
        )}
        ${search === '' ? nothing : `· ${words.find.found(search)}`}
      </p>
      <ul class="rows">
        ${attempts.map(
          (each) =>
            html`<li>
              <a href=${each.order === '' ? toRoute('payouts', each.id) : toRoute('orders', each.order)}>
                <b class="main">${each.order || each.reference}</b>
                <span class="meta"
                  >${rail(each.rail, shell)} · ${each.order === '' ? nothing : html`${each.reference} ·`}
                  <time datetime=${each.startedAt}>${shortMoment(each.startedAt, language)}</time></span
                >
                <span class="sum">${received(shell, each.paidInCents, each.amountInCents)}</span>
                ${this.#state(each)}
              </a>
            </li>`,
        )}
      </ul>
      ${
        next === null
          ? nothing
          : html`<p>
              <a class="button plain" href=${toRoute('attempts', '', { ...query, after: next })}
                >${words.older}</a
              >
            </p>`
      }`;
  }
}
