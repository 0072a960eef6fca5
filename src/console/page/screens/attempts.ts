import { html, nothing, type TemplateResult } from 'lit';
import type { AttemptListItem, AttemptListPage, AttemptTotals } from '../../../contract/merchant/sales.js';
import { count, money } from '../../../look/parts/format.js';
import { chip, type Content, empty, heading } from '../../../look/parts/parts.js';
import { reasonWords } from '../../../look/reasons.js';
import { filterForm } from '../filters.js';
import { rowList } from '../listed.js';
import { rail, received } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown extends AttemptListPage {
  readonly totals: AttemptTotals;
}

const ASKED = ['from', 'to', 'state', 'rail', 'search'] as const;
const STATES = ['paid', 'open', 'declined', 'canceled'] as const;
const RAILS = ['BRE_B', 'PSE', 'PAYMENT_LINK'] as const;

/** Every try to pay an order, by date, method and state, with true counts and as a file for the accountant. */
export class ConsoleAttempts extends Screen<Shown> {
  protected load(signal: AbortSignal): Promise<Shown> {
    return this.shell.api.get(`/attempts?${this.#query('after').toString()}`, signal);
  }

  #query(...more: readonly string[]): URLSearchParams {
    const given = [...this.route.query].filter(([name]) => [...ASKED, ...more].some((each) => each === name));
    return new URLSearchParams(given);
  }

  protected override render(): TemplateResult {
    const { shell, route } = this;
    const { words } = shell;
    const file = shell.api.address(`/attempts.csv?${this.#query().toString()}`);
    const download = html`<a class="button plain" href=${file} download>${words.attempts.csv}</a>`;
    const filters = [
      { name: 'from', label: words.attempts.from, type: 'date' },
      { name: 'to', label: words.attempts.to, type: 'date' },
      {
        name: 'state',
        label: words.facts.status,
        options: STATES.map((state) => [state, words.attempts.states[state]] as const),
      },
      {
        name: 'rail',
        label: words.facts.rail,
        options: RAILS.map((each) => [each, rail(each, shell)] as const),
      },
    ] as const;
    return html`${heading(words.groups.sales, words.attempts.lead, download)}
    ${filterForm(shell, { ...route, section: 'attempts' }, filters, ['search'])}
    ${this.answered((data) => this.#list(data))}`;
  }

  /** A short payment is never shown as plain success. A failure has its reason in words and its code in a tooltip. */
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
    const older = { ...Object.fromEntries(this.#query()), after: next ?? '' };
    return html`<p class="count" role="status">
        ${words.attempts.totals(
          count(totals.count, language),
          count(totals.paid, language),
          money(totals.paidInCents, language),
        )}
        ${search === '' ? nothing : `· ${words.find.found(search)}`}
      </p>
      ${rowList(
        shell,
        attempts.map((each) => ({
          id: each.id,
          href: each.order === '' ? toRoute('payouts', each.id) : toRoute('orders', each.order),
          main: each.order || each.reference,
          about: [rail(each.rail, shell), each.order && each.reference].filter(Boolean).join(' · '),
          at: each.startedAt,
          sum: received(shell, each.paidInCents, each.amountInCents),
          state: this.#state(each),
        })),
      )}
      ${
        next === null
          ? nothing
          : html`<p><a class="button plain" href=${toRoute('attempts', '', older)}>${words.older}</a></p>`
      }`;
  }
}
