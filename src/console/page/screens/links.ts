import { html, type TemplateResult } from 'lit';
import type { LinkView, Listed } from '../../../contract/console.js';
import { shortMoment } from '../../../look/parts/format.js';
import { listPath, rowList } from '../listed.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { pending, stale } from '../parts.js';
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
    const { words, language } = shell;
    if (listed.total === 0) return empty(words.links.empty, words.links.emptyHint);
    return rowList(
      listed,
      route,
      shell,
      (link) =>
        html`<b class="main">${link.reference}</b>
          <span class="meta"
            >${link.concept ?? words.links.flows[link.flow]} ·
            <time datetime=${link.createdAt}>${shortMoment(link.createdAt, language)}</time></span
          >`,
    );
  }
}
