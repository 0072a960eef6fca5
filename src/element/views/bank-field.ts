import { type TemplateResult, html, nothing } from 'lit/html.js';
import type { Bank } from '../../contract/banks.js';
import { css } from '../css.js';
import { BankCombobox, type BankPicking } from '../bank-combobox.js';
import type { ViewContext } from '../view-context.js';
import { icon } from './common.js';
import { CHEVRON, type FieldWords, fieldError } from './field.js';

/** The bank picker: a field to search in and a list to choose from. */
export function bankField(
  picking: BankPicking,
  { error }: Pick<FieldWords, 'error'>,
  { messages, views }: ViewContext,
): TemplateResult {
  const combobox = views.keep(BankCombobox);
  const matches = combobox.matches(picking);
  const text = combobox.text(picking);
  const input = (event: Event) => (event.currentTarget as Element).closest('.combo')?.querySelector('input');
  const toggle = (event: Event) => {
    input(event)?.focus();
    combobox.toggle(picking);
  };
  // The field keeps the focus while the list is pressed, so that leaving the field means leaving it.
  const hold = (event: Event) => event.preventDefault();
  return html`<div class="field">
    <label id="bank-label" for="bank">${messages.bank}</label>
    <div class="combo">
      <input
        id="bank"
        part="input"
        class="input"
        type="text"
        role="combobox"
        autocomplete="off"
        autocapitalize="off"
        spellcheck="false"
        placeholder=${messages.bankPlaceholder}
        aria-labelledby="bank-label"
        aria-autocomplete="list"
        aria-expanded=${combobox.open ? 'true' : 'false'}
        aria-controls="banks"
        aria-activedescendant=${combobox.open && combobox.active >= 0 ? `bank-${combobox.active}` : nothing}
        aria-invalid=${error ? 'true' : 'false'}
        aria-describedby=${error ? 'bank-error' : nothing}
        aria-required="true"
        .value=${text}
        @input=${(event: Event) => combobox.write((event.target as HTMLInputElement).value, picking)}
        @keydown=${(event: KeyboardEvent) => combobox.key(event, picking)}
        @click=${() => combobox.open || combobox.toggle(picking)}
        @focus=${(event: Event) => (event.target as HTMLInputElement).select()}
        @blur=${() => combobox.leave(picking)}
      />
      <button
        class="chevron"
        type="button"
        tabindex="-1"
        aria-label=${messages.showBanks}
        aria-controls="banks"
        aria-expanded=${combobox.open ? 'true' : 'false'}
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
        ?hidden=${!combobox.open}
        @mousedown=${hold}
      >
        ${combobox.open ? matches.map((bank, index) => option(bank, index, combobox, picking)) : nothing}
      </ul>
      ${
        combobox.open && matches.length === 0
          ? html`<p class="none" @mousedown=${hold}>${messages.bankNone(text)}</p>`
          : nothing
      }
    </div>
    ${fieldError('bank', error)}
  </div>`;
}

function option(bank: Bank, index: number, combobox: BankCombobox, picking: BankPicking): TemplateResult {
  // eslint-disable-next-line lit-a11y/click-events-have-key-events -- The field has the focus and takes the keys.
  return html`<li
    id="bank-${index}"
    part="option"
    role="option"
    class=${index === combobox.active ? 'on' : ''}
    aria-selected=${bank.code === picking.chosen ? 'true' : 'false'}
    @click=${() => combobox.pick(bank, picking)}
  >
    ${bank.name}
  </li>`;
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
    display: grid;
    place-items: center;
    cursor: pointer;
  }
  [role='listbox'],
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
  [role='listbox']:empty {
    display: none;
  }
  .none {
    padding: 14px 16px;
    font-size: 0.9375em;
    color: var(--_text-muted);
  }
  [role='option'] {
    display: flex;
    align-items: center;
    min-block-size: 44px;
    padding: 6px 12px;
    border-radius: var(--_inner);
    cursor: pointer;
  }
  [role='option']:hover,
  [role='option'].on {
    background: var(--_surface-sunken);
  }
  [role='option'].on {
    box-shadow: inset 0 0 0 2px var(--_focus);
  }
  [aria-selected='true'] {
    font-weight: 600;
    color: var(--_accent);
  }
  @media (forced-colors: active) {
    [role='option'].on {
      outline: 2px solid Highlight;
    }
  }
`;
