import { html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import {
  LINK_FLOWS,
  type LinkFlow,
  type LinkView,
  type OrderDetail,
  RAIL_NAMES,
} from '../../../contract/merchant/console.js';
import type { FieldFault } from '../../../contract/merchant/console.js';
import { problemOf } from '../api.js';
import { ConsoleForm, SAMPLE_BANK, SAMPLE_CUSTOMER } from '../form.js';
import { money, typedAmount } from '../../../look/parts/format.js';
import { type Content, heading } from '../../../look/parts/parts.js';
import { rail } from '../parts.js';
import { type Route, toRoute } from '../route.js';
import { unread } from '../screen.js';

/** Fields that are visible while _More options_ is closed. */
const FIRST_FIELDS: readonly string[] = ['amountInCents', 'concept'];

interface Bank {
  readonly code: string;
  readonly name: string;
}

/**
 * A new payment link, in one of the five flows. Each asks only for what it sends. With a link in the address it comes
 * filled in like that one, for a new reference.
 */
export class ConsoleLinkForm extends ConsoleForm {
  static override properties = {
    ...ConsoleForm.properties,
    route: { attribute: false },
    flow: { state: true },
    banks: { state: true },
    like: { state: true },
    order: { state: true },
  };
  declare route: Route;
  declare protected flow: LinkFlow;
  declare protected banks: readonly Bank[];
  /** The link to make another of; undefined while it is being read, null when there is none. */
  declare protected like: LinkView | null | undefined;
  /** The order whose missing amount the link asks for. */
  declare protected order: OrderDetail | undefined;

  constructor() {
    super();
    this.flow = 'open';
    this.banks = [];
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('route')) void this.#load();
  }

  async #load(): Promise<void> {
    const { query } = this.route;
    const [id, order] = [query.get('like'), query.get('order')];
    this.order = undefined;
    this.problem = undefined;
    this.like = id === null && order === null ? null : undefined;
    if (this.like === null) return;
    try {
      if (order !== null) {
        this.order = await this.shell.api.get<OrderDetail>(`/orders/${encodeURIComponent(order)}`);
        this.like = null;
        return;
      }
      const like = await this.shell.api.get<LinkView>(`/links/${encodeURIComponent(id ?? '')}`);
      if (like.flow === 'bank') await this.#loadBanks();
      this.flow = like.flow;
      this.like = like;
    } catch (error) {
      this.problem = problemOf(error);
      this.like = null;
    }
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
      ...(this.order ? { order: this.order.order } : { amountInCents }),
      callbackUrl: value('callbackUrl'),
      concept: value('concept'),
      reference: value('reference'),
      note: value('note'),
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
    const { words } = this.shell;
    const { like, problem } = this;
    // A form without the order would make a link that pays none.
    const isWithoutOrder = this.route.query.has('order') && !this.order;
    return html`<a class="back" href=${like ? toRoute('links', like.id) : '#/links'}
        >← ${like ? `${words.links.detail} ${like.reference}` : words.sections.links}</a
      >
      ${heading(words.links.create)}
      ${
        isWithoutOrder && problem !== undefined
          ? unread(this.shell, problem, () => void this.#load())
          : like === undefined
            ? html`<p class="pending" role="status">${words.loading}</p>`
            : this.#form(like)
      }`;
  }

  #form(like: LinkView | null): Content {
    const { words, siteUrl, sandboxUrl, language } = this.shell;
    const amountInCents = language === 'es' ? '42.900' : '42,900';
    const { order } = this;
    const isSpecial = this.flow !== 'open';
    return html`<form class="panel" novalidate @submit=${this.#submit}>
      ${this.refusal()}
      ${
        order
          ? html`<p>${words.links.forOrder(money(order.missingInCents, language), order.order)}</p>`
          : html`${this.text('amountInCents', words.form.amount, {
              mode: 'decimal',
              longest: 20,
              ...(like && { value: typedAmount(like.amountInCents, language) }),
            })}
            ${this.text('concept', words.facts.concept, {
              hint: words.form.conceptHint,
              longest: 80,
              optional: true,
              value: like?.concept ?? '',
            })}`
      }
      <details ?open=${isSpecial || this.faults.some(({ field }) => !FIRST_FIELDS.includes(field))}>
        <summary>${words.links.more}</summary>
        <div class="next">
          <fieldset class="flows">
            <legend>${words.links.flow}</legend>
            ${LINK_FLOWS.map((flow) => this.#flow(flow))}
          </fieldset>
          ${this.#method(like)}
          ${
            this.#asks('customer')
              ? html`<fieldset>
                  <legend>${words.facts.payer}</legend>
                  ${like?.customer ? html`<p class="hint">${words.links.anotherPayer}</p>` : nothing}
                  ${this.customerFields()}
                </fieldset>`
              : nothing
          }
          ${order ? nothing : this.ownFields()}
          ${this.text('callbackUrl', words.links.callback, {
            type: 'url',
            value: like?.callbackUrl ?? siteUrl,
            longest: 2_048,
          })}
        </div>
      </details>
      <p class="bar">
        <button class="button" type="submit" aria-disabled=${this.busy}>${words.links.submit}</button>
        ${
          sandboxUrl === '' || order
            ? nothing
            : html`<button
                class="button plain"
                type="button"
                @click=${() => this.fill({ amountInCents, 'pse.bank': SAMPLE_BANK, ...SAMPLE_CUSTOMER })}
              >
                ${words.form.sample}
              </button>`
        }
      </p>
    </form>`;
  }

  #flow(flow: LinkFlow): Content {
    const { links } = this.shell.words;
    return html`<label class="flow">
      <input type="radio" name="flow" .value=${flow} .checked=${this.flow === flow} @change=${this.#choose} />
      <span><b>${links.flows[flow]}</b> <small>${links.flowHints[flow]}</small></span>
    </label>`;
  }

  #method(like: LinkView | null): Content {
    const { words } = this.shell;
    if (this.#asks('rail')) {
      const options = RAIL_NAMES.map((name) => [name, rail(name, this.shell)] as const);
      return this.choice('rail', words.facts.rail, options, like?.rail);
    }
    if (this.flow !== 'bank') return nothing;
    const options = this.banks.map(({ code, name }) => [code, name] as const);
    const chosen = this.banks.find(({ name }) => name === like?.bank)?.code;
    return this.choice('pse.bank', words.facts.bank, [['', words.links.chooseBank], ...options], chosen);
  }
}
