/**
 * Styles shared by every page of the sandbox: tokens, type, buttons, fields. Served as a file of its own, so
 * that the pages live under a policy without inline style.
 */
export const PAGE_STYLE = /* css */ `
:root {
  color-scheme: light dark;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, monospace;
  --page: light-dark(#eceff3, #0a0b0e);
  --accent: light-dark(#1d4ed8, #8ab4ff);
  --accent-tint: light-dark(#eaf0fe, #17233f);
  --on-accent: light-dark(#ffffff, #0b1530);
  --surface: light-dark(#ffffff, #16181d);
  --sunken: light-dark(#f6f7f9, #101217);
  --raised: light-dark(#ffffff, #1d2027);
  --text: light-dark(#14171f, #f1f3f7);
  --muted: light-dark(#5a6272, #a3acbd);
  --border: light-dark(#dfe3ea, #2d323d);
  --border-strong: light-dark(#848d9e, #6d7789);
  --positive: light-dark(#0f7a4d, #5fd6a0);
  --positive-tint: light-dark(#e8f6ef, #12301f);
  --caution: light-dark(#8a5300, #f2c063);
  --caution-tint: light-dark(#fff5e1, #33260c);
  --negative: light-dark(#b42318, #ff9d92);
  --negative-tint: light-dark(#fdecea, #3a1714);
  --radius: 14px;
  --shadow: 0 1px 2px rgb(16 24 40 / .05), 0 8px 24px -12px rgb(16 24 40 / .18);
}
*, *::before, *::after { box-sizing: border-box; margin: 0; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { font: 16px/1.5 var(--font); background: var(--page); color: var(--text); min-block-size: 100dvh; }
a { color: var(--accent); text-underline-offset: 3px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
h1, h2, h3 { line-height: 1.3; letter-spacing: -.01em; font-weight: 650; overflow-wrap: anywhere; }
h1 { font-size: 18px; }
button, input, select, textarea { font: inherit; color: inherit; }
button { cursor: pointer; touch-action: manipulation; }
button:disabled { cursor: default; opacity: .6; }
[hidden] { display: none !important; }
svg.icon { inline-size: 22px; block-size: 22px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8;
  stroke-linecap: round; stroke-linejoin: round; }
.visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.mono { font-family: var(--mono); }
.muted { color: var(--muted); }

.test-strip { display: flex; align-items: center; justify-content: center; gap: 10px; padding: 10px 16px; background: var(--caution-tint); color: var(--caution); font-size: 14px; line-height: 1.4;
  border-block-end: 1px solid color-mix(in srgb, var(--caution) 25%, transparent); }
.test-strip b { font-weight: 650; }

.button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-block-size: 48px;
  padding: 8px 20px; border: 1px solid transparent; border-radius: 12px; font-weight: 600; line-height: 1.25;
  text-align: center; text-decoration: none; background: var(--accent); color: var(--on-accent);
  transition: filter 150ms, background-color 150ms; }
.button:hover:not(:disabled) { filter: brightness(1.08); }
.button.ghost { background: transparent; color: var(--text); border-color: var(--border); }
.button.ghost:hover:not(:disabled) { background: var(--sunken); filter: none; }
.button.small { min-block-size: 44px; padding: 6px 14px; font-size: 14px; border-radius: 10px; }
.button.wide { inline-size: 100%; }
.button.done { color: var(--positive); background: var(--positive-tint); border-color: transparent; }

.field { display: grid; gap: 6px; min-inline-size: 0; }
.field > label, .field > .label { font-size: 14px; font-weight: 550; }
.input { min-block-size: 48px; inline-size: 100%; padding: 8px 14px; border: 1px solid var(--border-strong);
  border-radius: 10px; background: var(--raised); }
.input[aria-invalid="true"] { border-color: var(--negative); box-shadow: inset 0 0 0 1px var(--negative); }
.hint { font-size: 13px; color: var(--muted); line-height: 1.4; }
.hint.bad { color: var(--negative); }
select.input { appearance: none; padding-inline-end: 40px; text-overflow: ellipsis;
  background-image: linear-gradient(45deg, transparent 50%, var(--muted) 50%),
    linear-gradient(135deg, var(--muted) 50%, transparent 50%);
  background-size: 6px 6px; background-repeat: no-repeat;
  background-position: right 20px top 50%, right 14px top 50%; }

@media (prefers-reduced-motion: reduce) { *, *::before, *::after { transition: none !important; animation: none !important; } }
@media (forced-colors: active) { .button, .card { border: 1px solid; } }
`;
