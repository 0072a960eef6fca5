import { html, LitElement, nothing } from 'lit';
import type { FieldFault } from '../../contract/merchant/console.js';
import { LONGEST_NOTE } from '../../contract/merchant/payouts.js';
import { ApiError, type Problem, problemOf } from './api.js';
import { centsOf } from '../../look/parts/format.js';
import type { Content } from '../../look/parts/parts.js';
import type { Shell } from './screen.js';

/** What a form holds: a field's text by its name, and the amount in cents. */
interface Entered {
  readonly value: (name: string) => string;
  readonly amountInCents: number | null;
}

/** A form that the backend checks. Each field shows what is wrong with it, and the first wrong one gets the focus. */
export abstract class ConsoleForm extends LitElement {
  static override properties = {
    shell: { attribute: false },
    busy: { state: true },
    faults: { state: true },
    problem: { state: true },
  };
  declare shell: Shell;
  declare protected busy: boolean;
  declare protected faults: readonly FieldFault[];
  declare protected problem: Problem | undefined;

  constructor() {
    super();
    this.busy = false;
    this.faults = [];
  }

  protected override createRenderRoot(): HTMLElement {
    return this;
  }

  /** The answer, or undefined when the backend refused and the form says why. A second press waits for the first. */
  protected async post<Answer>(path: string, body: object): Promise<Answer | undefined> {
    if (this.busy) return undefined;
    this.busy = true;
    this.problem = undefined;
    this.faults = [];
    try {
      return await this.shell.api.send<Answer>('POST', path, body);
    } catch (error) {
      this.problem = problemOf(error);
      this.faults = error instanceof ApiError ? error.errors : [];
      return undefined;
    } finally {
      this.busy = false;
      await this.#focusFault();
    }
  }

  /** Marks fields that the form itself finds wrong, and focuses the first. */
  protected async object(...faults: readonly FieldFault[]): Promise<void> {
    this.problem = 'invalid_input';
    this.faults = faults;
    await this.#focusFault();
  }

  /** What was typed, with its amount; undefined when a required field is empty, which is then marked. */
  protected async entered(event: SubmitEvent): Promise<Entered | undefined> {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const value = this.values(form);
    const amountInCents = centsOf(value('amountInCents'), this.shell.language);
    const missing = [...form.querySelectorAll<HTMLInputElement | HTMLSelectElement>('[required]')]
      .filter((field) => field.closest('[hidden]') === null)
      .filter((field) =>
        field.name === 'amountInCents' ? amountInCents === null : field.value.trim() === '',
      )
      .map(({ name }) => ({ field: name, code: 'required' }));
    if (missing.length === 0) return { value, amountInCents };
    await this.object(...missing);
    return undefined;
  }

