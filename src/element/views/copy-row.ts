import { type TemplateResult, css, html, nothing } from 'lit';
import { Copier } from '../controllers/copier.js';
import type { ViewContext } from '../host.js';
import { icon } from './common.js';

const CHECK = 'm5 12.5 4.5 4.5L19 7.5';

interface Copyable {
  readonly label: string;
  /** What the payer sees; `text` is what is copied. */
  readonly shown: string;
  readonly text: string;
  /** The button's whole name, and what is said when it worked. */
  readonly action: string;
  readonly done: string;
  readonly look?: 'money' | 'address';
}

/** Something to copy, with a button that says whether it worked. */
export function copyRow(item: Copyable, { messages, keep }: ViewContext): TemplateResult {
  const copier = keep(Copier);
  const copied = copier.copied === item.text;
  const press = (event: Event) => {
    const value = (event.currentTarget as Element).parentElement?.querySelector('.value');
    if (value) void copier.copy(item.text, value, item.done, messages.copyFailed);
  };
  return html`<div class="copyrow" part="copy-row">
    <div>
      <span class="cap">${item.label}</span>
      <span class="value ${item.look ?? ''}" part="copy-value" dir="ltr">${item.shown}</span>
    </div>
    <button class="btn ghost small ${copied ? 'done' : ''}" part="copy-button" type="button" @click=${press}>
      ${
        copied
          ? html`${icon(CHECK)}${messages.copied}`
          : html`<span aria-hidden="true">${messages.copy}</span><span class="sr">${item.action}</span>`
      }
    </button>
    ${copier.failed === item.text ? html`<p class="failed">${messages.copyFailed}</p>` : nothing}
  </div>`;
}

export const copyRowStyles = css`
  .small {
    inline-size: auto;
    min-block-size: 44px;
    padding: 6px 14px;
    border-radius: var(--_inner);
    font-size: 0.875em;
  }
  .copyrow {
    position: relative;
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    align-items: center;
    gap: 8px 12px;
    padding: 12px;
    padding-inline-start: 16px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface-sunken);
  }
  .copyrow .btn {
    background: var(--_surface);
    min-inline-size: 6em;
  }
  .copyrow svg {
    inline-size: 16px;
    block-size: 16px;
    stroke-width: 2.5;
  }
  .cap {
    display: block;
    font-size: 0.8125em;
    line-height: 1.3;
    color: var(--_text-muted);
  }
  .value {
    display: block;
    font: 600 1.125em/1.35 var(--pay-font-mono, ui-monospace, 'Cascadia Mono', Menlo, monospace);
    letter-spacing: -0.01em;
    text-align: start;
    -webkit-user-select: all;
    user-select: all;
  }
  .value.money {
    font-family: inherit;
    font-size: 1.25em;
    font-variant-numeric: tabular-nums;
  }
  .copyrow .done {
    border-color: transparent;
    background: var(--_positive-tint);
    color: var(--_positive);
  }
  .failed {
    grid-column: 1/-1;
    font-size: 0.875em;
    line-height: 1.4;
    color: var(--_caution);
  }
  @container (max-width: 19em) {
    .copyrow {
      grid-template-columns: minmax(0, 1fr);
      padding: 12px;
    }
  }
`;
