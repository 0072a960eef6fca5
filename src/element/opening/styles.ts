import { css, unsafeCSS } from 'lit';
import { themedColours } from '../../look/palette.js';

/**
 * What every screen shares; each later view brings its own. Colours are the page's where it sets `--pay-*` anywhere
 * above, else ours by `color-scheme`. Browsers without `light-dark()` get the light ones. Sizes follow the page's text
 * size; layout follows the card's width, in the same unit, so that large text gets the narrow layout.
 */
export const styles = css`
  :host {
    ${unsafeCSS(themedColours('--_', 'light'))}
    --_focus: var(--pay-focus, var(--_accent));
    --_radius: var(--pay-radius, 14px);
    --_inner: calc(var(--_radius) * 0.75);
    --_space: var(--pay-space, 4px);
    --_pad: calc(var(--_space) * 6);
    display: block;
    box-sizing: border-box;
    min-inline-size: min(280px, 100%);
    max-inline-size: 48rem;
    color-scheme: light;
    color: var(--_text);
    font: 400 var(--pay-font-size, 1rem) / 1.5
      var(--pay-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    -webkit-text-size-adjust: 100%;
    text-align: start;
  }
  @supports (color: light-dark(red, red)) {
    :host {
      color-scheme: inherit;
      ${unsafeCSS(themedColours('--_', 'both'))}
    }
  }
  /* Nothing without an accent of the page's own: then ours has its own text. */
  @supports (color: contrast-color(red)) {
    :host {
      --_readable: contrast-color(var(--pay-accent));
    }
  }
  :host([hidden]) {
    display: none;
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
    margin: 0;
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .card {
    container-type: inline-size;
    overflow-wrap: anywhere;
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) + 4px);
    box-shadow: var(--pay-shadow, 0 1px 2px rgb(16 24 40/0.05), 0 8px 24px -12px rgb(16 24 40/0.18));
  }
  .summary {
    padding: calc(var(--_space) * 5) var(--_pad);
    border-block-end: 1px solid var(--_border);
  }
  .line {
    display: flex;
    flex-wrap: wrap;
    gap: 6px 12px;
    align-items: center;
  }
  .logo {
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: var(--_inner);
    background: var(--_text);
    color: var(--_surface);
    font-size: 16px;
    font-weight: 650;
  }
  .logo,
  .ico,
  .badge {
    display: flex;
    align-items: center;
    justify-content: center;
    overflow: clip;
  }
  .who {
    flex: 1 1 9em;
    min-inline-size: 0;
  }
  b {
    font-weight: 600;
  }
  .who b,
  .method b {
    line-height: 1.3;
  }
  .method b,
  .method small {
    display: block;
  }
  .who span,
  .method small {
    font-size: 0.875em;
    line-height: 1.4;
    color: var(--_text-muted);
  }
  .who > * {
    display: -webkit-box;
    -webkit-box-orient: vertical;
    -webkit-line-clamp: 2;
    overflow: clip;
  }
  .total {
    margin-inline-start: auto;
    font-size: 1.25em;
    font-weight: 650;
    line-height: 1.2;
    letter-spacing: -0.01em;
    text-align: end;
    font-variant-numeric: tabular-nums;
  }
  .amount {
    /* Goes to the next line as a whole, and is broken only where a whole line is too short for it. */
    display: inline-block;
  }
  .total small {
    display: block;
    font-size: 0.6em;
    font-weight: 500;
    letter-spacing: 0;
    color: var(--_text-muted);
  }
  @container (max-width: 24em) {
    .total {
      flex-basis: 100%;
      margin-inline-start: 0;
      text-align: start;
    }
    .total small {
      display: inline;
      margin-inline-start: 4px;
    }
  }
  .body {
    display: grid;
    grid-template-columns: minmax(0, 1fr);
    gap: calc(var(--_space) * 5);
    padding: var(--_pad);
  }
  h2 {
    font-size: 1.125em;
    font-weight: 650;
    line-height: 1.3;
    letter-spacing: -0.01em;
    text-wrap: balance;
  }
  h2:focus {
    outline: 0;
  }
  .lead {
    margin-block-start: 4px;
    font-size: 0.9375em;
    color: var(--_text-muted);
    text-wrap: pretty;
  }
  fieldset {
    border: 0;
    padding: 0;
    min-inline-size: 0;
  }
  .methods {
    display: flex;
    flex-direction: column;
    gap: 10px;
  }
  .method {
    display: flex;
    gap: 14px;
    align-items: center;
    padding: 14px 16px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_surface-raised);
  }
  .method > :nth-child(2) {
    flex: 1;
    min-inline-size: 0;
  }
  label.method {
    cursor: pointer;
  }
  label.method:hover {
    border-color: var(--_border-strong);
  }
  .method:has(:checked) {
    border-color: var(--_accent);
    box-shadow: inset 0 0 0 1px var(--_accent);
  }
  .method:focus-within:has(:focus-visible) {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .ico {
    flex: none;
    inline-size: 40px;
    block-size: 40px;
    border-radius: var(--_inner);
    background: var(--_surface-sunken);
    color: var(--_accent);
  }
  svg {
    inline-size: 22px;
    block-size: 22px;
    flex: none;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .method input {
    flex: none;
    appearance: none;
    inline-size: 20px;
    block-size: 20px;
    border: 2px solid var(--_border-strong);
    border-radius: 50%;
    cursor: inherit;
  }
  .method :checked {
    border: 6px solid var(--_accent);
  }
  .method :focus-visible {
    outline-offset: 3px;
  }
  .btn {
    display: flex;
    align-items: center;
    justify-content: center;
    gap: 8px;
    inline-size: 100%;
    min-block-size: 48px;
    padding: 8px 20px;
    border: 1px solid transparent;
    border-radius: calc(var(--_radius) - 2px);
    background: var(--_accent);
    color: var(--_on-accent);
    font: inherit;
    font-weight: 600;
    line-height: 1.25;
    text-align: center;
    text-decoration: none;
    cursor: pointer;
    transition:
      filter 0.15s,
      background-color 0.15s;
  }
  .btn:hover {
    filter: brightness(1.08);
  }
  .btn:active {
    filter: brightness(0.94);
  }
  .btn[aria-disabled='true'] {
    opacity: 0.75;
    filter: none;
    cursor: progress;
  }
  .ghost {
    background: transparent;
    border-color: var(--_border);
    color: inherit;
  }
  .ghost:hover {
    background: var(--_surface-sunken);
    filter: none;
  }
  .row {
    display: grid;
    grid-auto-columns: minmax(0, 1fr);
    gap: 10px;
  }
  .row:empty {
    display: none;
  }
  @container (min-width: 30em) {
    .row {
      grid-auto-flow: column;
    }
  }
  @container (max-width: 37.49em) {
    .row.end {
      display: flex;
      flex-wrap: wrap;
    }
    .row.end .btn {
      flex: 1 0 auto;
      inline-size: auto;
      max-inline-size: 100%;
    }
  }
  .note,
  .notice,
  .help {
    font-size: 0.875em;
    line-height: 1.45;
    color: var(--_text-muted);
  }
  .note {
    display: flex;
    gap: 8px;
    align-items: center;
    justify-content: center;
    text-align: center;
  }
  .note svg,
  .notice svg {
    inline-size: 18px;
    block-size: 18px;
  }
  .notice {
    display: flex;
    gap: 10px;
    padding: 10px 14px;
    border-radius: var(--_inner);
    background: var(--_surface-sunken);
    color: var(--_text);
  }
  .notice.caution {
    background: var(--_caution-tint);
    color: var(--_caution);
  }
  .help a {
    display: inline-block;
    padding-block: 2px;
    color: inherit;
    font-weight: 550;
    text-underline-offset: 3px;
  }
  .help {
    text-align: center;
  }
  .result {
    display: grid;
    justify-items: center;
    gap: 8px;
    text-align: center;
  }
  .badge {
    inline-size: 56px;
    block-size: 56px;
    border-radius: 50%;
    background: var(--_caution-tint);
    color: var(--_caution);
  }
  .calm {
    background: var(--_surface-sunken);
    color: var(--_accent);
  }
  .notices {
    display: grid;
    gap: 8px;
    padding: 16px var(--_pad) 0;
  }
  .badge svg {
    inline-size: 28px;
    block-size: 28px;
  }
  .spin {
    inline-size: 18px;
    block-size: 18px;
    flex: none;
    border: 2px solid currentColor;
    border-inline-end-color: transparent;
    border-radius: 50%;
    animation: spin 0.8s linear infinite;
  }
  .bone {
    display: block;
    border-radius: 6px;
    background: var(--_border);
    block-size: 1em;
    animation: breathe 1.6s ease-in-out infinite;
  }
  .bone.logo {
    block-size: 40px;
  }
  .tight {
    display: grid;
    gap: 8px;
  }
  .sum {
    inline-size: 6em;
    block-size: 1.2em;
  }
  .heading {
    block-size: 1.4625em;
  }
  .tall {
    block-size: 84px;
    border-radius: var(--_radius);
  }
  .bone.button {
    block-size: 48px;
    border-radius: calc(var(--_radius) - 2px);
  }
  .third {
    inline-size: 34%;
  }
  .half {
    inline-size: 60%;
  }
  .sr {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
  }
  @media print {
    .place {
      min-block-size: 0 !important;
    }
  }
  @keyframes spin {
    to {
      transform: rotate(1turn);
    }
  }
  @keyframes breathe {
    50% {
      opacity: 0.5;
    }
  }
  @container (min-width: 37.5em) {
    .card > * {
      --_pad: calc(var(--_space) * 7);
    }
    .row.end {
      grid-auto-columns: minmax(10em, auto);
      justify-content: end;
    }
  }
  @media (prefers-contrast: more) {
    :host {
      --_text-muted: var(--_text);
      --_border: var(--_text);
      --_border-strong: var(--_text);
    }
  }
  @media (forced-colors: active) {
    .method:has(:checked) {
      border: 2px solid Highlight;
    }
    .btn,
    .notice,
    .badge,
    .bone,
    .ico {
      border: 1px solid;
    }
    .method :checked {
      border-color: Highlight;
    }
    .spin {
      forced-color-adjust: none;
    }
  }
  @media (prefers-reduced-motion: reduce) {
    *,
    ::before,
    ::after {
      animation: none !important;
      transition: none !important;
    }
  }
`;
