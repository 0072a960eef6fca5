import { html, type TemplateResult } from 'lit';
import type { Listed } from '../../../contract/merchant/console.js';
import type { PayoutView } from '../../../contract/merchant/payouts.js';
import { listPath, pagedList } from '../listed.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

/** What was sent, what waits to be confirmed, and what waits for its event. */
export class ConsolePayouts extends Screen<Listed<PayoutView>> {
  protected load(signal: AbortSignal): Promise<Listed<PayoutView>> {
    return this.shell.api.get(listPath(this.route), signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const create = html`<a class="button" href=${toRoute('payouts', 'new')}>${words.payouts.create}</a>`;
    return html`${heading(words.sections.payouts, words.payouts.lead, create)}
    ${this.answered((data) => this.#list(data))}`;
  }

  #list(listed: Listed<PayoutView>): Content {
    const { shell, route } = this;
    const { words } = shell;
    if (listed.total === 0) return empty(words.payouts.empty, words.payouts.emptyHint);
    return pagedList(listed, route, shell, ({ receiver, reference }) => ({
      main: receiver.name,
      about: `${reference} · ${receiver.bank ?? receiver.key}`,
    }));
  }
}
