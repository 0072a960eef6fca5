import { html, nothing, type TemplateResult } from 'lit';
import type { LogEvent, OrderDetail } from '../../../contract/console.js';
import type { NoticeView, OrderView, ReviewView } from '../../../contract/sales.js';
import { ApiError, type Problem } from '../api.js';
import { eventPanel, eventsAbout } from '../events.js';
import { moment } from '../../../look/parts/format.js';
import { chip, type Content, copyable, heading } from '../../../look/parts/parts.js';
import { amount, attemptList, named, pending, received, returnList, stale } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

interface Shown {
  readonly order: OrderDetail;
  readonly events: readonly LogEvent[];
}

/** One order for the person who must decide about it: what is open, what to do, and everything that happened. */
export class ConsoleOrder extends Screen<Shown> {
  static override properties = { ...Screen.properties, refused: { state: true } };
  declare protected refused: Problem | undefined;
  #busy = false;

  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const order = await api.get<OrderDetail>(`/orders/${encodeURIComponent(this.route.id)}`, signal);
    const ids = order.attempts.flatMap(({ payments }) => payments.map(({ serviceId }) => serviceId));
    return { order, events: await eventsAbout(this.shell, ids, signal) };
  }

  async #send(path: 'handled' | 'repeat', body: object, said: string): Promise<void> {
    if (this.#busy) return;
    this.#busy = true;
    this.refused = undefined;
    try {
      await this.shell.api.send('POST', `/orders/${encodeURIComponent(this.route.id)}/${path}`, body);
      this.shell.announce(said);
      // The pressed button may be gone; the reader stays with the order.
      this.querySelector<HTMLElement>('h1')?.focus();
    } catch (error) {
      this.refused = error instanceof ApiError ? error.problem : 'failed';
    } finally {
      this.#busy = false;
      void this.refresh();
    }
  }

  readonly #handled = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const body = { item: String(data.get('item') ?? ''), note: String(data.get('note') ?? '') };
    void this.#send('handled', body, this.shell.words.review.handledDone);
  };

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href=${toRoute('review')}>← ${words.sections.review}</a>
      ${heading(`${words.orders.detail} ${this.route.id}`, this.data?.order.description ?? nothing)}
      ${stale(this.shell, this.data && this.problem)}
      ${
        this.refused === undefined
          ? nothing
          : html`<p class="trouble" role="alert">${words.problems[this.refused]}</p>`
      }
      ${this.data ? this.#detail(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #detail({ order, events }: Shown): Content {
    const { shell } = this;
    const { words } = shell;
    return html`${this.#money(order)} ${order.review.map((item) => this.#item(item, order.attempts))}
    ${attemptList(shell, order.attempts)} ${this.#notices(order.notices)}
    ${shell.has('webhooks') ? eventPanel(shell, words.orders.events, events) : nothing}
    ${this.#history(order)}`;
  }

  /** What came in of what it costs, what is missing, and what went back. */
  #money({ amountInCents, paidInCents, missingInCents, returns }: OrderDetail): Content {
    const { shell } = this;
    const { words } = shell;
    const returned = returns
      .filter(({ state }) => state === 'CONFIRMED')
      .reduce((sum, each) => sum + each.amountInCents, 0);
    return html`<section class="panel">
      <p class="bar" role="status">
        <span class="big">${received(shell, paidInCents, amountInCents)}</span>
        ${chip(paidInCents === 0 ? 'ABIERTO' : missingInCents > 0 ? 'OTRO_VALOR' : 'PAGADO', shell)}
        ${
          returned === 0
            ? nothing
            : html`<span class="chip care">${words.returns.returned(amount(returned, shell))}</span>`
        }
      </p>
      ${returnList(shell, returns)}
    </section>`;
  }

  #item({ key, kind, reference, since, detail }: ReviewView, attempts: OrderView['attempts']): Content {
    const { shell } = this;
    const { words, language } = shell;
    const about = words.review.kinds[kind];
    const isMoney = kind === 'duplicate' || kind === 'amount_mismatch' || kind === 'late';
    return html`<section class="panel">
      <h2>${about.name} <span class="chip care">${words.review.open}</span></h2>
      <p>${about.story}</p>
      <dl class="facts">
        <div>
          <dt>${words.facts.reference}</dt>
          <dd>${copyable(shell, words.facts.reference, reference)}</dd>
        </div>
        <div>
          <dt>${isMoney ? words.facts.amount : words.review.detail}</dt>
          <dd>${isMoney ? amount(Number(detail), shell) : detail}</dd>
        </div>
        <div>
          <dt>${words.review.sinceLabel}</dt>
          <dd>${moment(since, language)}</dd>
        </div>
      </dl>
      <p><b>${words.review.nextStep}</b> ${about.next}</p>
      ${this.#giveBack(kind, reference, attempts)}
      <form class="handled" @submit=${this.#handled}>
        <input type="hidden" name="item" .value=${key} />
        <div class="field">
          <label for=${`note-${key}`}>${words.review.note}</label>
          <input id=${`note-${key}`} name="note" maxlength="500" autocomplete="off" />
        </div>
        <button class="button" type="submit" aria-label=${`${words.review.handled}: ${about.name}`}>
          ${words.review.handled}
        </button>
      </form>
    </section>`;
  }

  /** Where the backend can send money, giving it back is a payout; of a known payin it comes filled in. */
  #giveBack(kind: ReviewView['kind'], reference: string, attempts: OrderView['attempts']): Content {
    const { shell } = this;
    const isOwed = kind === 'duplicate' || kind === 'amount_mismatch' || kind === 'late';
    if (!isOwed || !shell.has('payouts')) return nothing;
    const payin = attempts
      .filter((attempt) => attempt.kind === 'PAYIN')
      .flatMap(({ payments }) => payments)
      .find((payment) => payment.reference === reference)?.serviceId;
    const form = toRoute('payouts', 'new', { payin: payin ?? '' });
    return html`<p><a class="button plain" href=${form}>${shell.words.returns.giveBack}</a></p>`;
  }

  #notices(notices: readonly NoticeView[]): Content {
    const { words, language } = this.shell;
    if (notices.length === 0) return nothing;
    return html`<section class="panel">
      <h2>${words.review.notices}</h2>
      <ul class="plain-list">
        ${notices.map(
          ({ key, hook, deliveredAt, tries }) =>
            html`<li class="bar">
              <b>${hook}</b>
              <span class="hint"
                >${deliveredAt === null ? words.review.waiting(tries) : moment(deliveredAt, language)}</span
              >
              <button
                class="button plain small"
                type="button"
                aria-label=${`${words.review.repeat}: ${hook}`}
                @click=${() => void this.#send('repeat', { notice: key }, words.review.repeated)}
              >
                ${words.review.repeat}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
  }

  #history({ history }: OrderView): Content {
    const { shell } = this;
    const { words, language } = shell;
    return html`<section class="panel">
      <h2>${words.review.history}</h2>
      <ol class="steps">
        ${[...history].reverse().map(
          (entry) =>
            html`<li>
              <b>${named(entry.event, words.review.events)}</b>
              <time datetime=${entry.at}>${moment(entry.at, language)}</time>
              ${
                entry.confirmedAmountInCents === undefined
                  ? nothing
                  : html`<span>${amount(entry.confirmedAmountInCents, shell)}</span>`
              }
              ${entry.note === undefined ? nothing : html`<p>«${entry.note}»</p>`}
            </li>`,
        )}
      </ol>
    </section>`;
  }
}
