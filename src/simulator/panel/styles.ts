import { css } from 'lit';

/** The widget's own look, so that a page's `--pay-*` colours hold here too; amber says that it is not the real thing. */
export const panelStyles = css`
  :host {
    --_accent: var(--pay-accent, #1d4ed8);
    --_on-accent: var(--pay-on-accent, #fff);
    --_surface: var(--pay-surface, #fff);
    --_sunken: var(--pay-surface-sunken, #f6f7f9);
    --_raised: var(--pay-surface-raised, #fff);
    --_text: var(--pay-text, #14171f);
    --_muted: var(--pay-text-muted, #5a6272);
    --_border: var(--pay-border, #dfe3ea);
    --_border-strong: var(--pay-border-strong, #7f899b);
    --_positive: var(--pay-positive, #0f7a4d);
    --_caution: var(--pay-caution, #8a5300);
    --_caution-tint: var(--pay-caution-tint, #fff5e1);
    --_negative: var(--pay-negative, #b42318);
    --_radius: var(--pay-radius, 14px);
    display: block;
    box-sizing: border-box;
    max-inline-size: 26rem;
    color-scheme: light;
    color: var(--_text);
    font: 400 0.9375rem / 1.45
      var(--pay-font, system-ui, -apple-system, 'Segoe UI', Roboto, 'Noto Sans', sans-serif);
    text-align: start;
  }
  @supports (color: light-dark(red, red)) {
    :host {
      color-scheme: inherit;
      --_accent: var(--pay-accent, light-dark(#1d4ed8, #8ab4ff));
      --_on-accent: var(--pay-on-accent, light-dark(#fff, #0b1530));
      --_surface: var(--pay-surface, light-dark(#fff, #16181d));
      --_sunken: var(--pay-surface-sunken, light-dark(#f6f7f9, #101217));
      --_raised: var(--pay-surface-raised, light-dark(#fff, #1d2027));
      --_text: var(--pay-text, light-dark(#14171f, #f1f3f7));
      --_muted: var(--pay-text-muted, light-dark(#5a6272, #a3acbd));
      --_border: var(--pay-border, light-dark(#dfe3ea, #2d323d));
      --_border-strong: var(--pay-border-strong, light-dark(#7f899b, #6d7789));
      --_positive: var(--pay-positive, light-dark(#0f7a4d, #5fd6a0));
      --_caution: var(--pay-caution, light-dark(#8a5300, #f2c063));
      --_caution-tint: var(--pay-caution-tint, light-dark(#fff5e1, #33260c));
      --_negative: var(--pay-negative, light-dark(#b42318, #ff9d92));
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
    outline: 2px solid var(--_accent);
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
    background: var(--_surface);
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) + 4px);
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
    background: var(--_caution-tint);
    color: var(--_caution);
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
    color: var(--_muted);
  }
  .now {
    padding: 12px 14px;
    border: 1px solid var(--_border);
    border-radius: var(--_radius);
    background: var(--_sunken);
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
    color: var(--_muted);
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
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) * 0.75);
    background: var(--_raised);
    padding: 6px 12px;
  }
  select {
    inline-size: 100%;
    border-color: var(--_border-strong);
  }
  button {
    font-weight: 600;
    cursor: pointer;
  }
  button:hover {
    background: var(--_sunken);
  }
  button.positive {
    color: var(--_positive);
  }
  button.negative {
    color: var(--_negative);
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
    border: 1px solid var(--_border-strong);
    border-radius: 12px;
    background: var(--_sunken);
  }
  .track::before {
    content: '';
    display: block;
    inline-size: 18px;
    block-size: 18px;
    border-radius: 50%;
    background: var(--_border-strong);
  }
  [aria-checked='true'] .track {
    background: var(--_accent);
    border-color: var(--_accent);
  }
  [aria-checked='true'] .track::before {
    margin-inline-start: auto;
    background: var(--_on-accent);
  }
  dialog {
    inline-size: min(44rem, 100vw - 24px);
    max-block-size: calc(100dvh - 24px);
    margin: auto;
    padding: 0;
    border: 1px solid var(--_border);
    border-radius: calc(var(--_radius) + 4px);
    background: var(--_surface);
    color: inherit;
    overflow: auto;
  }
  dialog.bank {
    inline-size: min(30rem, 100vw - 24px);
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
    background: var(--_caution-tint);
    color: var(--_caution);
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
  .page {
    display: grid;
    gap: 20px;
    padding: clamp(14px, 4vw, 24px);
  }
  /* On a phone the page inside needs every pixel. */
  @media (max-width: 30rem) {
    dialog.hosted {
      inline-size: calc(100vw - 12px);
    }
    dialog.hosted .page {
      padding: 8px;
    }
  }
  .summary {
    display: flex;
    flex-wrap: wrap;
    gap: 4px 12px;
    align-items: baseline;
    padding-block-end: 16px;
    border-block-end: 1px solid var(--_border);
  }
  .summary b {
    flex: 1 1 9em;
    font-weight: 600;
  }
  .summary b small {
    display: block;
    font-weight: 400;
  }
  .total {
    font-size: 1.25rem;
    font-weight: 650;
    font-variant-numeric: tabular-nums;
  }
  .title {
    font-size: 1.125rem;
    font-weight: 650;
    line-height: 1.3;
    color: inherit;
  }
  .choice {
    display: grid;
    gap: 2px;
    padding: 12px 16px;
    border-radius: var(--_radius);
    text-align: start;
  }
  .choice small {
    font-weight: 400;
  }
  @media (forced-colors: active) {
    .track::before {
      background: ButtonText;
    }
  }
`;
