import type { ReactiveController } from 'lit';
import type { CustomerField, GivenCustomer, Hints, Method } from '../contract/backend.js';
import {
  type IdType,
  type PersonType,
  documentTypesFor,
  parseDocument,
  parseEmail,
  parseName,
  parsePhone,
} from '../contract/identity.js';
import type { FieldMessage } from '../locales/messages.js';
import type { Choice, Hint } from '../machine/input.js';
import type { FieldProblem } from '../machine/state.js';
import type { Prefill, ViewHost } from './view-context.js';

export type PayinMethod = Extract<Method, { kind: 'PAYIN' }>;
export type FormField = CustomerField | 'bank';

/** Bre-B asks for no person type, so a document of either kind may be given. */
const ANY_DOCUMENT: readonly IdType[] = [...documentTypesFor('INDIVIDUAL'), ...documentTypesFor('BUSINESS')];

/** What the payer typed and what is wrong with it. It outlives the screen, so that going back loses nothing. */
export class DetailsForm implements ReactiveController {
  readonly #host: ViewHost;
  readonly values: Record<CustomerField, string> = {
    name: '',
    idType: '',
    idNumber: '',
    phone: '',
    email: '',
  };
  personType: PersonType = 'INDIVIDUAL';
  bank: string | null = null;
  readonly errors = new Map<FormField, FieldMessage>();
  #primed = false;
  #problems: readonly FieldProblem[] = [];
  #focusError = false;

  constructor(host: ViewHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Fills in, once, what the page or this tab already knows. */
  prime({ customer, bank }: Prefill, hint: Hint | null, hints: Hints): void {
    if (this.#primed) return;
    this.#primed = true;
    Object.assign(this.values, customer);
    const remembered = hint?.choice.kind === 'PAYIN' && hint.choice.rail === 'PSE' ? hint.choice : null;
    this.bank = remembered?.bank ?? bank;
    this.personType =
      remembered?.personType ??
      hints.personType ??
      ((customer.idType ?? hints.idType) === 'CO_NIT' ? 'BUSINESS' : 'INDIVIDUAL');
  }

  /** Takes the backend's objections, once each time they come. */
  accept(problems: readonly FieldProblem[]): void {
    if (problems === this.#problems) return;
    this.#problems = problems;
    for (const { field, code } of problems) {
      const name = field.slice(field.lastIndexOf('.') + 1) as FormField;
      if (name !== 'bank' && !(name in this.values)) continue;
      this.errors.set(name, code === 'required' ? 'required' : name === 'bank' ? 'bank' : 'refused');
    }
    this.#focusError = this.errors.size > 0;
  }

  documentTypes(method: PayinMethod): readonly IdType[] {
    return method.rail === 'PSE' ? documentTypesFor(this.personType) : ANY_DOCUMENT;
  }

  documentType(method: PayinMethod): IdType {
    const types = this.documentTypes(method);
    return types.find((type) => type === this.values.idType) ?? types[0] ?? 'CO_CC';
  }

  /** Typing mends: an error that is shown is looked at again with each stroke, but none appears while typing. */
  type(field: CustomerField, value: string, method: PayinMethod): void {
    this.values[field] = value;
    if (this.errors.has(field)) this.#check(field, method);
    if (field === 'idType' && this.values.idNumber !== '') this.#check('idNumber', method);
    this.#host.requestUpdate();
  }

  leave(field: CustomerField, method: PayinMethod): void {
    if (this.values[field].trim() !== '') this.#check(field, method);
    this.#host.requestUpdate();
  }

  setPersonType(personType: PersonType): void {
    this.personType = personType;
    // Another kind of person has another kind of document and of name.
    this.errors.clear();
    this.#host.requestUpdate();
  }

  setBank(code: string | null): void {
    this.bank = code;
    if (code !== null) this.errors.delete('bank');
    this.#host.requestUpdate();
  }

  leaveBank(typed: boolean): void {
    if (typed && this.bank === null) this.errors.set('bank', 'bank');
    this.#host.requestUpdate();
  }

  /** The choice when everything is in order; null, with the first error focused, when something is not. */
  submit(method: PayinMethod): Choice | null {
    this.errors.clear();
    const bank =
      method.rail === 'PSE' ? method.banks.find(({ code }) => code === this.bank)?.code : undefined;
    if (method.rail === 'PSE' && bank === undefined) this.errors.set('bank', 'bank');
    const customer: GivenCustomer = {};
    for (const field of method.requires) {
      const value = this.#check(field, method);
      if (value !== null) Object.assign(customer, { [field]: value });
    }
    if (this.errors.size > 0) {
      this.#focusError = true;
      this.#host.requestUpdate();
      return null;
    }
    const given = method.requires.length > 0 ? { customer } : {};
    if (method.rail === 'BRE_B') return { kind: 'PAYIN', rail: 'BRE_B', keyType: method.keyType, ...given };
    return bank === undefined
      ? null
      : { kind: 'PAYIN', rail: 'PSE', bank, personType: this.personType, ...given };
  }

  hostUpdated(): void {
    if (!this.#focusError) return;
    const first = this.#host.renderRoot.querySelector<HTMLElement>('[aria-invalid="true"]');
    if (!first) return;
    this.#focusError = false;
    first.focus();
  }

  /** The field's value as it is sent, or null with its error noted. */
  #check(field: CustomerField, method: PayinMethod): string | null {
    const idType = this.documentType(method);
    if (field === 'idType') return idType;
    const text = this.values[field];
    const parsed = {
      name: parseName,
      phone: parsePhone,
      email: parseEmail,
      idNumber: (typed: string) => parseDocument(idType, typed),
    }[field](text);
    if (parsed.ok) {
      this.errors.delete(field);
      return parsed.value;
    }
    this.errors.set(field, explain(field, idType, parsed.reason));
    return null;
  }
}

function explain(field: Exclude<CustomerField, 'idType'>, idType: IdType, reason: string): FieldMessage {
  if (reason === 'required') return 'required';
  if (field !== 'idNumber') return field;
  return reason === 'check_digit' ? 'nitCheckDigit' : idType;
}
