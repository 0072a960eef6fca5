import { type TemplateResult, html, nothing } from 'lit/html.js';
import { css } from '../css.js';

export const CHEVRON = 'm6 9 6 6 6-6';

export interface FieldWords {
  readonly label: string;
  readonly error: string | undefined;
  readonly hint?: string;
}

export interface FieldInput {
  readonly type?: 'text' | 'tel' | 'email';
  readonly mode?: 'text' | 'numeric' | 'tel' | 'email';
  readonly autocomplete: AutoFill;
  readonly value: string;
  readonly typed: (value: string) => void;
  readonly left: () => void;
}

/** A text field with its label, what helps to fill it, and what is wrong with it. */
export function textField(id: string, words: FieldWords, input: FieldInput): TemplateResult {
  const { label, error, hint } = words;
  const { type = 'text', mode = 'text', autocomplete } = input;
  return html`<div class="field" part="field">
    <label for=${id}>${label}</label>
    <input
      id=${id}
      part="input"
      class="input"
      type=${type}
      name=${id}
      inputmode=${mode}
      autocomplete=${autocomplete}
      autocapitalize=${autocomplete === 'name' ? 'words' : 'off'}
      spellcheck="false"
      maxlength="256"
      aria-required="true"
      aria-invalid=${error ? 'true' : 'false'}
      aria-describedby=${error ? `${id}-error` : hint ? `${id}-hint` : nothing}
      .value=${input.value}
      @input=${(event: Event) => input.typed((event.target as HTMLInputElement).value)}
      @blur=${input.left}
    />
    ${hint && !error ? html`<p class="hint" id="${id}-hint">${hint}</p>` : nothing} ${fieldError(id, error)}
  </div>`;
}

export function fieldError(id: string, error: string | undefined): TemplateResult | typeof nothing {
  return error ? html`<p class="error" id="${id}-error" part="error">${error}</p>` : nothing;
}

export const fieldStyles = css`
  .field {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: 6px;
    align-content: start;
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
  }
  .input::placeholder {
    color: var(--_text-muted);
    opacity: 1;
  }
  .input:focus {
    outline: 2px solid var(--_focus);
    outline-offset: -1px;
  }
  .input[aria-invalid='true'] {
    border-color: var(--_negative);
    box-shadow: inset 0 0 0 1px var(--_negative);
  }
  .hint,
  .error {
    font-size: 0.8125em;
    line-height: 1.4;
    color: var(--_text-muted);
  }
  .error {
    color: var(--_negative);
  }
`;
