import { type TemplateResult, html, nothing } from 'lit/html.js';
import type { CustomerField, Method, PseMethod } from '../../contract/backend.js';
import { type IdType, PERSON_TYPES } from '../../contract/identity.js';
import type { Choice, Hint } from '../../machine/input.js';
import type { Creating, Details } from '../../machine/state.js';
import { css } from '../css.js';
import { DetailsForm, type PayinMethod } from '../details-form.js';
import { viewsFor } from '../views-for.js';
import type { ViewContext } from '../view-context.js';
import { bankField, bankFieldStyles } from './bank-field.js';
import { type Drawn, creatingWords, help, icon, mainButton, notice, sideButton, title } from './common.js';
import { CHEVRON, type FieldInput, fieldError, fieldStyles, textField } from './field.js';

/** Only what is missing. The form stays on screen, busy, while the payment is being created. */
export function renderDetails(screen: Details | Creating, hint: Hint | null, context: ViewContext): Drawn {
  const { messages, views, send } = context;
  const { offer, methods, replacing } = screen;
  const method = screen.phase === 'details' ? screen.method : chosen(methods, screen.choice);
  if (!method) return nothing;
  const form = views.keep(DetailsForm);
  form.prime(context.prefill, hint, offer.hints);
  if (screen.phase === 'details') form.accept(screen.problems);
  views.want(...viewsFor(method));

  const pse = method.rail === 'PSE';
  const waiting = context.waiting ? messages.loading : null;
  const busy = screen.phase === 'creating' ? creatingWords(screen.choice, messages) : waiting;
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const choice = form.submit(method);
    if (choice) send({ type: 'submit', choice, idempotencyKey: context.newKey() });
    else views.announce(messages.errorSummary(form.errors.size));
  };
  const { idType: _type, personType: _person, ...known } = offer.hints;
  const knownWords = Object.values(known).filter(Boolean).join(' · ');
  const noBanks = pse && method.banks.length === 0;
  const canGoBack = methods.length > 1 || replacing !== null;

  return html`<form class="body" part="body" novalidate @submit=${submit}>
    <div class="head">
      ${title(pse ? messages.detailsTitlePse : messages.detailsTitleBreb, pse ? messages.detailsLeadPse : nothing)}
      ${pse ? html`<slot name="pse-logo"></slot>` : nothing}
    </div>
    ${replacing ? notice(messages.doNotPayTwice, 'caution') : nothing}
    ${noBanks ? notice(messages.banksUnavailable, 'caution') : nothing}
    ${noBanks ? help(offer.merchant, messages) : fieldSet(method, form, knownWords, busy !== null, context)}
    <div class="row end">
      ${canGoBack && !busy ? sideButton(messages.back, () => send({ type: 'back' })) : nothing}
      ${
        noBanks
          ? nothing
          : mainButton(
              pse ? messages.goToBank : method.keyType === 'QR_CODE' ? messages.getQr : messages.getKey,
              null,
              busy,
            )
      }
    </div>
  </form>`;
}

/** The method that the form was filled in for. */
function chosen(methods: readonly Method[], choice: Choice): PayinMethod | undefined {
  return methods.find(
    (method): method is PayinMethod =>
      method.kind === choice.kind &&
      method.rail === choice.rail &&
      (!('keyType' in method && 'keyType' in choice) || method.keyType === choice.keyType),
  );
}

function fieldSet(
  method: PayinMethod,
  form: DetailsForm,
  known: string,
  busy: boolean,
  context: ViewContext,
): TemplateResult {
  const { messages } = context;
  return html`<div class="stack" ?inert=${busy}>
    ${method.rail === 'PSE' ? bankFields(method, form, context) : nothing}
    ${documentFields(method, form, context)} ${fields(method, form, context)}
    ${known ? html`<p class="hint">${messages.known(known)}</p>` : nothing}
  </div>`;
}

function bankFields({ banks }: PseMethod, form: DetailsForm, context: ViewContext): TemplateResult {
  const picking = {
    banks,
    chosen: form.bank,
    choose: (code: string | null) => form.setBank(code),
    left: (typed: boolean) => form.leaveBank(typed),
    found: context.messages.banksFound,
  };
  return html`${personField(form, context)}
  ${bankField(picking, { error: errorOf('bank', form, context) }, context)}`;
}

function errorOf(
  field: CustomerField | 'bank',
  { errors }: DetailsForm,
  { messages }: ViewContext,
): string | undefined {
  const error = errors.get(field);
  return error && messages.fieldErrors[error];
}

function personField(form: DetailsForm, { messages }: ViewContext): TemplateResult {
  return html`<fieldset class="seg" part="person-type">
    <legend class="sr">${messages.personType}</legend>
    ${PERSON_TYPES.map(
      (type) =>
        html`<label>
          <input
            type="radio"
            name="personType"
            .checked=${form.personType === type}
            @change=${() => form.setPersonType(type)}
          /><span>${type === 'BUSINESS' ? messages.business : messages.individual}</span>
        </label>`,
    )}
  </fieldset>`;
}

