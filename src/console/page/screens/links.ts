import { html, type TemplateResult } from 'lit';
import type { LinkView, Listed } from '../../../contract/merchant/console.js';
import { listPath, pagedList } from '../listed.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
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
    ${this.answered((data) => this.#list(data))}`;
  }

  #list(listed: Listed<LinkView>): Content {
    const { shell, route } = this;
    const { words } = shell;
    if (listed.total === 0) return empty(words.links.empty, words.links.emptyHint);
    return pagedList(listed, route, shell, (link) => ({
      main: link.reference,
      about: link.concept ?? words.links.flows[link.flow],
    }));
  }
}
