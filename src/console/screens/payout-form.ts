import { html, type TemplateResult } from 'lit';
import type { PayoutView } from '../../contract/console.js';
import type { FieldFault } from '../api.js';
import { ConsoleForm, SAMPLE_CUSTOMER } from '../form.js';
import { centsOf } from '../format.js';
import { heading } from '../parts.js';
import { toRoute } from '../route.js';

/** The first step of a payout: whose key is it? Nothing is sent from here. */
export class ConsolePayoutForm extends ConsoleForm {
  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const value = this.values(form);
    const amountInCents = centsOf(value('amountInCents'), this.shell.language);
    const missing = this.missing(form, amountInCents);
    if (missing.length > 0) return this.object(...missing);
    const draft = await this.post<PayoutView>('/payouts', {
      amountInCents,
      keyString: value('breb.keyString'),
      inlineCustomer: this.customer(value),
    });
    if (draft) this.shell.go(toRoute('payouts', draft.id));
  };

  protected override faultOf(fault: FieldFault): string {
    const { payouts } = this.shell.words;
    if (fault.field === 'breb.keyString' && fault.code !== 'required')
      return fault.code === 'not_allowed' ? payouts.keyUnknown : payouts.keyMalformed;
    return fault.field === 'amountInCents' ? payouts.amountFault : super.faultOf(fault);
  }

  protected override render(): TemplateResult {
    const { words } = this.shell;
    const sample = {
      'breb.keyString': '3001234567',
      amountInCents: this.shell.language === 'es' ? '150.000' : '150,000',
      ...SAMPLE_CUSTOMER,
    };
    return html`<a class="back" href="#/payouts">← ${words.payouts.title}</a>
      ${heading(words.payouts.formTitle, words.payouts.formLead)}
      <form class="panel" novalidate @submit=${this.#submit}>
        ${this.refusal()}
        <div class="pair">
          ${this.text('breb.keyString', words.payouts.key, { hint: words.payouts.keyHint })}
          ${this.text('amountInCents', words.payouts.amount, { mode: 'decimal', longest: 20 })}
        </div>
        <fieldset>
          <legend>${words.payouts.person}</legend>
          ${this.customerFields()}
        </fieldset>
        <p class="bar">
          <button class="button" type="submit" aria-disabled=${this.busy}>${words.payouts.lookUp}</button>
          <button class="button plain" type="button" @click=${() => this.fill(sample)}>
            ${words.payouts.sample}
          </button>
        </p>
      </form>`;
  }
}
