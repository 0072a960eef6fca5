/**
 * Every colour of the product, once, for light and for dark: the checkout, the simulator, the sandbox's pages, its
 * control page and the merchant's console. Their names are those of the widget's `--pay-*` properties.
 */

type Pair = readonly [light: string, dark: string];

export const COLOURS = {
  accent: ['#1d4ed8', '#8ab4ff'],
  'on-accent': ['#fff', '#0b1530'],
  surface: ['#fff', '#16181d'],
  'surface-sunken': ['#f6f7f9', '#101217'],
  'surface-raised': ['#fff', '#1d2027'],
  text: ['#14171f', '#f1f3f7'],
  'text-muted': ['#5a6272', '#a3acbd'],
  border: ['#dfe3ea', '#2d323d'],
  'border-strong': ['#7f899b', '#6d7789'],
  positive: ['#0f7a4d', '#5fd6a0'],
  'positive-tint': ['#e8f6ef', '#12301f'],
  caution: ['#8a5300', '#f2c063'],
  'caution-tint': ['#fff5e1', '#33260c'],
  negative: ['#b42318', '#ff9d92'],
  'negative-tint': ['#fdecea', '#3a1714'],
} as const satisfies Record<string, Pair>;

/** What only whole pages need: their ground, the tint of what is chosen or under way, and further bars of a chart. */
const PAGE_COLOURS = {
  page: ['#eceff3', '#0a0b0e'],
  'accent-tint': ['#eaf0fe', '#17233f'],
  'chart-amber': ['#c98a1b', '#f4c877'],
  'chart-violet': ['#6b3f8c', '#cfa8ec'],
} as const satisfies Record<string, Pair>;

type Scheme = 'light' | 'both';

/**
 * As CSS declarations inside a page of another site, whose own `--pay-*` comes first. Browsers without `light-dark()` get
 * the light ones. Text on the page's own accent is `--readable`, where the styles set it.
 */
export function themedColours(prefix: '--' | '--_', scheme: Scheme): string {
  return Object.entries(COLOURS)
    .map(([name, pair]) => [name, valueOf(pair, scheme)] as const)
    .map(([name, ours]) => [name, name === 'on-accent' ? `var(${prefix}readable,${ours})` : ours] as const)
    .map(([name, ours]) => `${prefix}${name}:var(--pay-${name},${ours});`)
    .join('');
}

/** As CSS declarations for a page of our own. */
export function pageColours(): string {
  return Object.entries({ ...COLOURS, ...PAGE_COLOURS })
    .map(([name, pair]) => `--${name}:${valueOf(pair, 'both')};`)
    .join('');
}

function valueOf([light, dark]: Pair, scheme: Scheme): string {
  return scheme === 'light' ? light : `light-dark(${light},${dark})`;
}
