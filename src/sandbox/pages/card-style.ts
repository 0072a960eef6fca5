/**
 * The card of a payer's page: what is paid, and what can be decided. The simulator plays the bank's page in a dialog of
 * its own, with this same card.
 */
export const CARD_STYLE = /* css */ `
svg.icon { inline-size: 22px; block-size: 22px; flex: none; fill: none; stroke: currentColor; stroke-width: 1.8;
  stroke-linecap: round; stroke-linejoin: round; }
.visually-hidden { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }
.summary { display: flex; flex-wrap: wrap; gap: 12px; align-items: center; padding: 20px 24px;
  border-block-end: 1px solid var(--border); }
.summary .tile { inline-size: 40px; block-size: 40px; border-radius: 10px; display: grid; place-items: center;
  background: var(--text); color: var(--surface); flex: none; }
.summary .who { flex: 1 1 120px; min-inline-size: 0; }
.summary .who b { display: block; font-weight: 600; line-height: 1.25; overflow-wrap: anywhere; }
.summary .who span { display: block; font-size: 14px; color: var(--text-muted); overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }
.summary .total { font-variant-numeric: tabular-nums; font-weight: 650; font-size: 20px; letter-spacing: -.01em;
  line-height: 1.25; margin-inline-start: auto; text-align: end; overflow-wrap: anywhere; }
.summary .total small { display: block; font-size: 12px; font-weight: 500; color: var(--text-muted); letter-spacing: 0; }
.body { padding: 24px; display: grid; gap: 20px; }
.body > * { min-inline-size: 0; }
.lead { color: var(--text-muted); font-size: 15px; margin-block-start: 4px; overflow-wrap: anywhere; }
.stack { display: grid; gap: 12px; }
.stack > * { min-inline-size: 0; }
.choice { display: grid; grid-template-columns: 40px 1fr auto; gap: 14px; align-items: center; inline-size: 100%;
  padding: 13px 16px; text-align: start; border: 1px solid var(--border); border-radius: var(--radius);
  background: var(--surface-raised); color: inherit; transition: border-color 150ms, background-color 150ms; }
.choice > :nth-child(2) { min-inline-size: 0; overflow-wrap: anywhere; }
.choice .ico { inline-size: 40px; block-size: 40px; border-radius: 10px; background: var(--surface-sunken);
  display: grid; place-items: center; color: var(--accent); }
.choice b { display: block; font-weight: 600; line-height: 1.3; }
.choice .what { display: block; font-size: 14px; color: var(--text-muted); line-height: 1.35; font-weight: 400; }
button.choice:hover, label.choice:hover { border-color: var(--border-strong); }
.choice .chevron { color: var(--text-muted); inline-size: 18px; block-size: 18px; }
.choice.positive .ico { color: var(--positive); background: var(--positive-tint); }
.choice.negative .ico { color: var(--negative); background: var(--negative-tint); }
.choice.caution .ico { color: var(--caution); background: var(--caution-tint); }
`;
