import { html, type TemplateResult } from 'lit';
import type { LogEvent, PayinDetail } from '../../contract/console.js';
import { moment } from '../format.js';
import {
  amount,
  chip,
  documentText,
  eventList,
  facts,
  heading,
  named,
  pending,
  rail,
  stale,
} from '../parts.js';
import { Screen } from '../screen.js';

interface Shown {
  readonly payin: PayinDetail;
  readonly events: readonly LogEvent[];
}

/** One payin with all its data and events. */
export class ConsolePayin extends Screen<Shown> {
  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const id = encodeURIComponent(this.route.id);
    const [payin, events] = await Promise.all([
      api.get<PayinDetail>(`/payins/${id}`, signal),
      api.get<LogEvent[]>(`/events?about=${id}`, signal),
    ]);
    return { payin, events };
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/payins">← ${words.payins.title}</a>
      ${heading(`${words.payins.detail} ${this.data?.payin.reference ?? ''}`)}
      ${stale(this.shell, this.data && this.problem)}
      ${this.data ? this.#detail(this.data) : pending(this.shell, this.problem, () => void this.refresh())}`;
  }

  #detail({ payin, events }: Shown): TemplateResult {
    const { shell } = this;
    const { words, language, sandboxUrl } = shell;
    const at = (text: string | null) => (text === null ? null : moment(text, language));
    const { customer } = payin;
    return html`<section class="panel">
        <p class="bar" role="status">
          <span class="big">${amount(payin.amountInCents, shell)}</span> ${chip(payin.status, shell)}
        </p>
        ${facts(shell, [
          ['rail', rail(payin.rail, shell)],
          [
            'confirmed',
            payin.confirmedAmountInCents === null ? null : amount(payin.confirmedAmountInCents, shell),
          ],
          ['created', at(payin.createdAt)],
          ['updated', at(payin.updatedAt)],
          ['result', at(payin.resultAt)],
          ['settlement', named(payin.settlementStatus, words.settlements)],
          ['chargeback', at(payin.chargebackAt)],
          ['error', payin.errorCode],
          ['key', payin.key],
          ['keyType', named(payin.keyType, words.keyTypes)],
          ['bank', payin.bank],
          ['cus', payin.cus],
          ['link', payin.paymentLinkId],
          ['payer', customer?.name],
          ['document', documentText(customer?.document, shell)],
          ['phone', customer?.phone],
          ['email', customer?.email],
          ['serviceId', payin.id],
        ])}
        <p>
          <a href=${`${sandboxUrl}/_/?section=payins&open=${payin.id}`} target="_blank" rel="noopener"
            >${words.inSandbox}</a
          >
        </p>
      </section>
      <section class="panel">
        <h2>${words.payins.events}</h2>
        ${
          events.length > 0
            ? eventList(shell, events)
            : html`<p class="hint">
                ${payin.paymentLinkId === null ? words.payins.noEvents : words.payins.linkEvents}
              </p>`
        }
      </section>`;
  }
}
