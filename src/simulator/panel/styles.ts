import { css, unsafeCSS } from 'lit';
import { themedColours } from '../../look/palette.js';
import { CARD_STYLE } from '../../sandbox/pages/card-style.js';

/** The widget's own look, so that a page's `--pay-*` colours hold here too; amber says that it is not the real thing. */
export const panelStyles = css`
  ${unsafeCSS(CARD_STYLE)}
  :host {
    ${unsafeCSS(themedColours('--', 'light'))}
    --radius: var(--pay-radius, 14px);
    display: block;
    box-sizing: border-box;
    max-inline-size: 26rem;
    color-scheme: light;
    color: var(--text);
    font: 400 0.9375rem / 1.45
      var(--pay-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    text-align: start;
  }
  @supports (color: light-dark(red, red)) {
    :host {
      color-scheme: inherit;
      ${unsafeCSS(themedColours('--', 'both'))}
    }
  }
  :host([floating]) {
    position: fixed;
    z-index: 2147483000;
    inset-block-end: calc(12px + var(--_place, 0) * 56px);
    inset-inline-end: 12px;
    max-inline-size: min(24rem, 100vw - 24px);
  }
  *,
  ::before,
  ::after {
    box-sizing: border-box;
    margin: 0;
  }
  :focus-visible {
    outline: 2px solid var(--accent);
    outline-offset: 2px;
  }
  svg {
    flex: none;
    inline-size: 20px;
    block-size: 20px;
    fill: none;
    stroke: currentColor;
    stroke-width: 1.8;
    stroke-linecap: round;
    stroke-linejoin: round;
  }
  .panel {
    background: var(--surface);
    border: 1px solid var(--border);
    border-radius: calc(var(--radius) + 4px);
    box-shadow:
      0 1px 2px rgb(16 24 40/0.08),
      0 12px 32px -12px rgb(16 24 40/0.3);
    overflow: clip;
    overflow-wrap: anywhere;
  }
  :host([floating]) .panel[open] {
    max-block-size: min(38rem, 100dvh - 24px);
    overflow: auto;
  }
  summary {
    display: flex;
    gap: 10px;
    align-items: center;
    min-block-size: 44px;
    padding: 8px 16px;
    background: var(--caution-tint);
    color: var(--caution);
    font-weight: 600;
    cursor: pointer;
    list-style: none;
  }
  summary::-webkit-details-marker {
    display: none;
  }
  summary .chevron {
    margin-inline-start: auto;
    inline-size: 18px;
    block-size: 18px;
  }
  .panel[open] .chevron {
    rotate: 180deg;
  }
  .body {
    display: grid;
    gap: 18px;
    padding: 16px;
  }
  section,
  .stack {
    display: grid;
    gap: 10px;
  }
  h2,
  .label {
    font-size: 0.8125rem;
    font-weight: 600;
    line-height: 1.3;
    color: var(--text-muted);
  }
  .now {
    padding: 12px 14px;
    border: 1px solid var(--border);
    border-radius: var(--radius);
    background: var(--surface-sunken);
  }
  .now b {
    font-weight: 600;
  }
  .now p {
    display: flex;
    justify-content: space-between;
    gap: 4px 12px;
    flex-wrap: wrap;
    font-variant-numeric: tabular-nums;
  }
  .muted,
  small {
    font-size: 0.8125rem;
    line-height: 1.4;
    color: var(--text-muted);
  }
  .buttons {
    display: grid;
    grid-template-columns: repeat(auto-fill, minmax(min(7.25rem, 100%), 1fr));
    gap: 8px;
  }
  button,
  select {
    font: inherit;
    color: inherit;
    min-block-size: 44px;
    border: 1px solid var(--border);
    border-radius: calc(var(--radius) * 0.75);
    background: var(--surface-raised);
    padding: 6px 12px;
  }
  select {
    inline-size: 100%;
    border-color: var(--border-strong);
  }
  button {
    font-weight: 600;
    cursor: pointer;
  }
  button:hover {
    background: var(--surface-sunken);
  }
  button.positive {
    color: var(--positive);
  }
  button.negative {
    color: var(--negative);
  }
  .switch {
    display: grid;
    grid-template-columns: minmax(0, 1fr) auto;
    gap: 2px 12px;
    align-items: center;
    text-align: start;
    background: none;
  }
  .switch small {
    grid-column: 1;
    font-weight: 400;
  }
  .track {
    grid-row: 1 / span 2;
    grid-column: 2;
    inline-size: 40px;
    block-size: 24px;
    padding: 2px;
    border: 1px solid var(--border-strong);
    border-radius: 12px;
    background: var(--surface-sunken);
  }
  .track::before {
    content: '';
    display: block;
    inline-size: 18px;
    block-size: 18px;
    border-radius: 50%;
    background: var(--border-strong);
  }
  [aria-checked='true'] .track {
    background: var(--accent);
    border-color: var(--accent);
  }
  [aria-checked='true'] .track::before {
    margin-inline-start: auto;
    background: var(--on-accent);
  }
  dialog {
    inline-size: min(30rem, 100vw - 24px);
    max-block-size: calc(100dvh - 24px);
    margin: auto;
    padding: 0;
    border: 1px solid var(--border);
    border-radius: calc(var(--radius) + 4px);
    background: var(--surface);
    color: inherit;
    overflow: auto;
  }
  dialog::backdrop {
    background: rgb(10 12 18/0.55);
  }
  .strip {
    display: flex;
    gap: 10px;
    align-items: center;
    justify-content: space-between;
    padding: 4px 6px 4px 16px;
    background: var(--caution-tint);
    color: var(--caution);
    font-weight: 600;
  }
  .strip span {
    display: flex;
    gap: 10px;
    align-items: center;
  }
  .strip button {
    display: grid;
    place-items: center;
    inline-size: 44px;
    padding: 0;
    border: 0;
    background: none;
  }
  .title {
    font-size: 1.125rem;
    font-weight: 650;
    line-height: 1.3;
    color: inherit;
  }
  @media (forced-colors: active) {
    .track::before {
      background: ButtonText;
    }
  }
`;
