import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { FieldFault, PayinDetail, PayinReturns } from '../../../contract/merchant/console.js';
import type { MaskedReceiver, PayoutView } from '../../../contract/merchant/payouts.js';
import { problemOf } from '../api.js';
import { ConsoleForm, SAMPLE_CUSTOMER } from '../form.js';
import { typedAmount } from '../../../look/parts/format.js';
import { type Content, heading } from '../../../look/parts/parts.js';
import { documentText, facts } from '../parts.js';
import { type Route, toRoute } from '../route.js';

type Payin = PayinDetail & PayinReturns;

/**
 * A payout begins with the key: whose is it? Only then come the amount, the reference and whom you expect. Nothing is
 * sent from here. With a payin in the address it gives that one back: what the payment knows is filled in.
 */
export class ConsolePayoutForm extends ConsoleForm {
  static override properties = {
    ...ConsoleForm.properties,
    route: { attribute: false },
    payin: { state: true },
    receiver: { state: true },
  };
  declare route: Route;
  declare protected payin: Payin | undefined;
  /** The owner of the key that stands in its field; undefined until it was looked up. */
  declare protected receiver: MaskedReceiver | undefined;

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('route')) void this.#load(this.route.query.get('payin'));
  }

  async #load(id: string | null): Promise<void> {
    this.payin = undefined;
    this.receiver = undefined;
    if (id === null) return;
    try {
      this.payin = await this.shell.api.get<Payin>(`/payins/${encodeURIComponent(id)}`);
    } catch (error) {
      this.problem = problemOf(error);
    }
  }

  /** The amount in the address, for a partial refund, or all that can be given back; never more than that. */
  #proposed({ returnableInCents }: Payin): number {
    const wanted = Number(this.route.query.get('cents') ?? 0);
    return wanted > 0 ? Math.min(wanted, returnableInCents) : returnableInCents;
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
    const keyString = value('breb.keyString');
    if (!this.receiver) return this.#lookUp(keyString);
    const draft = await this.post<PayoutView>('/payouts', {
      amountInCents,
      keyString,
      reference: value('reference'),
      note: value('note'),
      ...(this.#asksPerson ? { inlineCustomer: this.customer(value) } : {}),
      ...(this.payin ? { returnOf: this.payin.id } : {}),
    });
    if (draft) this.shell.go(toRoute('payouts', draft.id));
    // The key may have been deleted since it was looked up.
    else if (this.faults.some(({ field }) => field === 'breb.keyString')) this.receiver = undefined;
  };

  async #lookUp(keyString: string): Promise<void> {
    const receiver = await this.post<MaskedReceiver>('/keys', { keyString });
    const field = this.querySelector<HTMLInputElement>('[name="breb.keyString"]');
    // Another key was typed meanwhile.
    if (!receiver || field?.value.trim() !== keyString) return;
    this.receiver = receiver;
    this.shell.announce(`${this.shell.words.returns.found}: ${receiver.name}`);
    await this.updateComplete;
    this.querySelector<HTMLElement>('.found h2')?.focus();
  }

  /** Another key has another owner; what was typed below it stays. */
  readonly #keyTyped = (): void => {
    this.receiver = undefined;
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
    const { payin } = this;
    const isReturn = this.route.query.get('payin') !== null;
    if (isReturn && !payin) {
      return html`${heading(words.returns.giveBack)}
      ${this.problem ? this.refusal() : html`<p class="pending" role="status">${words.loading}</p>`}`;
    }
    if (payin?.returnableInCents === 0) {
      return html`<a class="back" href=${toRoute('payins', payin.id)}
          >← ${words.payins.detail} ${payin.reference}</a
        >
        ${heading(words.returns.formTitle(payin.reference))}
        <p class="panel">${words.returns.nothingLeft}</p>`;
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
        <div @input=${this.#keyTyped}>
          ${this.text('breb.keyString', words.payouts.key, { hint: words.payouts.keyHint })}
        </div>
        ${this.receiver ? this.#found(this.receiver) : nothing}
        <div class="next" ?hidden=${!this.receiver}>
          ${this.text('amountInCents', words.form.amount, {
            mode: 'decimal',
            longest: 20,
            ...(payin && { value: typedAmount(this.#proposed(payin), this.shell.language) }),
          })}
          ${this.ownFields()} ${this.#person()}
        </div>
        <p class="bar">
          <button class="button" type="submit" aria-disabled=${this.busy}>
            ${this.receiver ? words.payouts.compare : words.payouts.lookUp}
          </button>
          ${payin ? nothing : this.#sample()}
        </p>
      </form>`;
  }

  #sample(): Content {
    const { words, language } = this.shell;
    const sample = {
      'breb.keyString': SAMPLE_CUSTOMER['inlineCustomer.idNumber'],
      amountInCents: language === 'es' ? '150.000' : '150,000',
      ...SAMPLE_CUSTOMER,
    };
    const fill = () => {
      this.fill(sample);
      this.receiver = undefined;
    };
    return html`<button class="button plain" type="button" @click=${fill}>${words.form.sample}</button>`;
  }

  /** The owner of the key, masked as banks do. */
  #found({ name, document, bank, account }: MaskedReceiver): Content {
    const { shell } = this;
    return html`<section class="found">
      <h2 tabindex="-1">${shell.words.returns.found}</h2>
      ${facts(shell, [
        ['receiver', html`<b>${name}</b>`],
        ['document', documentText(document, shell)],
        ['bank', bank],
        ['account', account],
      ])}
    </section>`;
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
