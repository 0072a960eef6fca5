import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { OrderDetail } from '../../../contract/merchant/console.js';
import { LONGEST_NOTE } from '../../../contract/merchant/payouts.js';
import type { NoticeView, OrderView, ReviewView } from '../../../contract/merchant/sales.js';
import { moment } from '../../../look/parts/format.js';
import { chip, type Content, copyable, factList, heading } from '../../../look/parts/parts.js';
import { amount, attemptList, named, received, returnList } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

/** One order for the person who must decide about it: what is open, what to do, and everything that happened. */
export class ConsoleOrder extends Screen<OrderDetail> {
  protected load(signal: AbortSignal): Promise<OrderDetail> {
    return this.shell.api.get(`/orders/${encodeURIComponent(this.route.id)}`, signal);
  }

  async #change(path: 'handled' | 'reopen' | 'repeat', body: object, said: string): Promise<void> {
    if (!(await this.send('POST', `/orders/${encodeURIComponent(this.route.id)}/${path}`, body))) return;
    this.shell.announce(said);
    // The pressed button may be gone, and the focus with it.
    this.querySelector<HTMLElement>('h1')?.focus();
  }

  readonly #handled = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const { value: anyway = '' } = (event.submitter ?? {}) as Partial<HTMLButtonElement>;
    const note = [anyway, String(data.get('note') ?? '')].filter(Boolean).join(' ');
    const body = { item: String(data.get('item') ?? ''), note };
    void this.#change('handled', body, this.shell.words.review.handledDone);
  };

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href=${toRoute('attempts')}>← ${words.groups.sales}</a>
      ${heading(`${words.orders.detail} ${this.route.id}`, this.data?.description ?? nothing)}
      ${this.answered((data) => this.#detail(data))}`;
  }

  #detail(order: OrderDetail): Content {
    const items = repeat(
      order.review,
      ({ key }) => key,
      (item) => this.#item(item, order),
    );
    return html`${this.#money(order)} ${items} ${this.#done(order.handled)}
    ${attemptList(this.shell, order.attempts)} ${this.#notices(order.notices)} ${this.#history(order)}`;
  }

  /** What came in, what is missing of the price, and what went back. */
  #money({ amountInCents, paidInCents, missingInCents, returns }: OrderDetail): Content {
    const { shell } = this;
    const { words } = shell;
    const returned = returns
      .filter(({ state }) => state === 'CONFIRMED')
      .reduce((sum, each) => sum + each.amountInCents, 0);
    const came = returned === 0 ? received(shell, paidInCents, amountInCents) : amount(paidInCents, shell);
    const [back, left] = [amount(returned, shell), amount(paidInCents - returned, shell)];
    return html`<section class="panel">
      <p class="bar" role="status">
        <span class="big">${came}</span>
        ${chip(paidInCents === 0 ? 'ABIERTO' : missingInCents > 0 ? 'OTRO_VALOR' : 'PAGADO', shell)}
        ${returned === 0 ? nothing : html`<span class="chip care">${words.overview.returned(back, left)}</span>`}
      </p>
      ${returnList(shell, returns)}
    </section>`;
  }

  #item(item: ReviewView, order: OrderDetail): Content {
    const { shell } = this;
    const { words, language } = shell;
    const { key, kind, reference, since, detail } = item;
    const about = words.review.kinds[kind];
    const isReturned = this.#isReturned(item, order);
    return html`<section class="panel">
      <h2>
        ${isReturned ? words.review.returned : about.name}
        <span class="chip ${isReturned ? 'good' : 'care'}">${words.review.open}</span>
      </h2>
      <p>${this.#story(item, order)}</p>
      <p><b>${words.review.nextStep}</b> ${isReturned ? words.review.closeIt : about.next}</p>
      <form class="handled" @submit=${this.#handled}>
        <input type="hidden" name="item" .value=${key} />
        <p class="bar">${isReturned ? nothing : this.#advice(item, order)}</p>
        <div class="field">
          <label for=${`note-${key}`}>${words.review.note}</label>
          <input id=${`note-${key}`} name="note" maxlength=${LONGEST_NOTE} autocomplete="off" />
        </div>
        <button
          class="button ${isReturned || !ADVISED.includes(kind) ? '' : 'plain'}"
          type="submit"
          aria-label=${`${words.review.handled}: ${about.name}`}
        >
          ${words.review.handled}
        </button>
      </form>
      ${factList([
        [words.facts.reference, copyable(shell, words.facts.reference, reference)],
        [words.review.sinceLabel, html`<span title=${detail}>${moment(since, language)}</span>`],
      ])}
    </section>`;
  }

  /** What happened, with its amounts. */
  #story({ kind, detail }: ReviewView, { amountInCents, missingInCents }: OrderDetail): string {
    const { shell } = this;
    const { review } = shell.words;
    const sum = amount(Number(detail), shell);
    switch (kind) {
      case 'amount_mismatch':
        return missingInCents > 0
          ? review.cameShort(sum, amount(amountInCents, shell), amount(missingInCents, shell))
          : review.cameOver(sum, amount(amountInCents, shell), amount(Number(detail) - amountInCents, shell));
      case 'duplicate':
        return review.cameTwice(sum);
      case 'late':
        return review.cameLate(sum);
      default:
        return review.kinds[kind].story;
    }
  }

  /** The buttons of an item. The advised action comes first and is filled. */
  #advice({ kind, detail, payment = '' }: ReviewView, order: OrderDetail): Content {
    const { shell } = this;
    const { review, returns } = shell.words;
    const deliver = (look: string) =>
      html`<button class="button ${look}" type="submit" name="anyway" value=${review.delivered}>
        ${review.deliver}
      </button>`;
    const giveBack = (look: string, label: string, cents?: number) => {
      const query = { payin: payment, ...(cents !== undefined && { cents: String(cents) }) };
      return html`<a class="button ${look}" href=${toRoute('payouts', 'new', query)}>${label}</a>`;
    };
    switch (kind) {
      case 'amount_mismatch': {
        const over = Number(detail) - order.amountInCents;
        if (order.missingInCents === 0) return giveBack('', returns.difference, over);
        const link = toRoute('links', 'new', { order: order.order });
        return html`<a class="button" href=${link}>${review.askForRest}</a> ${deliver('plain')}
          ${giveBack('plain', returns.giveBack)}`;
      }
      case 'duplicate':
        return giveBack('', returns.giveBack, Number(detail));
      case 'late':
        return html`${deliver('')} ${giveBack('plain', returns.giveBack)}`;
      default:
        return nothing;
    }
  }

  /** A repeated payment that was given back needs nothing more. */
  #isReturned({ kind, payment, detail }: ReviewView, { returns }: OrderDetail): boolean {
    const given = returns
      .filter((each) => each.state === 'CONFIRMED' && each.payment === payment)
      .reduce((sum, each) => sum + each.amountInCents, 0);
    return kind === 'duplicate' && given >= Number(detail);
  }

  #done(handled: readonly ReviewView[]): Content {
    const { words, language } = this.shell;
    if (handled.length === 0) return nothing;
    return html`<section class="panel">
      <h2>${words.review.done}</h2>
      <ul class="plain-list">
        ${handled.map(
          ({ key, kind, since }) =>
            html`<li class="bar">
              <b>${words.review.kinds[kind].name}</b>
              <span class="hint">${moment(since, language)}</span>
              <button
                class="button plain small"
                type="button"
                aria-label=${`${words.review.reopen}: ${words.review.kinds[kind].name}`}
                @click=${() => void this.#change('reopen', { item: key }, words.review.reopened)}
              >
                ${words.review.reopen}
              </button>
            </li>`,
        )}
      </ul>
    </section>`;
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
              <b title=${hook}>${named(hook, words.review.hooks)}</b>
              <span class="hint"
                >${deliveredAt === null ? words.review.waiting(tries) : moment(deliveredAt, language)}</span
              >
              <button
                class="button plain small"
                type="button"
                aria-label=${`${words.review.repeat}: ${named(hook, words.review.hooks)}`}
                @click=${() => void this.#change('repeat', { notice: key }, words.review.repeated)}
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

/** Kinds whose advised action is not just to mark them as resolved. */
const ADVISED: readonly ReviewView['kind'][] = ['amount_mismatch', 'duplicate', 'late'];
