import { type TemplateResult, css, html, nothing } from 'lit';
import { Copier } from './copier.js';
import type { KeyContext } from '../context.js';

/** Longer than this, in characters, is written smaller: a key is read on one line. */
const LONG = 16;

export interface Copyable {
  readonly label: string;
  /** What the payer sees; `text` is what is copied. */
  readonly shown: string;
  readonly text: string;
  /** What a screen reader says instead of what is seen. */
  readonly spoken?: string;
  /** The button's whole name, and what is said when it worked. */
  readonly action: string;
  readonly done: string;
  readonly look?: 'money' | 'address';
}

const failedWords = ({ messages, touch }: KeyContext): string =>
  touch ? messages.copyFailed : messages.copyFailedKeys;

/** What a button does that copies it, wherever on the screen the button is. */
export function copies(item: Copyable, context: KeyContext, leaves = false): (event: Event) => void {
  return ({ currentTarget }) => {
    const values = ((currentTarget as Element).getRootNode() as ShadowRoot).querySelectorAll('.value');
    const value = [...values].find(({ textContent }) => textContent === item.shown);
    if (value) void context.helper(Copier).copy(item.text, value, item.done, failedWords(context), leaves);
  };
}

/** Something to copy, with a button that says whether it worked; `bare` where the screen has a button of its own for it. */
export function copyRow(item: Copyable, context: KeyContext, bare = false): TemplateResult {
  const { messages, helper } = context;
  const copier = helper(Copier);
  const copied = copier.copied === item.text;
  return html`<div class="copyrow" part="copy-row">
    <div>
      <span class="cap">${item.label}</span>
      <span
        class="value ${item.look ?? ''} ${item.shown.length > LONG ? 'long' : ''}"
        part="copy-value"
        dir="ltr"
        aria-hidden=${item.spoken ? 'true' : nothing}
        >${item.shown}</span
      >${item.spoken ? html`<span class="sr">${item.spoken}</span>` : nothing}
    </div>
    ${
      bare
        ? nothing
        : html`<button
            class="btn ghost small ${copied ? 'done' : ''}"
            part="copy-button"
            type="button"
            @click=${copies(item, context)}
          >
            ${copied ? messages.copied : short(item.action, messages.copy)}
          </button>`
    }
    ${copier.failed === item.text ? html`<p class="failed">${failedWords(context)}</p>` : nothing}
  </div>`;
}

/** One word to look at, the whole name to hear. */
const short = (action: string, word: string) =>
  html`<span aria-hidden="true">${word}</span><span class="sr">${action}</span>`;

export const copyRowStyles = css`
  .copyrow {
    position: relative;
    display: flex;
    flex-wrap: wrap;
    align-items: center;
    gap: 8px 12px;
    padding: 12px;
    padding-inline-start: 16px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface-sunken);
  }
  .copyrow > div {
    flex: 1;
    min-inline-size: 0;
  }
  .copyrow .btn {
    background: var(--_surface);
    min-inline-size: 6em;
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
  .value.long:not(.address) {
    font-size: 0.9375em;
  }
  .copyrow .done {
    border-color: transparent;
    background: var(--_positive-tint);
    color: var(--_positive);
  }
  .copyrow .failed {
    flex-basis: 100%;
  }
  @container (max-width: 24em) {
    .value.long:not(.address) {
      font-size: 0.8125em;
    }
  }
  @container (max-width: 19em) {
    .value.long:not(.address) {
      font-size: 0.9375em;
    }
    .copyrow {
      padding: 12px;
    }
    .copyrow > * {
      flex-basis: 100%;
    }
  }
`;
