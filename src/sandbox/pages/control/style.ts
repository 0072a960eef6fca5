/** The control page: a bar, sections, a list, and a panel for what is open. Phones show one of them at a time. */
export const CONTROL_STYLE = /* css */ `
.control { font-size: 15px; }
.skip { position: absolute; inset-inline-start: 12px; inset-block-start: -100px; z-index: 3; padding: 12px 16px;
  background: var(--surface); border-radius: 10px; }
.skip:focus { inset-block-start: 12px; }
.small { font-size: 13px; line-height: 1.45; }
.caution { color: var(--caution); }
.url { overflow-wrap: anywhere; font-size: 13px; }
.money { font-variant-numeric: tabular-nums; font-weight: 600; white-space: nowrap; }

.top { position: sticky; inset-block-start: 0; z-index: 2; display: flex; align-items: center; gap: 8px 16px;
  min-block-size: 60px; padding: 8px 20px; background: color-mix(in srgb, var(--surface) 92%, transparent);
  border-block-end: 1px solid var(--border); backdrop-filter: blur(12px); }
.brand { display: flex; align-items: center; gap: 12px; color: inherit; text-decoration: none; min-block-size: 44px;
  min-inline-size: 0; }
.brand b { display: block; font-weight: 650; line-height: 1.2; letter-spacing: -.01em; }
.brand .sub { display: block; font-size: 13px; color: var(--caution); line-height: 1.3; }
.brand .tile { inline-size: 36px; block-size: 36px; border-radius: 10px; display: grid; place-items: center; flex: none;
  background: var(--accent); color: var(--on-accent); }
.live { margin-inline-start: auto; display: inline-flex; align-items: center; gap: 10px; font-size: 13px;
  color: var(--muted); }
.live .dot { inline-size: 8px; block-size: 8px; border-radius: 50%; background: var(--positive); flex: none;
  box-shadow: 0 0 0 4px color-mix(in srgb, var(--positive) 20%, transparent); }
.live.off { color: var(--negative); font-weight: 600; }
.live.off .dot { background: var(--negative); box-shadow: 0 0 0 4px color-mix(in srgb, var(--negative) 20%, transparent); }
.language { font-size: 14px; min-block-size: 44px; display: inline-flex; align-items: center; padding-inline: 8px;
  color: var(--muted); }

.shell { display: grid; gap: 16px; padding: 12px 16px 48px; max-inline-size: 1560px; margin-inline: auto; }
.shell > * { min-inline-size: 0; }
nav ul { list-style: none; padding: 0; display: grid; gap: 4px; grid-template-columns: repeat(auto-fit, minmax(136px, 1fr)); }
nav a { display: flex; align-items: center; gap: 10px; min-block-size: 44px; padding: 6px 12px; border-radius: 10px;
  color: var(--muted); text-decoration: none; line-height: 1.2; font-weight: 550; }
nav a:hover { background: color-mix(in srgb, var(--text) 6%, transparent); color: var(--text); }
nav a:focus-visible { outline-offset: -3px; }
nav a[aria-current] { background: var(--accent-tint); color: var(--accent); }
nav svg.icon { inline-size: 20px; block-size: 20px; }
.count { margin-inline-start: auto; min-inline-size: 24px; padding: 1px 7px; border-radius: 99px; font-size: 12px;
  text-align: center; font-variant-numeric: tabular-nums; background: color-mix(in srgb, currentColor 12%, transparent); }

main, .listing, .columns { display: grid; gap: 14px; align-content: start; }
main > *, .listing > *, .columns > * { min-inline-size: 0; }
main:focus { outline: none; }
h1 { font-size: 22px; letter-spacing: -.02em; }
.intro { color: var(--muted); max-inline-size: 68ch; margin-block-start: -8px; }
.toolbar { display: flex; flex-wrap: wrap; gap: 12px 20px; align-items: end; }
.filter { display: flex; flex-wrap: wrap; gap: 10px; align-items: end; flex: 1 1 320px; }
.filter .field:first-of-type { flex: 1 1 200px; }
.filter .field:not(:first-of-type) { flex: 0 1 150px; }
.filter .field:has([type=date]) { flex-basis: 168px; }
.filter .input { min-block-size: 44px; inline-size: 100%; min-inline-size: 0; }
.field > label, .samples .label { font-size: 13px; font-weight: 550; color: var(--muted); }
.samples { display: grid; gap: 6px; }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.button.small svg.icon { inline-size: 18px; block-size: 18px; }
.button.ghost { background: var(--surface); }
.button.positive { color: var(--positive); } .button.negative { color: var(--negative); }
.button.caution { color: var(--caution); }
.button.ghost.positive:hover { background: var(--positive-tint); }
.button.ghost.negative:hover { background: var(--negative-tint); }
.button.ghost.caution:hover { background: var(--caution-tint); }
[data-sending] button { opacity: .6; }

.rows { list-style: none; padding: 0; background: var(--surface); border: 1px solid var(--border);
  border-radius: var(--radius); overflow: clip; box-shadow: var(--shadow); }
.rows li + li { border-block-start: 1px solid var(--border); }
.row-link { display: grid; grid-template-columns: 128px minmax(0, 1fr) auto; gap: 4px 14px; align-items: center;
  min-block-size: 64px; padding: 10px 16px; color: inherit; text-decoration: none; }
.row-link:hover { background: var(--sunken); }
.row-link:focus-visible { outline-offset: -3px; border-radius: 12px; }
.row-link[aria-expanded="true"] { background: var(--accent-tint); box-shadow: inset 3px 0 0 var(--accent); }
.row-link .what b { display: block; font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.row-link .meta { display: flex; gap: 0 8px; font-size: 13px; color: var(--muted); overflow: hidden;
  white-space: nowrap; align-items: center; }
.row-link .meta > span { overflow: hidden; text-overflow: ellipsis; }
.row-link .meta time { font-variant-numeric: tabular-nums; flex: none; }
.row-link .meta > * + *::before { content: "·"; margin-inline-end: 8px; }
.row-link .meta .mark::before, .row-link .meta .mark + *::before { content: none; }
.mark { color: var(--caution); flex: none; display: inline-flex; } .mark svg.icon { inline-size: 16px; block-size: 16px; }
.pill { display: inline-flex; align-items: center; gap: 6px; padding: 3px 10px 3px 7px; border-radius: 99px;
  font-size: 13px; font-weight: 600; line-height: 1.4; white-space: nowrap; justify-self: start; }
.pill svg.icon { inline-size: 15px; block-size: 15px; stroke-width: 2.4; }
.pill.open { background: var(--accent-tint); color: var(--accent); }
.pill.positive { background: var(--positive-tint); color: var(--positive); }
.pill.negative { background: var(--negative-tint); color: var(--negative); }
.pill.caution { background: var(--caution-tint); color: var(--caution); }
.more { display: flex; align-items: center; justify-content: center; gap: 12px; }
.empty { display: grid; justify-items: center; gap: 8px; text-align: center; padding: 56px 24px;
  border: 1.5px dashed var(--border); border-radius: var(--radius); background: color-mix(in srgb, var(--surface) 50%, transparent); }
.empty p { max-inline-size: 46ch; }
.empty .big { inline-size: 56px; block-size: 56px; border-radius: 50%; display: grid; place-items: center;
  background: var(--accent-tint); color: var(--accent); margin-block-end: 4px; }

.detail { display: grid; gap: 18px; align-content: start; padding: 20px; overflow-wrap: anywhere; background: var(--surface);
  border: 1px solid var(--border); border-radius: var(--radius); box-shadow: var(--shadow); }
.detail > * { min-inline-size: 0; }
.detail header { display: grid; grid-template-columns: 1fr auto; gap: 10px; align-items: start; }
.detail header .back { display: none; }
.detail header .close { grid-area: 1 / 2; padding: 6px; inline-size: 44px; border-color: transparent; }
.detail h2 { grid-area: 1 / 1; font-size: 18px; align-self: center; }
.detail h2:focus { outline: none; }
.headline { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 12px; grid-column: 1 / -1; }
.headline .money { font-size: 20px; letter-spacing: -.01em; }
.detail section { display: grid; gap: 10px; }
.detail section > * { min-inline-size: 0; }
.detail h3 { font-size: 13px; font-weight: 600; color: var(--muted); letter-spacing: 0; display: flex; align-items: center; gap: 4px; }
.inline { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 8px; }
.inline-start { display: flex; flex-wrap: wrap; gap: 6px 10px; align-items: center; }
.act { display: grid; gap: 6px; min-inline-size: 0; }
.input.small { min-block-size: 44px; font-size: 14px; padding-block: 6px; }
.facts { display: grid; border-block-start: 1px solid var(--border); }
.facts > div { display: grid; grid-template-columns: 112px minmax(0, 1fr); gap: 12px; padding: 6px 0; font-size: 14px;
  border-block-end: 1px solid var(--border); align-items: center; min-block-size: 40px; }
.facts dt { color: var(--muted); overflow-wrap: anywhere; }
.facts dd { overflow-wrap: anywhere; display: flex; align-items: center; justify-content: space-between; gap: 8px; min-inline-size: 0; }
.facts dd .mono { font-size: 13px; min-inline-size: 0; }
.copy { display: inline-flex; align-items: center; justify-content: center; gap: 6px; min-inline-size: 44px;
  min-block-size: 44px; margin-block: -6px; padding: 0 8px; flex: none; border: 0; border-radius: 10px;
  background: transparent; color: var(--muted); font-size: 13px; font-weight: 600; }
.copy:hover { background: var(--sunken); color: var(--text); }
.copy.done { color: var(--positive); }
.copy svg.icon { inline-size: 18px; block-size: 18px; }
.lines { list-style: none; padding: 0; display: grid; gap: 4px; font-size: 14px; }
.lines li { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 10px; min-block-size: 32px; }
.lines a { font-size: 13px; min-block-size: 32px; display: inline-flex; align-items: center; }
.lines time { color: var(--muted); font-size: 13px; margin-inline-start: auto; font-variant-numeric: tabular-nums; }
.deliveries { list-style: none; padding: 0; display: grid; gap: 12px; }
.deliveries > li { display: grid; gap: 8px; padding: 12px; border: 1px solid var(--border); border-radius: 12px; justify-items: start; }
.attempts { list-style: none; padding: 0; display: grid; gap: 2px; font-size: 13px; }
.attempts li { display: flex; gap: 10px; }
.attempts time { color: var(--muted); font-variant-numeric: tabular-nums; }
pre { font: 13px/1.55 var(--mono); padding: 14px 16px; border-radius: 12px; background: var(--sunken);
  border: 1px solid var(--border); overflow: auto; max-block-size: 420px; white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2; }

.chips { list-style: none; padding: 0; display: flex; flex-wrap: wrap; gap: 8px; }
.chip { display: inline-flex; align-items: center; gap: 8px; min-block-size: 44px; padding: 4px 14px; border-radius: 99px;
  border: 1px solid color-mix(in srgb, var(--caution) 40%, transparent); background: var(--surface);
  color: var(--caution); font-size: 13px; font-weight: 600; }
.chip:hover { background: var(--caution-tint); }
.chip svg.icon { inline-size: 16px; block-size: 16px; }
.active { display: flex; flex-wrap: wrap; align-items: center; gap: 10px 14px; padding: 12px 14px; border-radius: var(--radius);
  background: var(--caution-tint); color: var(--caution); }
.active h2 { font-size: 14px; display: flex; align-items: center; gap: 8px; }
.active > .act { margin-inline-start: auto; }
.refusal { display: flex; gap: 10px; align-items: center; padding: 12px 14px; border-radius: 12px;
  background: var(--negative-tint); color: var(--negative); font-weight: 550; }

.group { display: grid; gap: 12px; padding: 18px 20px; background: var(--surface); border: 1px solid var(--border);
  border-radius: var(--radius); box-shadow: var(--shadow); }
.group > * { min-inline-size: 0; }
.group h2 { font-size: 16px; display: flex; align-items: center; gap: 8px; }
.mishaps, .targets { list-style: none; padding: 0; }
.mishaps li, .targets li { display: flex; flex-wrap: wrap; gap: 8px 20px; align-items: center; justify-content: space-between;
  padding: 10px 0; }
.mishaps li + li, .targets li + li { border-block-start: 1px solid var(--border); }
.mishaps li > div:first-child, .targets li > div:first-child { flex: 1 1 260px; min-inline-size: 0; display: grid; }
.mishaps b { font-size: 14px; overflow-wrap: anywhere; }
.mishaps .on b { color: var(--caution); }
.switch { display: inline-flex; align-items: center; gap: 10px; min-block-size: 44px; padding: 4px 8px; border: 0;
  border-radius: 10px; background: transparent; font-size: 14px; font-weight: 550; }
.track { inline-size: 40px; block-size: 24px; border-radius: 99px; background: var(--border-strong); position: relative;
  transition: background-color 150ms; }
.track::after { content: ""; position: absolute; inset: 3px auto 3px 3px; inline-size: 18px; border-radius: 50%;
  background: var(--surface); transition: translate 150ms; }
.switch[aria-checked="true"] .track { background: var(--caution); }
.switch[aria-checked="true"] .track::after { translate: 16px 0; }
.reset summary { font-weight: 600; line-height: 44px; cursor: pointer; }
.reset p { margin-block-end: 12px; }
.button.danger { background: var(--negative); color: var(--surface); justify-self: start; }
.copyline { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 12px; align-items: center; }
.copyline + .copyline { border-block-start: 1px solid var(--border); padding-block-start: 12px; }
.copyline .name { display: block; font-size: 13px; color: var(--muted); }
.copyline .mono { overflow-wrap: anywhere; }
.webhook-form { display: grid; gap: 12px; align-items: end; }
table { border-collapse: collapse; inline-size: 100%; max-inline-size: 480px; font-size: 14px; }
th, td { text-align: start; padding: 9px 12px 9px 0; border-block-end: 1px solid var(--border); font-weight: 550; }
thead th { color: var(--muted); font-size: 13px; }

@media (max-width: 599px) {
  .brand .sub { font-size: 12px; }
  .live:not(.off) [data-label] { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); }
  .row-link { grid-template-columns: minmax(0, 1fr) auto; }
  .row-link .what { grid-column: 1 / -1; grid-row: 1; }
  .row-link .pill { grid-row: 2; } .row-link .money { grid-row: 2; }
  .top { padding-inline: 16px; }
  .facts > div { grid-template-columns: minmax(0, 1fr); gap: 0; padding-block: 8px; }
  .facts dt { font-size: 13px; }
  .button.wide { padding-inline: 12px; }
  .group { padding: 16px; }
  .filter .field:not(:first-of-type) { flex: 1 1 110px; }
  .filter .field:has([type=date]) { flex-basis: 168px; }
}
@media (max-width: 379px) { nav a { gap: 8px; padding-inline: 10px; font-size: 14px; } nav svg.icon { display: none; } }
@media (max-width: 899px) {
  .has-detail .listing { display: none; }
  .detail header { grid-template-columns: 1fr; }
  .detail header .back { display: inline-flex; justify-self: start; }
  .detail header .close { display: none; }
  .detail h2 { grid-area: auto; }
}
@media (min-width: 700px) { .webhook-form { grid-template-columns: 2fr 1fr 1fr auto; } }
@media (min-width: 900px) {
  .has-detail .columns { grid-template-columns: minmax(0, 1fr) 400px; gap: 20px; }
  .detail { position: sticky; inset-block-start: 76px; max-block-size: calc(100dvh - 92px); overflow-y: auto; }
}
@media (min-width: 1200px) {
  .shell { grid-template-columns: 224px minmax(0, 1fr); gap: 24px; padding: 24px 24px 64px; }
  .has-detail .columns { grid-template-columns: minmax(0, 1fr) 430px; }
  nav ul { grid-template-columns: 1fr; position: sticky; inset-block-start: 84px; }
  .detail { inset-block-start: 84px; max-block-size: calc(100dvh - 108px); }
  .group { max-inline-size: 960px; }
}
`;
