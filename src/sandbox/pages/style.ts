import { pageColours } from '../../look/palette.js';
import { CARD_STYLE } from './card-style.js';

/**
 * The one style sheet of the pages that a payer opens: one calm card with the order at its top and one main action.
 * Served as a file of its own, so that the pages live under a policy without inline style.
 */
export const PAGE_STYLE = /* css */ `
:root {
  color-scheme: light dark;
  --font: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", "Roboto Mono", Menlo, monospace;
  ${pageColours()}
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

.test-strip { display: flex; align-items: center; justify-content: center; gap: 10px; padding: 10px 16px; background: var(--caution-tint); color: var(--caution); font-size: 14px; line-height: 1.4;
  border-block-end: 1px solid color-mix(in srgb, var(--caution) 25%, transparent); }
.test-strip b { font-weight: 650; }

.button { display: inline-flex; align-items: center; justify-content: center; gap: 8px; min-block-size: 48px;
  padding: 8px 20px; border: 1px solid transparent; border-radius: 12px; font-weight: 600; line-height: 1.25;
  text-align: center; text-decoration: none; background: var(--accent); color: var(--on-accent);
  transition: filter 150ms, background-color 150ms; }
.button:hover:not(:disabled) { filter: brightness(1.08); }
.button.ghost { background: transparent; color: var(--text); border-color: var(--border); }
.button.ghost:hover:not(:disabled) { background: var(--surface-sunken); filter: none; }
.button.small { min-block-size: 44px; padding: 6px 14px; font-size: 14px; border-radius: 10px; }
.button.wide { inline-size: 100%; }
.button.done { color: var(--positive); background: var(--positive-tint); border-color: transparent; }

.field { display: grid; gap: 6px; min-inline-size: 0; }
.field > label { font-size: 14px; font-weight: 550; }
.input { min-block-size: 48px; inline-size: 100%; padding: 8px 14px; border: 1px solid var(--border-strong);
  border-radius: 10px; background: var(--surface-raised); }
.input[aria-invalid="true"] { border-color: var(--negative); box-shadow: inset 0 0 0 1px var(--negative); }
.hint { font-size: 13px; color: var(--text-muted); line-height: 1.4; }
.hint.bad { color: var(--negative); }
select.input { appearance: none; padding-inline-end: 40px; text-overflow: ellipsis;
  background-image: linear-gradient(45deg, transparent 50%, var(--text-muted) 50%),
    linear-gradient(135deg, var(--text-muted) 50%, transparent 50%);
  background-size: 6px 6px; background-repeat: no-repeat;
  background-position: right 20px top 50%, right 14px top 50%; }

.payer { display: grid; justify-items: center; align-content: start; gap: 20px; padding: 24px 16px 48px; }
.card { container-type: inline-size; inline-size: 100%; max-inline-size: 480px; background: var(--surface);
  border: 1px solid var(--border); border-radius: calc(var(--radius) + 4px); overflow: clip;
  box-shadow: var(--shadow); }
.card.roomy { max-inline-size: 760px; }
${CARD_STYLE}
fieldset { border: 0; padding: 0; min-inline-size: 0; }
legend { padding: 0; margin-block-end: 12px; font-size: 18px; font-weight: 650; letter-spacing: -.01em; }
.choice input[type="radio"] { appearance: none; inline-size: 20px; block-size: 20px; border-radius: 50%;
  border: 2px solid var(--border-strong); background: var(--surface-raised); }
.choice input[type="radio"]:checked { border: 6px solid var(--accent); }
label.choice { cursor: pointer; }
label.choice:has(:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
label.choice:has(:focus-visible) { outline: 3px solid var(--accent); outline-offset: 2px; }
label.choice input:focus-visible { outline: none; }

.copyrow { display: grid; grid-template-columns: 1fr auto; align-items: center; gap: 12px;
  padding: 12px 12px 12px 16px; border: 1px solid var(--border); border-radius: var(--radius);
  background: var(--surface-sunken); min-block-size: 70px; }
.copyrow > div { min-inline-size: 0; }
.copyrow .name { display: block; font-size: 13px; color: var(--text-muted); line-height: 1.3; }
.copyrow .value { font: 600 18px/1.35 var(--mono); letter-spacing: -.01em; overflow-wrap: anywhere; }
.copyrow .value.money { font-family: var(--font); font-variant-numeric: tabular-nums; font-size: 20px; }
.qr { background: #fff; border-radius: var(--radius); border: 1px solid var(--border); padding: 8px; }
.qr img { inline-size: 100%; max-inline-size: 320px; block-size: auto; display: block; margin-inline: auto; }
.notice { font-size: 14px; line-height: 1.45; border-radius: 10px; padding: 10px 14px; overflow-wrap: anywhere;
  color: var(--caution); background: var(--caution-tint); }
.notice.bad { color: var(--negative); background: var(--negative-tint); }
.split { display: grid; gap: 20px; }
.split > * { min-inline-size: 0; }
.rule { display: flex; align-items: center; gap: 12px; font-size: 13px; font-weight: 600; color: var(--text-muted); }
.rule::before, .rule::after { content: ""; flex: 1; border-block-start: 1px solid var(--border); }
.other { display: grid; gap: 8px; padding: 14px 16px; border: 1px solid var(--border); border-radius: var(--radius); }
.other .line { display: grid; grid-template-columns: 1fr auto; gap: 10px; }
.row { display: grid; gap: 10px; }
.result { display: grid; justify-items: center; text-align: center; gap: 10px; padding-block: 8px 4px; }
.badge { inline-size: 56px; block-size: 56px; border-radius: 50%; display: grid; place-items: center;
  background: var(--surface-sunken); color: var(--text-muted); }
.badge svg.icon { inline-size: 28px; block-size: 28px; }
.badge.positive { background: var(--positive-tint); color: var(--positive); }
.badge.negative { background: var(--negative-tint); color: var(--negative); }
.badge.caution { background: var(--caution-tint); color: var(--caution); }
.facts { display: grid; border: 1px solid var(--border); border-radius: var(--radius); overflow: clip; }
.facts > div { display: flex; justify-content: space-between; gap: 4px 16px; padding: 11px 16px; font-size: 15px; }
.facts > div + div { border-block-start: 1px solid var(--border); }
.facts dt { color: var(--text-muted); flex: none; max-inline-size: 45%; }
.facts dd { text-align: end; font-weight: 550; font-variant-numeric: tabular-nums; overflow-wrap: anywhere;
  min-inline-size: 0; }
.note { display: flex; gap: 8px; align-items: center; justify-content: center; font-size: 13px;
  color: var(--text-muted); text-align: center; }
.note svg.icon { inline-size: 16px; block-size: 16px; }
.wait { display: flex; gap: 14px; align-items: center; padding: 14px 24px; border-block-start: 1px solid var(--border);
  background: var(--surface-sunken); font-size: 15px; line-height: 1.35; }
.wait small { display: block; color: var(--text-muted); font-size: 13px; font-variant-numeric: tabular-nums; }
.wait > div { flex: 1; min-inline-size: 0; overflow-wrap: anywhere; }
.pulse { inline-size: 10px; block-size: 10px; border-radius: 50%; background: var(--accent); flex: none;
  margin-inline: 5px; box-shadow: 0 0 0 5px color-mix(in srgb, var(--accent) 18%, transparent);
  animation: pulse 2s ease-in-out infinite; }
@keyframes pulse { 50% { box-shadow: 0 0 0 2px color-mix(in srgb, var(--accent) 18%, transparent); } }
.foot { font-size: 13px; color: var(--text-muted); text-align: center; display: flex; gap: 4px 16px; flex-wrap: wrap;
  justify-content: center; }
.foot a { color: inherit; min-block-size: 44px; display: inline-flex; align-items: center; padding-inline: 6px; }

.link-form { gap: 20px; }
.link-form legend h1 { font-size: inherit; }
.link-form:not(:has([value="PSE"]:checked)) .only-pse { display: none; }
@container (min-width: 360px) { .row.document { grid-template-columns: 1fr 1.6fr; } }
@container (min-width: 440px) { .row.two { grid-template-columns: 1fr 1fr; } }
@container (min-width: 600px) {
  .body { padding: 28px; } .summary, .wait { padding-inline: 28px; }
  .split.has-qr { grid-template-columns: 320px 1fr; gap: 28px; align-items: start; }
  .split.has-qr .qr { order: -1; }
}
@container (max-width: 340px) {
  .body { padding: 20px 16px; } .summary { padding: 16px; } .wait { padding-inline: 16px; }
  .other .line { grid-template-columns: 1fr; }
}

@media (prefers-reduced-motion: reduce) { *, *::before, *::after { transition: none !important; animation: none !important; } }
@media (forced-colors: active) { .button, .card { border: 1px solid; } }
`;
