import { type TemplateResult, css, html, nothing } from 'lit';
import type { CustomerField, Merchant, Method } from '../../../contract/offer.js';
import { PERSON_TYPES } from '../../../contract/kinds.js';
import { isAlike } from '../../../machine/methods.js';
import type { Choice } from '../../../machine/input.js';
import type { Creating, Details, State } from '../../../machine/state.js';
import { DetailsForm, type PayinMethod } from './details-form.js';
import type { PseContext } from '../context.js';
import { safeAddress } from '../safe-address.js';
import { bankField } from './bank-field.js';
import {
  type Drawn,
  creatingWords,
  help,
  icon,
  isSlow,
  mainButton,
  notice,
  sideButton,
  title,
} from '../../opening/common.js';
import { stillOpen } from '../ways.js';
import { CHEVRON, errorOf, labelled, textField, valueOf } from './field.js';

/** Only what is missing. The form stays on screen, busy, while the payment is being created. */
export function renderDetails(
  screen: Details | Creating,
  { hint, config }: State,
  context: PseContext,
): Drawn {
  const { messages, helper, announce, send } = context;
  const { offer, methods, replacing } = screen;
  const method = screen.phase === 'details' ? screen.method : chosen(methods, screen.choice);
  if (!method) return nothing;
  const form = helper(DetailsForm);
  form.prime(method, context.prefill, hint, offer.hints, config.order ?? replacing?.order ?? '');
  if (screen.phase === 'details') form.accept(screen.problems);

  const pse = method.rail === 'PSE';
  const busy = screen.phase === 'creating' ? creatingWords(screen.choice, messages) : null;
  const submit = (event: Event) => {
    event.preventDefault();
    if (busy) return;
    const choice = form.submit(method);
    if (choice) send({ type: 'submit', choice, idempotencyKey: context.newKey() });
    else announce(messages.errorSummary(form.errors.size));
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
    ${stillOpen(replacing, context)} ${noBanks ? notice(messages.banksUnavailable, 'caution') : nothing}
    ${
      noBanks
        ? help(offer.merchant, messages)
        : html`<div class="fields" ?inert=${busy !== null}>
            ${fieldSet(method, form, context)}
            ${knownWords ? html`<p class="hint">${messages.known(knownWords)}</p>` : nothing}
            ${context.prefill.mayRemember && method.requires.length > 0 ? rememberField(offer.merchant, form, context) : nothing}
          </div>`
    }
    ${noBanks || (!pse && method.requires.length === 0) ? nothing : policies(offer.merchant, messages)}
    <div class="row end">
      ${(canGoBack && !busy) || isSlow(screen) ? sideButton(messages.back, () => send({ type: 'back' })) : nothing}
      ${noBanks ? nothing : mainButton(pse ? messages.goToBank : messages.payBreb, null, busy)}
    </div>
  </form>`;
}

/** Remembering the details on the device: off unless the payer asks for it, and deleted where it was asked for. */
function rememberField(
  { name }: Merchant,
  form: DetailsForm,
  { messages, announce }: PseContext,
): TemplateResult {
  const tick = (event: Event) => form.setRemembers((event.target as HTMLInputElement).checked);
  const remove = () => {
    form.deleteRemembered();
    announce(messages.keptDeleted);
  };
  return html`<div class="remember">
    <label>
      <input type="checkbox" aria-describedby="remember-note" .checked=${form.remembers} @change=${tick} />
      <span>${messages.keepDetails}</span>
    </label>
    <p class="hint" id="remember-note">${messages.keepConsent(name)}</p>
    ${form.isRemembered ? sideButton(messages.deleteKept, remove, 'small') : nothing}
  </div>`;
}

/** Where personal data are given: what the merchant does with them, and on which terms it sells. */
function policies({ name, privacyUrl, termsUrl }: Merchant, messages: PseContext['messages']): Drawn {
  const link = (address: string | undefined, words: string) => {
    const safe = address && safeAddress(address, null);
    return safe ? html`<a href=${safe} target="_blank" rel="noopener">${words}</a>` : nothing;
  };
  const [privacy, terms] = [link(privacyUrl, messages.privacyPolicy), link(termsUrl, messages.terms)];
  if (privacy === nothing && terms === nothing) return nothing;
  return html`<p class="hint" part="policies">
    ${privacy === nothing ? nothing : html`${messages.dataUse(name)} ${privacy}.`} ${terms}
  </p>`;
}

/** The method that the form was filled in for. */
function chosen(methods: readonly Method[], choice: Choice): PayinMethod | undefined {
  return methods.find((method): method is PayinMethod => method.kind === 'PAYIN' && isAlike(method, choice));
}

/** Only what is missing, in this order. */
function fieldSet(method: PayinMethod, form: DetailsForm, context: PseContext): TemplateResult {
  const { messages } = context;
  const pse = method.rail === 'PSE';
  const business = pse && form.personType === 'BUSINESS';
  const asked = (field: CustomerField, drawn: TemplateResult) =>
    method.requires.includes(field) ? [drawn] : [];
  const reach = [
    ...asked('email', textField('email', form, messages, 'email', 'email')),
    ...asked(
      'phone',
      textField('phone', form, messages, 'tel', 'tel', messages.fields.phone, messages.phoneHint),
    ),
  ];
  return html`${pse ? html`${personField(form, messages)} ${bankField(form, context)}` : nothing}
  ${documentFields(method, form, messages)}
  ${asked(
    'name',
    business
      ? textField('name', form, messages, 'text', 'organization', messages.businessName)
      : textField('name', form, messages, 'text', 'name'),
  )}
  ${reach.length > 0 ? html`<div class="reach">${reach}</div>` : nothing}`;
}

function personField(form: DetailsForm, messages: PseContext['messages']): TemplateResult {
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

/** The two halves of a document stand side by side. One type leaves nothing to choose: its name is the label. */
function documentFields(
  { requires }: PayinMethod,
  form: DetailsForm,
  messages: PseContext['messages'],
): Drawn {
  const { documentTypes, documentType } = form;
  const asksNumber = requires.includes('idNumber');
  const chooses = requires.includes('idType') && !(asksNumber && documentTypes.length === 1);
  const error = errorOf('idType', form, messages);
  const select = html`<div class="select">
    <select
      id="idType"
      part="input"
      class="input"
      aria-invalid=${!!error}
      aria-describedby=${error ? 'idType-note' : 'document-hint'}
      @change=${(event: Event) => form.type('idType', valueOf(event))}
    >
      ${documentTypes.map(
        (type) =>
          html`<option value=${type} .selected=${type === documentType}>${messages.idTypes[type]}</option>`,
      )}
    </select>
    ${icon(CHEVRON)}
  </div>`;
  const digits = documentType === 'CO_CC' || documentType === 'CO_NIT';
  const label = chooses ? messages.fields.idNumber : messages.idTypeNames[documentType];
  const number = asksNumber
    ? textField('idNumber', form, messages, digits ? 'numeric' : 'text', 'off', label)
    : nothing;
  if (!chooses) return number;
  return html`<div class="two">
    ${labelled('idType', messages.document, select, error)}${number}
    <p class="hint" id="document-hint">${messages.documentHint}</p>
  </div>`;
}

export const detailsStyles = css`
  .fields,
  .reach {
    display: contents;
    gap: inherit;
  }
  .remember {
    display: flex;
    flex-direction: column;
    align-items: start;
    gap: 2px;
  }
  .remember label {
    display: flex;
    gap: 10px;
    align-items: center;
    min-block-size: 44px;
    font-size: 0.9375em;
    cursor: pointer;
  }
  .remember input {
    inline-size: 20px;
    block-size: 20px;
    flex: none;
    accent-color: var(--_accent);
  }
  .remember .btn {
    margin-block-start: 6px;
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
    display: flex;
    padding: 3px;
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) - 2px);
    background: var(--_surface-sunken);
  }
  .seg label {
    flex: 1;
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
    display: flex;
    align-items: center;
    justify-content: center;
    padding: 4px 6px;
    text-align: center;
    border-radius: var(--_inner);
    font-size: 0.9375em;
    line-height: 1.25;
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
    display: flex;
    flex-wrap: wrap;
    gap: 12px;
  }
  .two > *,
  .reach > * {
    flex: 1;
    min-inline-size: 0;
  }
  .two > :nth-child(2) {
    flex-grow: 1.6;
  }
  .two > p {
    flex-basis: 100%;
    margin-block-start: -4px;
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
      gap: inherit;
    }
    .two > * {
      flex-basis: 100%;
    }
  }
  @container (min-width: 37.5em) {
    .reach {
      display: flex;
    }
  }
  @media (forced-colors: active) {
    .seg :checked + span,
    .on {
      outline: 2px solid Highlight;
      outline-offset: -2px;
    }
  }
`;
