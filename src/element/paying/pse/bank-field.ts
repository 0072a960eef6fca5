import { type TemplateResult, css, html, nothing } from 'lit';
import type { DetailsForm } from './details-form.js';
import type { PseContext } from '../context.js';
import { icon } from '../../opening/common.js';
import { initials } from '../../opening/screen.js';
import { CHEVRON, errorOf, labelled, valueOf } from './field.js';

/** The bank picker: a field to search in and a list to choose from. */
export function bankField(form: DetailsForm, { messages, announce }: PseContext): TemplateResult {
  const { picker } = form;
  const { open, active, text } = picker;
  const matches = open ? picker.matches : [];
  const error = errorOf('bank', form, messages);
  const toggle = (event: Event) => {
    ((event.currentTarget as Element).previousElementSibling as HTMLElement).focus();
    picker.toggle();
  };
  // The field keeps the focus while the list is pressed, so that leaving the field means leaving it.
  const hold = (event: Event) => event.preventDefault();
  const control = html`<div class="combo ${picker.above ? 'above' : ''}">
    <input
      id="bank"
      part="input"
      class="input"
      type="text"
      role="combobox"
      autocomplete="off"
      autocapitalize="off"
      spellcheck="false"
      aria-label=${messages.bank}
      placeholder=${messages.bankPlaceholder}
      aria-autocomplete="list"
      aria-expanded=${open}
      aria-controls="banks"
      aria-activedescendant=${matches[active] ? `bank-${active}` : nothing}
      aria-required="true"
      aria-invalid=${!!error}
      aria-describedby=${error ? 'bank-note' : nothing}
      .value=${text}
      @input=${(event: Event) => announce(messages.banksFound(picker.write(valueOf(event))))}
      @keydown=${(event: KeyboardEvent) => picker.key(event)}
      @click=${() => open || picker.toggle()}
      @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
      @blur=${() => picker.leave()}
    />
    <button
      class="chevron"
      type="button"
      tabindex="-1"
      aria-label=${messages.showBanks}
      aria-controls="banks"
      aria-expanded=${open}
      @mousedown=${hold}
      @click=${toggle}
    >
      ${icon(CHEVRON)}
    </button>
    <ul
      id="banks"
      part="listbox"
      role="listbox"
      aria-label=${messages.bank}
      ?hidden=${matches.length === 0}
      @mousedown=${hold}
    >
      ${matches.map(
        (bank, index) =>
          // eslint-disable-next-line lit-a11y/click-events-have-key-events -- The field has the focus and takes the keys.
          html`<li
            id="bank-${index}"
            part="option"
            role="option"
            class=${index === active ? 'on' : ''}
            aria-selected=${bank === form.bank}
            @click=${() => picker.pick(bank)}
          >
            <span class="ico" aria-hidden="true">${initials(bank.name.replace(/^banco (de )?/i, ''))}</span>
            <span>${bank.name}</span>
          </li>`,
      )}
    </ul>
    ${
      open && matches.length === 0
        ? html`<p class="none" @mousedown=${hold}>${messages.bankNone(text)}</p>`
        : nothing
    }
  </div>`;
  return labelled('bank', messages.bank, control, error);
}

export const bankFieldStyles = css`
  .combo {
    position: relative;
  }
  .combo input {
    padding-inline-end: 48px;
    text-overflow: ellipsis;
  }
  .chevron {
    position: absolute;
    inset-block: 1px;
    inset-inline-end: 1px;
    inline-size: 46px;
    padding: 0;
    border: 0;
    background: none;
    color: var(--_text-muted);
    display: flex;
    align-items: center;
    justify-content: center;
    cursor: pointer;
  }
  .combo ul,
  .none {
    position: absolute;
    z-index: 2;
    inset-block-start: calc(100% + 6px);
    inset-inline: 0;
    max-block-size: 276px;
    overflow-y: auto;
    overscroll-behavior: contain;
    padding: 6px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface-raised);
    box-shadow: 0 12px 32px -8px rgb(16 24 40/0.3);
    list-style: none;
  }
  .above ul,
  .above .none {
    inset-block: auto calc(100% + 6px);
  }
  .none {
    padding: 14px 16px;
    font-size: 0.9375em;
    color: var(--_text-muted);
  }
  .combo li {
    display: flex;
    gap: 12px;
    align-items: center;
    min-block-size: 44px;
    padding: 6px 12px;
    border-radius: var(--_inner);
    cursor: pointer;
  }
  .combo .ico {
    inline-size: 32px;
    block-size: 32px;
    font-size: 0.75em;
    font-weight: 650;
  }
  .combo li:hover,
  .on {
    background: var(--_surface-sunken);
  }
  .on {
    box-shadow: inset 0 0 0 2px var(--_focus);
  }
  [aria-selected='true'] {
    font-weight: 600;
    color: var(--_accent);
  }
`;
