/** A quantity that grows with another, one line for each series. */
export interface Plot {
  readonly file: string;
  readonly title: string;
  /** What is on the horizontal axis. */
  readonly x: string;
  readonly series: readonly Series[];
}

export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

const WIDTH = 640;
const HEIGHT = 360;
const LEFT = 64;
const RIGHT = 170;
const TOP = 40;
const BOTTOM = 48;
/** Told apart by those who cannot tell colours apart, on white and on black. */
const COLOURS = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];

/** Both axes are logarithmic: what grows in proportion is a straight line of slope one, what does not grow is level. */
export function drawPlot({ title, x: xName, series }: Plot): string {
  const drawn = series.map((each) => ({ ...each, points: each.points.filter(({ y }) => y > 0) }));
  const all = drawn.flatMap(({ points }) => points);
  const xs = scale(
    all.map(({ x }) => x),
    LEFT,
    WIDTH - RIGHT,
  );
  const ys = scale(
    all.map(({ y }) => y),
    HEIGHT - BOTTOM,
    TOP,
  );
  const lines = drawn.map(({ name, points }, index) => {
    const colour = COLOURS[index % COLOURS.length] ?? '';
    const spots = points.map(({ x, y }) => [xs.at(x), ys.at(y)] as const);
    const path = spots.map(([left, top]) => `${left.toFixed(1)},${top.toFixed(1)}`).join(' ');
    const dots = spots.map(
      ([left, top], spot) =>
        `<circle cx="${left.toFixed(1)}" cy="${top.toFixed(1)}" r="3.5" fill="${colour}"><title>${escape(name)}: ${short(points[spot]?.y ?? NaN)}</title></circle>`,
    );
    const legendTop = TOP + 8 + index * 20;
    const legend = `<rect x="${WIDTH - RIGHT + 16}" y="${legendTop - 9}" width="12" height="12" fill="${colour}"/><text x="${WIDTH - RIGHT + 34}" y="${legendTop + 2}">${escape(name)}</text>`;
    return `<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="2"/>${dots.join('')}${legend}`;
  });
  const grid = [
    ...xs.ticks.map(
      (tick) =>
        `<line x1="${xs.at(tick)}" x2="${xs.at(tick)}" y1="${TOP}" y2="${HEIGHT - BOTTOM}" class="grid"/><text x="${xs.at(tick)}" y="${HEIGHT - BOTTOM + 18}" text-anchor="middle">${short(tick)}</text>`,
    ),
    ...ys.ticks.map(
      (tick) =>
        `<line x1="${LEFT}" x2="${WIDTH - RIGHT}" y1="${ys.at(tick)}" y2="${ys.at(tick)}" class="grid"/><text x="${LEFT - 8}" y="${ys.at(tick) + 4}" text-anchor="end">${short(tick)}</text>`,
    ),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" width="${WIDTH}" height="${HEIGHT}" role="img">
<title>${escape(title)}</title>
<style>
svg { background: #fff; font: 12px sans-serif; fill: #222 }
.grid { stroke: #ddd }
@media (prefers-color-scheme: dark) { svg { background: #111; fill: #eee } .grid { stroke: #333 } }
</style>
<text x="${LEFT}" y="22" font-size="14">${escape(title)}</text>
${grid.join('\n')}
${lines.join('\n')}
<text x="${(LEFT + WIDTH - RIGHT) / 2}" y="${HEIGHT - 10}" text-anchor="middle">${escape(xName)}</text>
</svg>
`;
}

/** From whole powers of ten to whole powers of ten. */
function scale(values: readonly number[], from: number, to: number) {
  const low = Math.floor(Math.log10(Math.min(...values)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...values))));
  return {
    at: (value: number) => from + ((Math.log10(value) - low) / (high - low)) * (to - from),
    ticks: Array.from({ length: high - low + 1 }, (_, index) => 10 ** (low + index)),
  };
}

function short(value: number): string {
  if (value >= 1_000_000) return `${trim(value / 1_000_000)}M`;
  if (value >= 1_000) return `${trim(value / 1_000)}k`;
  return trim(value);
}

const trim = (value: number) => String(Number(value.toPrecision(3)));

function escape(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
