import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { print, type Table } from './table.js';

/** What one part of the bench found. */
export interface Section {
  readonly title: string;
  /** Paragraphs: what was measured, and how. */
  readonly about: readonly string[];
  readonly tables: readonly Table[];
  readonly lists?: readonly { readonly title: string; readonly items: readonly string[] }[];
}

/** Prints what was found, with the command, the machine and its load before the run. */
export function printSection({ title, about, tables, lists = [] }: Section, loadBefore: number): void {
  console.log(`\n# ${title}\n${machine(loadBefore)}`);
  for (const paragraph of about) console.log(`\n${paragraph}`);
  for (const table of tables) print(table);
  for (const { title: name, items } of lists) printList(name, items);
  printList('Not reached', tables.flatMap(missedGoals));
}

function printList(title: string, items: readonly string[]): void {
  if (items.length > 0) console.log(`\n${title}\n${items.map((item) => `- ${item}`).join('\n')}`);
}

/** Each row that misses its goal, with its figures. */
function missedGoals({ columns, rows }: Table): string[] {
  return rows
    .filter(({ reached }) => reached === false)
    .map(({ cells: [name = '', ...figures] }) => {
      const named = figures.map((figure, index) =>
        figure === '' ? '' : `${columns[index + 1] ?? ''} ${figure}`,
      );
      return `${name}: ${named.filter((each) => each !== '').join(', ')}`;
    });
}

/** A machine that does other things meanwhile is named as one: its load before the run is more than a tenth of a core. */
function machine(loadBefore: number): string {
  const memory = `${Math.round(totalmem() / 2 ** 30)} GB`;
  const cores = `${cpus().length} × ${cpus()[0]?.model ?? 'core'}`;
  const quiet =
    loadBefore < 0.1 ? 'quiet' : `busy with other things: load ${loadBefore.toFixed(1)} before the run`;
  return `Node ${process.version}, ${type()} ${release()}, ${cores}, ${memory}, ${quiet} · ${commit()}`;
}

function commit(): string {
  try {
    return `commit ${execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()}`;
  } catch {
    return 'no repository';
  }
}

export function loadNow(): number {
  return loadavg()[0] ?? NaN;
}
