import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { PayinDetail, PayinReturns, PayoutView } from '../../contract/console.js';
import { ApiError, type FieldFault } from '../api.js';
import { ConsoleForm, SAMPLE_CUSTOMER } from '../form.js';
import { typedAmount } from '../format.js';
import { type Content, documentText, facts, heading } from '../parts.js';
import { type Route, toRoute } from '../route.js';

type Payin = PayinDetail & PayinReturns;

/**
 * The first step of a payout: whose key is it? Nothing is sent from here. With a payin in the address it gives that
 * one back: what the payment knows is filled in, and only the key is asked for.
 */
export class ConsolePayoutForm extends ConsoleForm {
  static override properties = {
    ...ConsoleForm.properties,
    route: { attribute: false },
    payin: { state: true },
  };
  declare route: Route;
  declare protected payin: Payin | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('route')) void this.#load(this.route.query.get('payin'));
  }

  async #load(id: string | null): Promise<void> {
    this.payin = undefined;
    if (id === null) return;
    try {
      this.payin = await this.shell.api.get<Payin>(`/payins/${encodeURIComponent(id)}`);
    } catch (error) {
      this.problem = error instanceof ApiError ? error.problem : 'failed';
    }
  }

  /** The payment may lack what a payout needs. */
  get #asksPerson(): boolean {
    const isIncomplete = this.faults.some(({ field }) => field.startsWith('inlineCustomer'));
    return !this.payin?.customer || isIncomplete;
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    const entered = await this.entered(event);
    if (!entered) return;
    const { value, amountInCents } = entered;
    const draft = await this.post<PayoutView>('/payouts', {
      amountInCents,
      keyString: value('breb.keyString'),
      ...(this.#asksPerson ? { inlineCustomer: this.customer(value) } : {}),
      ...(this.payin ? { returnOf: this.payin.id } : {}),
    });
    if (draft) this.shell.go(toRoute('payouts', draft.id));
  };

  protected override faultOf(fault: FieldFault): string {
    const { payouts } = this.shell.words;
    if (fault.field === 'breb.keyString' && fault.code !== 'required')
      return fault.code === 'not_allowed' ? payouts.keyUnknown : payouts.keyMalformed;
    if (fault.field === 'amountInCents' && fault.code === 'too_large' && this.payin)
      return this.shell.words.returns.tooMuch;
    return super.faultOf(fault);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const sample = {
      'breb.keyString': SAMPLE_CUSTOMER['inlineCustomer.idNumber'],
      amountInCents: this.shell.language === 'es' ? '150.000' : '150,000',
      ...SAMPLE_CUSTOMER,
    };
    const { payin } = this;
    const isReturn = this.route.query.get('payin') !== null;
    if (isReturn && !payin) {
      return html`${heading(words.returns.giveBack)}
      ${this.problem ? this.refusal() : html`<p class="pending" role="status">${words.loading}</p>`}`;
    }
    return html`${
        payin
          ? html`<a class="back" href=${toRoute('payins', payin.id)}
                >← ${words.payins.detail} ${payin.reference}</a
              >
              ${heading(words.returns.formTitle(payin.reference), words.returns.formLead)}`
          : html`<a class="back" href="#/payouts">← ${words.sections.payouts}</a>
              ${heading(words.payouts.create, words.payouts.formLead)}`
      }
      <form class="panel" novalidate @submit=${this.#submit}>
        ${this.refusal()}
        <div class="pair">
          ${this.text('breb.keyString', words.payouts.key, { hint: words.payouts.keyHint })}
          ${this.text('amountInCents', words.form.amount, {
            mode: 'decimal',
            longest: 20,
            ...(payin && { value: typedAmount(payin.returnableInCents, this.shell.language) }),
          })}
        </div>
        ${this.#person()}
        <p class="bar">
          <button class="button" type="submit" aria-disabled=${this.busy}>${words.payouts.lookUp}</button>
          ${
            payin
              ? nothing
              : html`<button class="button plain" type="button" @click=${() => this.fill(sample)}>
                  ${words.form.sample}
                </button>`
          }
        </p>
      </form>`;
  }

  #person(): Content {
    const { shell, payin } = this;
    const { words } = shell;
    if (this.#asksPerson) {
      return html`<fieldset>
        <legend>${words.payouts.person}</legend>
        ${this.customerFields()}
      </fieldset>`;
    }
    return html`<h2>${words.returns.payer}</h2>
      ${facts(shell, [
        ['payer', payin?.customer?.name],
        ['document', documentText(payin?.customer?.document, shell)],
        ['order', payin?.order],
      ])}`;
  }
}
