import { html, nothing, type TemplateResult } from 'lit';
import type { PayinDetail, PayinReturns } from '../../../contract/merchant/console.js';
import { moment } from '../../../look/parts/format.js';
import { chip, type Content, copyable, heading } from '../../../look/parts/parts.js';
import {
  amount,
  documentText,
  facts,
  isOtherSum,
  named,
  orderLine,
  rail,
  reasonLine,
  received,
  returnList,
  sandboxLine,
} from '../parts.js';
import { toRoute } from '../route.js';
import { Screen } from '../screen.js';

type Payin = PayinDetail & PayinReturns;

/** One payin with all its data. */
export class ConsolePayin extends Screen<Payin> {
  protected load(signal: AbortSignal): Promise<Payin> {
    return this.shell.api.get(`/payins/${encodeURIComponent(this.route.id)}`, signal);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    return html`<a class="back" href="#/payins">← ${words.sections.payins}</a>
      ${heading(`${words.payins.detail} ${this.data?.reference ?? ''}`)}
      ${this.answered((data) => this.#detail(data))}`;
  }

  #detail(payin: Payin): TemplateResult {
    const { shell } = this;
    const { words, language } = shell;
    const at = (text: string | null) => (text === null ? null : moment(text, language));
    const { customer } = payin;
    return html`<section class="panel">
      <p class="bar" role="status">
        <span class="big"
          >${received(shell, payin.confirmedAmountInCents ?? 0, payin.amountInCents ?? 0)}</span
        >
        ${chip(isOtherSum(payin) ? 'OTRO_VALOR' : payin.status, shell)}
      </p>
      ${facts(shell, [
        ['rail', rail(payin.rail, shell)],
        ['reference', copyable(shell, words.facts.reference, payin.reference)],
        ['order', orderLine(shell, payin.order)],
        ['link', this.#link(payin)],
        [
          'confirmed',
          payin.confirmedAmountInCents === null ? null : amount(payin.confirmedAmountInCents, shell),
        ],
        ['created', at(payin.createdAt)],
        ['updated', at(payin.updatedAt)],
        ['result', at(payin.resultAt)],
        ['settlement', named(payin.settlementStatus, words.settlements)],
        ['chargeback', at(payin.chargebackAt)],
        ['error', reasonLine(shell, payin.errorCode)],
        ['key', copyable(shell, words.facts.key, payin.key)],
        ['keyType', named(payin.keyType, words.keyTypes)],
        ['bank', payin.bank],
        ['cus', copyable(shell, words.facts.cus, payin.cus)],
        ['payer', customer?.name],
        ['document', documentText(customer?.document, shell)],
        ['phone', customer?.phone],
        ['email', customer?.email],
        ['serviceId', copyable(shell, words.facts.serviceId, payin.id)],
      ])}
      ${sandboxLine(shell, 'payins', payin.id)} ${this.#giveBack(payin)}
    </section>`;
  }

  #link({ paymentLinkId, hasLinkPage }: Payin): Content | null {
    const { shell } = this;
    const shown = hasLinkPage
      ? html`<a href=${toRoute('links', paymentLinkId ?? '')}>${paymentLinkId}</a>`
      : undefined;
    return copyable(shell, shell.words.facts.link, paymentLinkId, shown);
  }

  #giveBack({ id, returns, returnableInCents }: Payin): Content {
    const { shell } = this;
    return html`${returnList(shell, returns)}
    ${
      returnableInCents > 0
        ? html`<p>
            <a class="button plain" href=${toRoute('payouts', 'new', { payin: id })}
              >${shell.words.returns.giveBack}</a
            >
          </p>`
        : nothing
    }`;
  }
}
