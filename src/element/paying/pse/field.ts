import { type TemplateResult, css, html, nothing } from 'lit';
import type { CustomerField } from '../../../contract/offer.js';
import type { PseContext } from '../context.js';
import type { DetailsForm, FormField } from './details-form.js';

export const CHEVRON = 'm6 9 6 6 6-6';

/** What is wrong with a field, said as how to mend it. */
export function errorOf(
  field: FormField,
  { errors }: DetailsForm,
  { fieldErrors }: PseContext['messages'],
): string | undefined {
  const error = errors.get(field);
  return error && fieldErrors[error];
}

/** A field between its label and a note: what is wrong with it, else what helps to fill it in. */
export function labelled(
  field: FormField,
  label: string,
  control: TemplateResult,
  error: string | undefined,
  hint?: string,
): TemplateResult {
  return html`<div class="field" part="field">
    <label for=${field}>${label}</label>
    ${control} ${error ? html`<p class="error" id="${field}-note" part="error">${error}</p>` : nothing}
    ${hint && !error ? html`<p class="hint" id="${field}-note">${hint}</p>` : nothing}
  </div>`;
}

export const valueOf = (event: Event): string => (event.target as HTMLInputElement).value;

/** `mode` and `autocomplete` are what keyboards and browsers need to help. */
export function textField(
  field: CustomerField,
  form: DetailsForm,
  messages: PseContext['messages'],
  mode: 'text' | 'numeric' | 'tel' | 'email',
  autocomplete: AutoFill,
  label = messages.fields[field],
  hint?: string,
): TemplateResult {
  const error = errorOf(field, form, messages);
  return labelled(
    field,
    label,
    html`<input
      id=${field}
      part="input"
      class="input"
      type=${mode === 'numeric' ? 'text' : mode}
      name=${field}
      inputmode=${mode}
      autocomplete=${autocomplete}
      autocapitalize=${autocomplete === 'name' ? 'words' : 'off'}
      spellcheck="false"
      maxlength="256"
      aria-required="true"
      aria-invalid=${!!error}
      aria-describedby=${(error ?? hint) ? `${field}-note` : nothing}
      .value=${form.values[field]}
      @input=${(event: Event) => form.type(field, valueOf(event))}
      @blur=${() => form.leave(field)}
    />`,
    error,
    hint,
  );
}

export const fieldStyles = css`
  .field {
    display: flex;
    flex-direction: column;
    gap: 6px;
  }
  .field label {
    font-size: 0.875em;
    font-weight: 550;
  }
  .input {
    inline-size: 100%;
    min-block-size: 48px;
    padding: 8px 14px;
    border: 1px solid var(--_border-strong);
    border-radius: var(--_inner);
    background: var(--_surface-raised);
    color: inherit;
    font: inherit;
    line-height: 1.25;
    outline-offset: -1px;
  }
  .input::placeholder {
    color: var(--_text-muted);
    opacity: 1;
  }
  .input[aria-invalid='true'] {
    border-color: var(--_negative);
    box-shadow: inset 0 0 0 1px var(--_negative);
  }
  .error {
    font-size: 0.8125em;
    line-height: 1.4;
    color: var(--_negative);
  }
`;
