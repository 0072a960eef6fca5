import { html, type TemplateResult } from 'lit';
import type { Listed } from '../../../contract/console.js';
import type { PayoutView } from '../../../contract/payouts.js';
import { shortMoment } from '../../../look/parts/format.js';
import { listPath, rowList } from '../listed.js';
import { type Content, empty, heading } from '../../../look/parts/parts.js';
import { pending, stale } from '../parts.js';
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
    ${stale(this.shell, this.data && this.problem)}
    ${this.data ? this.#list(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #list(listed: Listed<PayoutView>): Content {
    const { shell, route } = this;
    const { words, language } = shell;
    if (listed.total === 0) return empty(words.payouts.empty, words.payouts.emptyHint);
    return rowList(
      listed,
      route,
      shell,
      (payout) =>
        html`<b class="main">${payout.receiver.name}</b>
          <span class="meta"
            >${payout.reference} · ${payout.receiver.bank ?? payout.receiver.key} ·
            <time datetime=${payout.createdAt}>${shortMoment(payout.createdAt, language)}</time></span
          >`,
    );
  }
}