/** The two halves of a document stand side by side. */
function documentFields(method: PayinMethod, form: DetailsForm, context: ViewContext) {
  const { messages } = context;
  const types = form.documentTypes(method);
  const asksType = method.requires.includes('idType');
  const asksNumber = method.requires.includes('idNumber');
  const type = form.documentType(method);
  const select = html`<div class="field" part="field">
    <label for="idType">${messages.document}</label>
    <div class="select">
      <select
        id="idType"
        part="input"
        class="input"
        aria-invalid=${errorOf('idType', form, context) ? 'true' : 'false'}
        aria-describedby=${errorOf('idType', form, context) ? 'idType-error' : nothing}
        @change=${(event: Event) => form.type('idType', (event.target as HTMLSelectElement).value, method)}
      >
        ${types.map(
          (each: IdType) =>
            html`<option value=${each} .selected=${each === type}>${messages.idTypes[each]}</option>`,
        )}
      </select>
      ${icon(CHEVRON)}
    </div>
    ${fieldError('idType', errorOf('idType', form, context))}
  </div>`;
  const number = text('idNumber', messages.fields.idNumber, method, form, context, {
    mode: type === 'CO_CC' || type === 'CO_NIT' ? 'numeric' : 'text',
    autocomplete: 'off',
  });
  if (!asksNumber) return asksType ? select : nothing;
  // One type leaves nothing to choose: its name is the label.
  if (!asksType || types.length === 1) {
    return text('idNumber', messages.idTypeNames[type], method, form, context, {
      mode: 'numeric',
      autocomplete: 'off',
    });
  }
  return html`<div class="two">${select}${number}</div>`;
}

function fields(method: PayinMethod, form: DetailsForm, context: ViewContext) {
  const { messages } = context;
  const business = method.rail === 'PSE' && form.personType === 'BUSINESS';
  const label = business ? messages.businessName : messages.fields.name;
  const drawn = {
    name: () =>
      text('name', label, method, form, context, { autocomplete: business ? 'organization' : 'name' }),
    phone: () =>
      text(
        'phone',
        messages.fields.phone,
        method,
        form,
        context,
        { type: 'tel', mode: 'tel', autocomplete: 'tel' },
        messages.phoneHint,
      ),
    email: () =>
      text('email', messages.fields.email, method, form, context, {
        type: 'email',
        mode: 'email',
        autocomplete: 'email',
      }),
  };
  const shown = (...names: (keyof typeof drawn)[]) =>
    names.filter((field) => method.requires.includes(field)).map((field) => drawn[field]());
  const reach = shown('email', 'phone');
  return html`${shown('name')} ${reach.length > 0 ? html`<div class="stack reach">${reach}</div>` : nothing}`;
}

function text(
  field: CustomerField,
  label: string,
  method: PayinMethod,
  form: DetailsForm,
  context: ViewContext,
  input: Pick<FieldInput, 'type' | 'mode' | 'autocomplete'>,
  hint?: string,
): TemplateResult {
  return textField(
    field,
    { label, error: errorOf(field, form, context), ...(hint && { hint }) },
    {
      ...input,
      value: form.values[field],
      typed: (value) => form.type(field, value, method),
      left: () => form.leave(field, method),
    },
  );
}

export const detailsStyles = css`
  ${fieldStyles}
  ${bankFieldStyles}
  .stack {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_space) * 5);
  }
  .head {
    display: flex;
    gap: 16px;
    justify-content: space-between;
    align-items: start;
  }
  .head slot {
    display: block;
    flex: none;
    max-inline-size: 72px;
  }
  .seg {
    display: grid;
    grid-template-columns: 1fr 1fr;
    padding: 3px;
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) - 2px);
    background: var(--_surface-sunken);
  }
  .seg label {
    position: relative;
    cursor: pointer;
  }
  .seg input {
    position: absolute;
    inset: 0;
    inline-size: 100%;
    block-size: 100%;
    opacity: 0;
    cursor: inherit;
  }
  .seg span {
    min-block-size: 44px;
    display: grid;
    place-items: center;
    border-radius: var(--_inner);
    font-size: 0.9375em;
    font-weight: 550;
    color: var(--_text-muted);
    transition: background-color 0.15s;
  }
  .seg :checked + span {
    background: var(--_surface-raised);
    color: var(--_text);
    box-shadow: 0 1px 2px rgb(0 0 0/0.16);
  }
  .seg :focus-visible + span {
    outline: 2px solid var(--_focus);
    outline-offset: 1px;
  }
  .two {
    display: grid;
    grid-template-columns: minmax(0, 1fr) minmax(0, 1.6fr);
    gap: 12px;
  }
  .select {
    position: relative;
  }
  select.input {
    appearance: none;
    padding-inline-end: 36px;
    text-overflow: ellipsis;
  }
  .select svg,
  .chevron svg {
    inline-size: 18px;
    block-size: 18px;
    color: var(--_text-muted);
  }
  .select svg {
    position: absolute;
    inset-block: 0;
    inset-inline-end: 12px;
    margin-block: auto;
    pointer-events: none;
  }
  @container (max-width: 20em) {
    .two {
      grid-template-columns: minmax(0, 1fr);
      gap: inherit;
    }
  }
  @container (min-width: 37.5em) {
    .reach {
      grid-auto-flow: column;
      grid-auto-columns: minmax(0, 1fr);
      grid-template-columns: none;
    }
  }
  @media (forced-colors: active) {
    .seg :checked + span {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
