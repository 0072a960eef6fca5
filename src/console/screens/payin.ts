import { html, nothing, type TemplateResult } from 'lit';
import type { LogEvent, PayinDetail, PayinReturns } from '../../contract/console.js';
import { moment } from '../format.js';
import {
  amount,
  chip,
  type Content,
  documentText,
  eventList,
  facts,
  heading,
  named,
  pending,
  rail,
  returnList,
  stale,
} from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

type Payin = PayinDetail & PayinReturns;

interface Shown {
  readonly payin: Payin;
  readonly events: readonly LogEvent[];
}

/** One payin with all its data and events. */
export class ConsolePayin extends Screen<Shown> {
  protected async load(signal: AbortSignal): Promise<Shown> {
    const { api } = this.shell;
    const id = encodeURIComponent(this.route.id);
    const [payin, events] = await Promise.all([
      api.get<Payin>(`/payins/${id}`, signal),
      api.get<LogEvent[]>(`/events?about=${id}`, signal),
    ]);
    return { payin, events };
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/payins">← ${words.sections.payins}</a>
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
          ['order', this.#order(payin.order)],
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
        ${this.#giveBack(payin)}
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

  #order(order: string | null): Content | null {
    if (order === null) return null;
    const section = this.shell.has('orders') ? 'orders' : 'review';
    return html`<a href=${toRoute(section, order)}>${order}</a>`;
  }

  #giveBack({ id, returns, returnableInCents }: Payin): Content {
    const { shell } = this;
    const canReturn = returnableInCents > 0 && shell.has('payouts');
    return html`${returnList(shell, returns)}
    ${
      canReturn
        ? html`<p>
            <a class="button plain" href=${toRoute('payouts', 'new', { payin: id })}
              >${shell.words.returns.giveBack}</a
            >
          </p>`
        : nothing
    }`;
  }
}
