import { html, nothing, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { OrderDetail, OrderRow } from '../../contract/console.js';
import { moment, shortMoment } from '../format.js';
import {
  amount,
  chip,
  type Content,
  empty,
  facts,
  heading,
  pending,
  rail,
  returnList,
  stale,
} from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

/** The shop's orders, newest first. */
export class ConsoleOrders extends Screen<readonly OrderRow[]> {
  protected load(signal: AbortSignal): Promise<readonly OrderRow[]> {
    return this.shell.api.get('/orders', signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`${heading(words.sections.orders, words.orders.lead)}
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#list(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #list(orders: readonly OrderRow[]): Content {
    const { shell } = this;
    const { words, language, siteUrl } = shell;
    if (orders.length === 0) {
      const shop = html`<a class="button" href=${`${siteUrl}/shop/`}>${words.payins.shop}</a>`;
      return empty(words.orders.empty, words.orders.emptyHint, shop);
    }
    return html`<ul class="rows">
      ${repeat(
        orders,
        ({ id }) => id,
        (order) =>
          html`<li>
            <a href=${toRoute('orders', order.id)}>
              <b class="main">${order.id} · ${order.description}</b>
              <span class="meta"
                >${words.orders.noticeCount(order.notices)} ·
                <time datetime=${order.createdAt}>${shortMoment(order.createdAt, language)}</time>${
                  order.duplicates > 0 ? ` · ${words.orders.duplicates(order.duplicates)}` : ''
                }${
                  order.returnedInCents > 0
                    ? ` · ${words.returns.returned(amount(order.returnedInCents, shell))}`
                    : ''
                }</span
              >
              <span class="sum">${amount(order.amountInCents, shell)}</span>
              ${chip(order.state, shell)}
            </a>
          </li>`,
      )}
    </ul>`;
  }
}

/** One order, with every notice that the kit's hooks handed to the shop. */
export class ConsoleOrder extends Screen<OrderDetail> {
  protected load(signal: AbortSignal): Promise<OrderDetail> {
    return this.shell.api.get(`/orders/${encodeURIComponent(this.route.id)}`, signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/orders">← ${words.sections.orders}</a>
      ${heading(`${words.orders.detail} ${this.route.id}`)} ${stale(this.shell, this.data && this.problem)}
      ${this.data ? this.#detail(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #detail(order: OrderDetail): Content {
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
          ['products', order.description],
          ['created', moment(order.createdAt, language)],
        ])}
        ${returnList(shell, order.returns)}
      </section>
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
                          notice.payin === null
                            ? notice.reference
                            : html`<a href=${toRoute('payins', notice.payin)}>${notice.reference}</a>`,
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
      </section>`;
  }
}
