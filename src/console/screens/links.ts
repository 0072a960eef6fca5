import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { LinkView, Listed } from '../../contract/console.js';
import { shortMoment } from '../format.js';
import { listPath, moreBelow } from '../listed.js';
import { amount, chip, type Content, empty, heading, pending, stale } from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

/** The payment links that were made here, with what became of each. */
export class ConsoleLinks extends Screen<Listed<LinkView>> {
  protected load(signal: AbortSignal): Promise<Listed<LinkView>> {
    return this.shell.api.get(listPath(this.route), signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const create = html`<a class="button" href=${toRoute('links', 'new')}>${words.links.create}</a>`;
    return html`${heading(words.sections.links, words.links.lead, create)}
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#list(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #list(listed: Listed<LinkView>): Content {
    const { shell, route } = this;
    const { rows: links } = listed;
    const { words, language } = shell;
    if (links.length === 0) return empty(words.links.empty, words.links.emptyHint);
    return html`<ul class="rows">
        ${repeat(
          links,
          ({ id }) => id,
          (link) =>
            html`<li>
              <a href=${toRoute('links', link.id)}>
                <b class="main">${link.reference}</b>
                <span class="meta"
                  >${link.concept ?? words.links.flows[link.flow]} ·
                  <time datetime=${link.createdAt}>${shortMoment(link.createdAt, language)}</time></span
                >
                <span class="sum">${amount(link.amountInCents, shell)}</span>
                ${chip(link.state, shell)}
              </a>
            </li>`,
        )}
      </ul>
      ${moreBelow(listed, route, shell)}`;
  }
}
