import { css, unsafeCSS } from 'lit';
import { themedColours } from '../../look/palette.js';
import { chooseStyles } from './choose.js';
import { screenStyles } from './screen.js';

/**
 * What every screen shares; each later view brings its own. Colours are the page's where it sets `--pay-*` anywhere
 * above, else ours by `color-scheme`. Browsers without `light-dark()` get the light ones, and text on an accent of the
 * page's own is black or white by contrast where browsers know it. Sizes follow the page's text size; layout follows the
 * card's width, in the same unit, so that large text gets the narrow layout. An amount goes to the next line as a whole,
 * and is broken only where a whole line is too short for it. Comments inside would be sent to payers.
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
  @supports (color: contrast-color(red)) {
    :host {
      --_readable: contrast-color(var(--pay-accent));
    }
  }
  :host([hidden]) {
    display: none;
  }
  * {
    box-sizing: border-box;
    margin: 0;
  }
  :focus-visible {
    outline: 2px solid var(--_focus);
    outline-offset: 2px;
  }
  .logo,
  .ico,
  .badge {
    display: flex;
    align-items: center;
    justify-content: center;
    overflow: clip;
  }
  b {
    font-weight: 600;
  }
  .amount {
    display: inline-block;
  }
  .body,
  .methods,
  .row,
  .result,
  .notices,
  .tight {
    display: flex;
    flex-direction: column;
  }
  .body {
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
  .methods,
  .row {
    gap: 10px;
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
  .row:empty {
    display: none;
  }
  @container (min-width: 30em) {
    .row {
      flex-direction: row;
    }
    .row > * {
      flex: 1 1 0;
      min-inline-size: 0;
    }
  }
  .row.end {
    flex-flow: row wrap;
    justify-content: end;
  }
  .row.end .btn {
    flex: 1 0 auto;
    inline-size: auto;
    max-inline-size: 100%;
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
  a {
    color: inherit;
    font-weight: 550;
    text-underline-offset: 3px;
  }
  .help a {
    display: inline-block;
    padding-block: 2px;
  }
  .help {
    text-align: center;
  }
  .result {
    align-items: center;
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
  .notices {
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
  .sr {
    position: absolute;
    inline-size: 1px;
    block-size: 1px;
    overflow: clip;
    clip-path: inset(50%);
    white-space: nowrap;
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
    .row.end .btn {
      flex: 0 1 auto;
      min-inline-size: 10em;
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
    .btn,
    .notice,
    .badge,
    .bone,
    .ico {
      border: 1px solid;
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
  ${screenStyles}
  ${chooseStyles}
`;
