export interface Series {
  readonly name: string;
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** How a quantity should grow: not at all, or in proportion. */
export type Line = 'level' | 'proportional';

/** How far off the line is off it: figures of one run differ by less. */
const TOLERANCE = 2;

/**
 * Where a series leaves its straight line: the first size at which it is more than twice what its first point, level or
 * in proportion, says. Undefined when it never does.
 */
function leavesLine(
  { points }: Series,
  line: Line,
): { readonly x: number; readonly times: number } | undefined {
  const [first, ...rest] = points;
  if (first === undefined) return undefined;
  for (const { x, y } of rest) {
    const expected = line === 'level' ? first.y : (first.y * x) / first.x;
    const times = y / expected;
    if (times > TOLERANCE) return { x, times };
  }
  return undefined;
}

/** A sentence for the report. */
export function lineSentence(quantity: string, series: Series, line: Line): string {
  const left = leavesLine(series, line);
  const last = series.points.at(-1);
  const kind = line === 'level' ? 'level' : 'in proportion';
  return left === undefined
    ? `${quantity}, ${series.name}: ${kind} up to ${last?.x.toLocaleString('en') ?? '?'}.`
    : `${quantity}, ${series.name}: leaves the ${kind} line at ${left.x.toLocaleString('en')}, ${left.times.toFixed(1)} times what it says.`;
}
