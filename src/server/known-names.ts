/** The first name of `given` that is none of `names`, with the one it is nearest to; undefined when all are known. */
export function unknownName(
  given: object,
  names: readonly string[],
): { readonly name: string; readonly nearest: string } | undefined {
  const name = Object.keys(given).find((each) => !names.includes(each));
  if (name === undefined) return undefined;
  const byDistance = names.map((each) => ({ each, distance: editDistance(name, each) }));
  const [first] = byDistance.sort((left, right) => left.distance - right.distance);
  return { name, nearest: first?.each ?? '' };
}

/** How many letters are inserted, left out or changed, whatever their case. */
function editDistance(left: string, right: string): number {
  const [from, to] = [left.toLowerCase().slice(0, 64), right.toLowerCase()];
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...from].entries()) {
    const next = [index + 1];
    for (const [column, other] of [...to].entries())
      next.push(
        Math.min(
          (next[column] ?? 0) + 1,
          (row[column + 1] ?? 0) + 1,
          (row[column] ?? 0) + (letter === other ? 0 : 1),
        ),
      );
    row = next;
  }
  return row[to.length] ?? 0;
}
