import { html, nothing, type TemplateResult } from 'lit';
import type { Listed, LogEvent, OrderDetail, OrderNotice, OrderRow } from '../../../contract/console.js';
import { eventPanel, eventsAbout } from '../events.js';
import { moment, shortMoment } from '../../../look/parts/format.js';
import { listPath, rowList } from '../listed.js';
import { chip, type Content, empty, copyable, heading } from '../../../look/parts/parts.js';
import { amount, attemptList, facts, paymentLine, pending, rail, returnList, stale } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

/** The shop's orders, newest first. */
export class ConsoleOrders extends Screen<Listed<OrderRow>> {
  protected load(signal: AbortSignal): Promise<Listed<OrderRow>> {
    return this.shell.api.get(listPath(this.route), signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.sections.orders, words.orders.lead)}
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#list(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #list(listed: Listed<OrderRow>): Content {
    const { shell, route } = this;
    const { words, language, siteUrl } = shell;
    if (listed.total === 0) {
      const shop = html`<a class="button" href=${`${siteUrl}/shop/`}>${words.payins.shop}</a>`;
      return empty(words.orders.empty, words.orders.emptyHint, shop);
    }
    return rowList(
      listed,
      route,
      shell,
      (order) =>
        html`<b class="main">${order.id} · ${order.description}</b>
          <span class="meta"
            >${words.orders.noticeCount(order.notices)} ·
            <time datetime=${order.createdAt}>${shortMoment(order.createdAt, language)}</time>${
              order.duplicates > 0 ? ` · ${words.orders.duplicates(order.duplicates)}` : ''
            }${
              order.returnedInCents > 0
                ? ` · ${words.returns.returned(amount(order.returnedInCents, shell))}`
                : ''
            }</span
          >`,
    );
  }
}

interface Shown {
  readonly order: OrderDetail;
  readonly events: readonly LogEvent[];
}

/** One order, with every try to pay it, every notice that the kit's hooks handed to the shop, and its webhooks. */
export class ConsoleOrder extends Screen<Shown> {
  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const order = await api.get<OrderDetail>(`/orders/${encodeURIComponent(this.route.id)}`, signal);
    const ids = order.attempts.flatMap(({ payments }) => payments.map(({ serviceId }) => serviceId));
    return { order, events: await eventsAbout(this.shell, ids, signal) };
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/orders">← ${words.sections.orders}</a>
      ${heading(`${words.orders.detail} ${this.route.id}`)} ${stale(this.shell, this.data && this.problem)}
      ${this.data ? this.#detail(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #detail({ order, events }: Shown): Content {
    const { shell } = this;
    const { words, language } = shell;
    return html`<section class="panel">
        <p class="bar" role="status">
          <span class="big">${amount(order.amountInCents, shell)}</span> ${chip(order.state, shell)}
          ${
            order.duplicates > 0
              ? html`<span class="sentence">${words.orders.duplicates(order.duplicates)}</span>`
              : nothing
          }
          ${
            order.returnedInCents > 0
              ? html`<span class="chip care"
                  >${words.returns.returned(amount(order.returnedInCents, shell))}</span
                >`
              : nothing
          }
        </p>
        ${facts(shell, [
          ['order', copyable(shell, words.facts.order, order.id)],
          ['products', order.description],
          ['created', moment(order.createdAt, language)],
        ])}
        ${returnList(shell, order.returns)}
        ${
          order.attempts.length === 0
            ? nothing
            : html`<p><a href=${toRoute('review', order.id)}>${words.orders.story}</a></p>`
        }
      </section>
      ${order.attempts.length === 0 ? nothing : attemptList(shell, order.attempts)}
      <section class="panel">
        <h2>${words.review.notices}</h2>
        ${
          order.notices.length === 0
            ? html`<p class="hint">${words.orders.noNotices}</p>`
            : html`<ol class="notices">
                ${order.notices.map(
                  (notice) =>
                    html`<li>
                      <h3>
                        <code>${notice.hook}</code> ${chip(notice.status, shell)}
                        ${notice.late ? html`<span class="chip care">${words.orders.late}</span>` : nothing}
                      </h3>
                      ${facts(shell, [
                        [
                          'reference',
                          paymentLine(shell, subject(notice), notice.reference, notice.serviceId),
                        ],
                        ['rail', notice.rail === null ? null : rail(notice.rail, shell)],
                        ['amount', amount(notice.amountInCents, shell)],
                        ['confirmed', amount(notice.confirmedAmountInCents, shell)],
                        ['updated', moment(notice.at, language)],
                      ])}
                    </li>`,
                )}
              </ol>`
        }
      </section>
      ${eventPanel(shell, words.orders.events, events)}`;
  }
}

/** A notice about money names the payin that brought it, also when it was paid through a link. */
function subject({ kind, confirmedAmountInCents }: OrderNotice): OrderNotice['kind'] {
  return confirmedAmountInCents === null ? kind : 'PAYIN';
}
