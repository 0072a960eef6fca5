import type { ReactiveController } from 'lit';
import type { CustomerField, Hints, Method } from '../../../contract/offer.js';
import type { GivenCustomer } from '../../../contract/start.js';
import type { Bank } from '../../../contract/payer/banks.js';
import {
  type PayerIdType,
  documentTypesFor,
  parseDocument,
  parseEmail,
  parseName,
  parsePhone,
} from '../../../contract/payer/identity.js';
import { type PersonType, PERSON_TYPES } from '../../../contract/kinds.js';
import type { FieldMessage } from '../../../locales/messages.js';
import type { Choice, Hint } from '../../../machine/input.js';
import type { FieldProblem } from '../../../machine/state.js';
import { BankCombobox } from './bank-combobox.js';
import type { Prefill, Host } from '../../host.js';
import { type FilledForm, rememberedOnDevice, typedInTab } from './filled-form.js';

export type PayinMethod = Extract<Method, { kind: 'PAYIN' }>;
export type FormField = CustomerField | 'bank';

/** What the payer typed and what is wrong with it. It outlives the screen, so that going back loses nothing. */
export class DetailsForm implements ReactiveController {
  readonly #host: Host;
  /** Of the bank its code. */
  readonly values: Record<FormField, string> = {
    bank: '',
    name: '',
    idType: '',
    idNumber: '',
    phone: '',
    email: '',
  };
  personType: PersonType = 'INDIVIDUAL';
  readonly errors = new Map<FormField, FieldMessage>();
  readonly picker: BankCombobox;
  /** The payer wants the device to remember it. */
  remembers = false;
  /** It does already. */
  isRemembered = false;
  #method: PayinMethod | undefined;
  #order = '';
  #problems: readonly FieldProblem[] = [];
  #focusError = false;

  constructor(host: Host) {
    this.#host = host;
    this.picker = new BankCombobox(host, this);
    host.addController(this);
  }

  /** The form is for this method now. The first time it starts with what the page, this tab or the device knows. */
  prime(
    method: PayinMethod,
    { customer, bank, mayRemember }: Prefill,
    hint: Hint | null,
    hints: Hints,
    order: string,
  ): void {
    if (!this.#method) {
      const chosen = hint && 'bank' in hint.choice ? hint.choice : null;
      if (!mayRemember) rememberedOnDevice.remember(null);
      const remembered = rememberedOnDevice.recall();
      const idType = customer.idType ?? hints.idType;
      const typed = typedInTab.recall();
      this.remembers = this.isRemembered = remembered !== null;
      this.#order = order;
      Object.assign(this.values, remembered?.values, customer);
      this.values.bank = chosen?.bank || bank || this.values.bank;
      this.personType =
        chosen?.personType ??
        hints.personType ??
        (idType === undefined && remembered
          ? remembered.personType
          : idType === 'CO_NIT'
            ? 'BUSINESS'
            : 'INDIVIDUAL');
      if (typed?.order === order) {
        Object.assign(this.values, typed.values);
        this.personType = typed.personType;
      } else typedInTab.remember(null);
    }
    this.#method = method;
  }

  /** Takes the backend's objections, once each time they come. */
  accept(problems: readonly FieldProblem[]): void {
    if (problems === this.#problems) return;
    this.#problems = problems;
    for (const { field, code } of problems) {
      const name = field.split('.').at(-1) as FormField;
      if (!(name in this.values)) continue;
      this.errors.set(name, code === 'required' ? code : name === 'bank' ? name : 'refused');
    }
    this.#focusError = this.errors.size > 0;
  }

  get banks(): readonly Bank[] {
    return this.#method?.rail === 'PSE' ? this.#method.banks : [];
  }

  get bank(): Bank | undefined {
    return this.banks.find(({ code }) => code === this.values.bank);
  }

  /** Bre-B asks for no person type, so a document of either kind may be given. */
  get documentTypes(): readonly PayerIdType[] {
    return this.#method?.rail === 'PSE'
      ? documentTypesFor(this.personType)
      : PERSON_TYPES.flatMap((type) => documentTypesFor(type));
  }

  get documentType(): PayerIdType {
    const types = this.documentTypes;
    return types.find((type) => type === this.values.idType) ?? types[0] ?? 'CO_CC';
  }

  /** Typing mends: an error that is shown is looked at again with each stroke, but none appears while typing. */
  type(field: FormField, value: string): void {
    this.values[field] = value;
    typedInTab.remember(this.#filled());
    if (this.errors.has(field)) this.#check(field);
    if (field === 'idType' && this.values.idNumber !== '') this.#check('idNumber');
    this.#host.requestUpdate();
  }

  /** Leaving an empty field is no mistake yet. */
  leave(field: FormField, shown = this.values[field]): void {
    if (shown.trim() !== '') this.#check(field);
    this.#host.requestUpdate();
  }

  setPersonType(personType: PersonType): void {
    this.personType = personType;
    typedInTab.remember(this.#filled());
    // Another kind of person has another kind of document and of name.
    this.errors.clear();
    this.#host.requestUpdate();
  }

  /** Consent to remember the details on this device is given when they are sent, and withdrawn at once. */
  setRemembers(remembers: boolean): void {
    this.remembers = remembers;
    if (!remembers) {
      this.isRemembered = false;
      rememberedOnDevice.remember(null);
    }
    this.#host.requestUpdate();
  }

  /** Empties the form too: what is deleted is not left on the screen. */
  deleteRemembered(): void {
    for (const field of Object.keys(this.values) as FormField[]) this.values[field] = '';
    this.errors.clear();
    typedInTab.remember(null);
    this.setRemembers(false);
  }

  /** The choice when everything is in order; null, with the first error focused, when something is not. */
  submit(method: PayinMethod): Choice | null {
    this.errors.clear();
    const customer: GivenCustomer = {};
    for (const field of method.requires) Object.assign(customer, { [field]: this.#check(field) });
    const given = method.requires.length > 0 ? { customer } : {};
    const bank = method.rail === 'PSE' ? this.#check('bank') : '';
    if (this.errors.size > 0) {
      this.#focusError = true;
      this.#host.requestUpdate();
      return null;
    }
    if (this.remembers) {
      this.isRemembered = true;
      rememberedOnDevice.remember({ ...this.#filled(), order: '' });
    }
    return method.rail === 'PSE'
      ? { kind: 'PAYIN', rail: 'PSE', bank, personType: this.personType, ...given }
      : { kind: 'PAYIN', rail: 'BRE_B', keyType: method.keyType, ...given };
  }

  hostUpdated(): void {
    if (!this.#focusError) return;
    const first = this.#host.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!first) return;
    this.#focusError = false;
    first.focus();
  }

  #filled(): FilledForm {
    return { order: this.#order, personType: this.personType, values: this.values };
  }

  /** The field's value as it is sent. What is wrong with it is noted. */
  #check(field: FormField): string {
    const { documentType } = this;
    if (field === 'idType') return documentType;
    const text = this.values[field];
    const parsed = {
      bank: () => ({ ok: this.bank !== undefined, value: text, reason: 'format' as const }),
      name: parseName,
      idNumber: () => parseDocument(documentType, text),
      phone: parsePhone,
      email: parseEmail,
    }[field](text);
    if (parsed.ok) {
      this.errors.delete(field);
      return parsed.value;
    }
    const { reason } = parsed;
    this.errors.set(field, reason !== 'format' ? reason : field === 'idNumber' ? documentType : field);
    return '';
  }
}