  async #focusFault(): Promise<void> {
    await this.updateComplete;
    this.querySelector<HTMLElement>('[aria-invalid=true]')?.focus();
  }

  protected values(form: HTMLFormElement): (name: string) => string {
    const data = new FormData(form);
    return (name) => String(data.get(name) ?? '').trim();
  }

  /** Why the last submit was refused. The fields say the rest. */
  protected refusal(): Content {
    const { words } = this.shell;
    return this.problem === undefined
      ? nothing
      : html`<p class="trouble" role="alert">${words.problems[this.problem]}</p>`;
  }

  protected text(
    name: string,
    label: string,
    more: {
      readonly hint?: string;
      readonly type?: 'text' | 'email' | 'tel' | 'url' | 'password' | 'date';
      readonly mode?: 'decimal' | 'numeric' | 'text';
      readonly value?: string;
      readonly longest?: number;
      readonly optional?: boolean;
    } = {},
  ): Content {
    const { id, fault, described } = this.#about(name, more.hint);
    return html`<div class="field">
      ${this.#label(id, label, more.optional)}
      <input
        id=${id}
        name=${name}
        type=${more.type ?? 'text'}
        inputmode=${more.mode ?? nothing}
        maxlength=${more.longest ?? 256}
        .defaultValue=${more.value ?? ''}
        autocomplete="off"
        spellcheck="false"
        ?required=${more.optional !== true}
        aria-invalid=${fault ? 'true' : nothing}
        aria-describedby=${described ?? nothing}
      />
      ${this.#below(id, more.hint, fault)}
    </div>`;
  }

  protected choice(
    name: string,
    label: string,
    options: readonly (readonly [value: string, label: string])[],
    chosen?: string | null,
  ): Content {
    const { id, fault, described } = this.#about(name, undefined);
    return html`<div class="field">
      <label for=${id}>${label}</label>
      <select
        id=${id}
        name=${name}
        required
        aria-invalid=${fault ? 'true' : nothing}
        aria-describedby=${described ?? nothing}
      >
        ${options.map(
          ([value, words]) => html`<option value=${value} ?selected=${value === chosen}>${words}</option>`,
        )}
      </select>
      ${this.#below(id, undefined, fault)}
    </div>`;
  }

  #label(id: string, label: string, isOptional = false): Content {
    return html`<label for=${id}
      >${label}${isOptional ? html` <small>${this.shell.words.form.optional}</small>` : nothing}</label
    >`;
  }

  /** The merchant's own reference and note, on what the service makes. */
  protected ownFields(): Content {
    const { form, facts } = this.shell.words;
    return html`<div class="pair">
      ${this.text('reference', facts.reference, { hint: form.referenceHint, longest: 128, optional: true })}
      ${this.text('note', facts.note, { hint: form.noteHint, longest: LONGEST_NOTE, optional: true })}
    </div>`;
  }

  /** What is wrong with a field, in words. A form may override it with better ones. */
  protected faultOf({ field, code }: FieldFault): string {
    const { faults, form } = this.shell.words;
    if (field === 'amountInCents') return form.amountFault;
    if (field === 'reference' && code === 'format') return form.referenceFault;
    return faults[code] ?? faults['format'] ?? code;
  }

  #about(name: string, hint: string | undefined) {
    const id = `field-${name.replaceAll('.', '-')}`;
    const found = this.faults.find(({ field }) => field === name);
    const fault = found && this.faultOf(found);
    const described = [hint && `${id}-hint`, fault && `${id}-fault`].filter(Boolean).join(' ');
    return { id, fault, described: described === '' ? undefined : described };
  }

  #below(id: string, hint: string | undefined, fault: string | undefined): Content {
    return html`${hint ? html`<p class="hint" id=${`${id}-hint`}>${hint}</p>` : nothing}
    ${fault ? html`<p class="fault" id=${`${id}-fault`}>${fault}</p>` : nothing}`;
  }

  /** A person's data, as the service wants it. */
  protected customerFields(): Content {
    const { words } = this.shell;
    return html`<div class="pair">
        ${this.text('inlineCustomer.name', words.customer.name, { longest: 120 })}
        ${this.choice('inlineCustomer.idType', words.customer.idType, Object.entries(words.customer.idTypes))}
      </div>
      <div class="pair">
        ${this.text('inlineCustomer.idNumber', words.customer.idNumber, {
          hint: words.customer.idHint,
          longest: 32,
        })}
        ${this.text('inlineCustomer.phone', words.customer.phone, { type: 'tel', longest: 24 })}
      </div>
      ${this.text('inlineCustomer.email', words.customer.email, { type: 'email', longest: 254 })}`;
  }

  protected customer(value: (name: string) => string): object {
    return {
      name: value('inlineCustomer.name'),
      idType: value('inlineCustomer.idType'),
      idNumber: value('inlineCustomer.idNumber').replace(/[\s.,]/g, ''),
      phone: internationalPhone(value('inlineCustomer.phone')),
      email: value('inlineCustomer.email'),
    };
  }

  /** Puts example data where the fields are. */
  protected fill(values: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(values)) {
      const field = this.querySelector<HTMLInputElement | HTMLSelectElement>(`[name="${name}"]`);
      if (field) field.value = value;
    }
  }
}

/** An invented person. The sandbox confirms payments with this document. */
export const SAMPLE_CUSTOMER = {
  'inlineCustomer.name': 'Persona de Prueba',
  'inlineCustomer.idType': 'CO_CC',
  'inlineCustomer.idNumber': '1000000001',
  'inlineCustomer.phone': '300 123 4567',
  'inlineCustomer.email': 'persona@correo.example',
} as const;

export const SAMPLE_BANK = 'CO_BANCOLOMBIA';

/** A number without a country is a Colombian mobile when it looks like one. */
function internationalPhone(text: string): string {
  const digits = text.replace(/[\s().-]/g, '');
  return /^3\d{9}$/.test(digits) ? `+57${digits}` : digits;
}
