import { html, nothing, type TemplateResult } from 'lit';
import type { LinkView, PayinPage } from '../../../contract/merchant/console.js';
import { moment, webAddress } from '../../../look/parts/format.js';
import { chip, type Content, copyable, heading } from '../../../look/parts/parts.js';
import { amount, facts, orderLine, rail, sandboxLine } from '../parts.js';
import { qrPicture } from './qr.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';
import { whatsAppAddress } from '../words/payer.js';

interface Shown {
  readonly link: LinkView;
  readonly payins: PayinPage | undefined;
}

/** One payment link: its address to copy, to send and to print, and what became of it. */
export class ConsoleLink extends Screen<Shown> {
  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const link = await api.get<LinkView>(`/links/${encodeURIComponent(this.route.id)}`, signal);
    if (link.serviceId === null) return { link, payins: undefined };
    // The link is shown even when its payins cannot be read.
    const payins = await api
      .get<PayinPage>(`/payins?link=${encodeURIComponent(link.serviceId)}`, signal)
      .catch(() => undefined);
    return { link, payins };
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/links">← ${words.sections.links}</a>
      ${heading(`${words.links.detail} ${this.data?.link.reference ?? ''}`, nothing, this.#another())}
      ${this.answered((data) => this.#detail(data))}`;
  }

  /** Only a link for no order can be made again: an order's link is made by the checkout. */
  #another(): Content {
    const { link } = this.data ?? {};
    if (!link || link.order !== null) return nothing;
    const isOver = link.state !== 'PENDING' && link.state !== 'CREATING';
    return html`<a class="button ${isOver ? '' : 'plain'}" href=${toRoute('links', 'new', { like: link.id })}
      >${this.shell.words.links.another}</a
    >`;
  }

  #detail({ link, payins }: Shown): Content {
    const { shell } = this;
    const { words, language } = shell;
    const at = (text: string | null) => (text === null ? null : moment(text, language));
    const address = webAddress(link.url);
    return html`<section class="panel">
        <p class="bar" role="status">
          <span class="big">${amount(link.amountInCents, shell)}</span> ${chip(link.state, shell)}
          <span class="sentence">${words.links.states[link.state]}</span>
        </p>
        ${address !== null && link.state === 'PENDING' ? this.#share(link, address) : nothing}
        ${facts(shell, [
          ['reference', copyable(shell, words.facts.reference, link.reference)],
          ['concept', link.concept],
          ['order', orderLine(shell, link.order)],
          ['flow', words.links.flows[link.flow]],
          ['rail', link.rail === null ? null : rail(link.rail, shell)],
          ['bank', link.bank],
          ['payer', link.customer],
          ['created', at(link.createdAt)],
          ['expires', at(link.expiresAt)],
          ['completed', at(link.completedAt)],
          ['serviceId', copyable(shell, words.facts.serviceId, link.serviceId)],
        ])}
        ${sandboxLine(shell, 'links', link.serviceId)}
      </section>
      ${this.#payins(link, payins)} ${this.#note(link)}`;
  }

  #share(link: LinkView, address: string): Content {
    const { shell } = this;
    const { words, merchant } = shell;
    const { source, side } = qrPicture(address, 200);
    const chat = whatsAppAddress({ link, merchant, address });
    return html`<div class="share">
      <figure>
        <img src=${source} alt=${words.links.qr} width=${side} height=${side} />
        <figcaption class="hint">${words.links.qrHint}</figcaption>
      </figure>
      <div>
        <h2>${words.links.address}</h2>
        <p class="address">${copyable(shell, words.links.address, address)}</p>
        <p class="bar">
          <a class="button" href=${chat} target="_blank" rel="noopener noreferrer">${words.links.whatsApp}</a>
          <a class="button plain" href=${toRoute('links', link.id, { view: 'poster' })}
            >${words.links.poster}</a
          >
          <a class="button plain" href=${address} target="_blank" rel="noopener">${words.links.open}</a>
        </p>
      </div>
    </div>`;
  }

  /** Only a link for no order has a note. */
  #note({ id, note, order }: LinkView): Content {
    return order === null
      ? html`<console-note
          .shell=${this.shell}
          .path=${`/links/${encodeURIComponent(id)}/note`}
          .note=${note}
        ></console-note>`
      : nothing;
  }

  #payins({ reference }: LinkView, page: PayinPage | undefined): Content {
    const { shell } = this;
    const { words, language } = shell;
    if (page === undefined) return nothing;
    return html`<section class="panel">
      <h2>${words.links.payins}</h2>
      ${
        page.rows.length === 0
          ? html`<p class="hint">${words.links.noPayins}</p>`
          : html`<ul class="plain-list">
              ${page.rows.map(
                (payin) =>
                  html`<li class="bar">
                    <a href=${toRoute('payins', payin.id)}
                      >${words.payins.detail} ${rail(payin.rail, shell)}</a
                    >
                    ${amount(payin.amountInCents, shell)} ${chip(payin.status, shell)}
                    <time datetime=${payin.createdAt}>${moment(payin.createdAt, language)}</time>
                  </li>`,
              )}
            </ul>`
      }
      ${
        page.older === null
          ? nothing
          : html`<p>
              <a href=${toRoute('payins', '', { q: reference, cursor: page.older })}
                >${words.links.olderPayins}</a
              >
            </p>`
      }
    </section>`;
  }
}
