import { html, nothing, type TemplateResult } from 'lit';
import type { LinkView } from '../../../contract/merchant/console.js';
import { webAddress } from '../../../look/parts/format.js';
import { type Content, heading } from '../../../look/parts/parts.js';
import { qrPicture } from './qr.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';
import { posterWords } from '../words/payer.js';

/** A payment link as a sheet for the counter, to print. What can no longer be paid is no longer shown. */
export class ConsoleLinkPoster extends Screen<LinkView> {
  protected load(signal: AbortSignal): Promise<LinkView> {
    return this.shell.api.get(`/links/${encodeURIComponent(this.route.id)}`, signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const link = this.data;
    const address = link?.state === 'PENDING' ? webAddress(link.url) : null;
    const print = html`<button class="button" type="button" @click=${() => window.print()}>
      ${words.links.print}
    </button>`;
    return html`<a class="back" href=${toRoute('links', this.route.id)}
        >← ${words.links.detail} ${link?.reference ?? ''}</a
      >
      ${heading(words.links.poster, words.links.posterLead, address === null ? nothing : print)}
      ${this.answered((shown) =>
        address === null
          ? html`<p class="panel" role="status">${words.links.states[shown.state]}</p>`
          : this.#sheet(shown, address),
      )}`;
  }

  #sheet(link: LinkView, address: string): Content {
    const words = posterWords({ link, merchant: this.shell.merchant });
    const { source, side } = qrPicture(address, 340);
    return html`<article class="poster" lang="es-CO">
      <p class="merchant">${words.merchant}</p>
      ${link.concept === null ? nothing : html`<p class="concept">${link.concept}</p>`}
      <p class="sum">${words.sum}</p>
      <img src=${source} alt=${words.qr} width=${side} height=${side} />
      <p class="how">${words.how}</p>
      <p class="small">${words.reference}</p>
      <p class="small">${words.once}</p>
    </article>`;
  }
}
