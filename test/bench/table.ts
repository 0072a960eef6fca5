export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: Row[];
}

export interface Row {
  readonly cells: readonly string[];
  /** Undefined where there is nothing to reach. */
  readonly reached: boolean | undefined;
}

export function row(cells: readonly string[], reached: boolean | undefined): Row {
  return { cells, reached };
}

export function print(table: Table): void {
  const lines = linesOf(table);
  const widths =
    lines[0]?.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0))) ?? [];
  console.log(`\n${table.title}`);
  for (const line of lines) {
    const cells = line.map((cell, column) =>
      column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
    );
    console.log(`  ${cells.join('   ')}`.trimEnd());
  }
}

function linesOf({ columns, rows }: Table): string[][] {
  return [[...columns, ''], ...rows.map(({ cells, reached }) => [...cells, verdict(reached)])];
}

function verdict(reached: boolean | undefined): string {
  if (reached === undefined) return '';
  return reached ? '✓' : '✗';
}
