import { html, nothing, type TemplateResult } from 'lit';
import { LINK_FLOWS, type LinkFlow, type LinkView, RAIL_NAMES } from '../../contract/console.js';
import type { FieldFault } from '../api.js';
import { ConsoleForm, SAMPLE_BANK, SAMPLE_CUSTOMER } from '../form.js';
import { heading, rail } from '../parts.js';
import { toRoute } from '../route.js';

interface Bank {
  readonly code: string;
  readonly name: string;
}

/** A new payment link, in one of the five flows. Each asks only for what it sends. */
export class ConsoleLinkForm extends ConsoleForm {
  static override properties = {
    ...ConsoleForm.properties,
    flow: { state: true },
    banks: { state: true },
  };
  declare protected flow: LinkFlow;
  declare protected banks: readonly Bank[];

  constructor() {
    super();
    this.flow = 'open';
    this.banks = [];
  }

  readonly #choose = (event: Event): void => {
    const { value } = event.currentTarget as HTMLInputElement;
    this.flow = LINK_FLOWS.find((flow) => flow === value) ?? 'open';
    this.faults = [];
    this.problem = undefined;
    if (this.flow === 'bank' && this.banks.length === 0) void this.#loadBanks();
  };

  async #loadBanks(): Promise<void> {
    try {
      this.banks = await this.shell.api.get<Bank[]>('/banks');
    } catch {
      this.problem = 'away';
    }
  }

  readonly #submit = async (event: SubmitEvent): Promise<void> => {
    const entered = await this.entered(event);
    if (!entered) return;
    const { value, amountInCents } = entered;
    const link = await this.post<LinkView>('/links', {
      flow: this.flow,
      amountInCents,
      callbackUrl: value('callbackUrl'),
      ...(this.#asks('rail') ? { rail: value('rail') } : {}),
      ...(this.flow === 'bank' ? { bank: value('pse.bank') } : {}),
      ...(this.#asks('customer') ? { inlineCustomer: this.customer(value) } : {}),
    });
    if (link) this.shell.go(toRoute('links', link.id));
  };

  #asks(what: 'rail' | 'customer'): boolean {
    if (this.flow === 'restricted-prefilled') return true;
    return this.flow === (what === 'rail' ? 'restricted' : 'prefilled');
  }

  protected override faultOf(fault: FieldFault): string {
    return fault.field === 'pse.bank' ? this.shell.words.links.chooseBank : super.faultOf(fault);
  }

  protected override render(): TemplateResult {
    const { words, siteUrl } = this.shell;
    const amountInCents = this.shell.language === 'es' ? '42.900' : '42,900';
    return html`<a class="back" href="#/links">← ${words.sections.links}</a>
      ${heading(words.links.create)}
      <form class="panel" novalidate @submit=${this.#submit}>
        ${this.refusal()}
        <fieldset class="flows">
          <legend>${words.links.flow}</legend>
          ${LINK_FLOWS.map(
            (flow) =>
              html`<label class="flow">
                <input
                  type="radio"
                  name="flow"
                  .value=${flow}
                  .checked=${this.flow === flow}
                  @change=${this.#choose}
                />
                <span><b>${words.links.flows[flow]}</b> <small>${words.links.flowHints[flow]}</small></span>
              </label>`,
          )}
        </fieldset>
        <div class="pair">
          ${this.text('amountInCents', words.form.amount, { mode: 'decimal', longest: 20 })}
          ${
            this.#asks('rail')
              ? this.choice(
                  'rail',
                  words.facts.rail,
                  RAIL_NAMES.map((name) => [name, rail(name, this.shell)] as const),
                )
              : this.flow === 'bank'
                ? this.choice('pse.bank', words.facts.bank, [
                    ['', words.links.chooseBank],
                    ...this.banks.map(({ code, name }) => [code, name] as const),
                  ])
                : nothing
          }
        </div>
        ${
          this.#asks('customer')
            ? html`<fieldset>
                <legend>${words.facts.payer}</legend>
                ${this.customerFields()}
              </fieldset>`
            : nothing
        }
        ${this.text('callbackUrl', words.links.callback, {
          type: 'url',
          value: `${siteUrl}/shop/`,
          longest: 2_048,
        })}
        <p class="bar">
          <button class="button" type="submit" aria-disabled=${this.busy}>${words.links.submit}</button>
          <button
            class="button plain"
            type="button"
            @click=${() => this.fill({ amountInCents, 'pse.bank': SAMPLE_BANK, ...SAMPLE_CUSTOMER })}
          >
            ${words.form.sample}
          </button>
        </p>
      </form>`;
  }
}
