import { html, type TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { Listed, PayoutView } from '../../contract/console.js';
import { shortMoment } from '../format.js';
import { listPath, moreBelow } from '../listed.js';
import { amount, chip, type Content, empty, heading, pending, stale } from '../parts.js';
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
    const { rows: payouts } = listed;
    const { words, language } = shell;
    if (payouts.length === 0) return empty(words.payouts.empty, words.payouts.emptyHint);
    return html`<ul class="rows">
        ${repeat(
          payouts,
          ({ id }) => id,
          (payout) =>
            html`<li>
              <a href=${toRoute('payouts', payout.id)}>
                <b class="main">${payout.receiver.name}</b>
                <span class="meta"
                  >${payout.reference} · ${payout.receiver.bank ?? payout.receiver.key} ·
                  <time datetime=${payout.createdAt}>${shortMoment(payout.createdAt, language)}</time></span
                >
                <span class="sum">${amount(payout.amountInCents, shell)}</span>
                ${chip(payout.state, shell)}
              </a>
            </li>`,
        )}
      </ul>
      ${moreBelow(listed, route, shell)}`;
  }
}
