import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { fileURLToPath } from 'node:url';
import { format, resolveConfig } from 'prettier';
import { drawPlot, type Plot } from './plot.js';
import { markdown, print, type Table } from './table.js';

/** What one part of the bench found. */
export interface Section {
  /** As the command names it. */
  readonly name: string;
  readonly title: string;
  /** Paragraphs: what was measured, and how. */
  readonly about: readonly string[];
  readonly tables: readonly Table[];
  readonly lists?: readonly { readonly title: string; readonly items: readonly string[] }[];
  readonly plots?: readonly Plot[];
}

const DOCS = fileURLToPath(new URL('../../docs/', import.meta.url));
const PLOTS = 'benchmarks';

export function printSection({ title, tables, lists = [] }: Section): void {
  console.log(`\n# ${title}`);
  for (const table of tables) print(table);
  for (const list of lists)
    console.log(`\n${list.title}\n${list.items.map((item) => `- ${item}`).join('\n')}`);
}

/** Puts the section in the place of the one that the page has of the same name, and draws its plots. */
export async function writeSection(
  section: Section,
  command: string,
  loadBefore: number,
  page: 'benchmarks.md' | 'reliability.md' = 'benchmarks.md',
): Promise<void> {
  const path = DOCS + page;
  const maker = command.split(' -- ')[0] ?? command;
  mkdirSync(`${DOCS}${PLOTS}`, { recursive: true });
  const plots = section.plots ?? [];
  for (const plot of plots) writeFileSync(`${DOCS}${PLOTS}/${plot.file}`, drawPlot(plot));
  const missed = section.tables.flatMap(missedGoals);
  const text = [
    `## ${section.title}`,
    `\`${command}\` · ${new Date().toISOString().slice(0, 10)} · ${machine(loadBefore)}`,
    ...section.about,
    ...section.tables.map(markdown),
    ...plots.map(({ file, title }) => `![${title}](${PLOTS}/${file})`),
    ...(section.lists ?? []).map(({ title, items }) => `**${title}**\n\n${bullets(items)}`),
    ...(missed.length === 0 ? [] : [`**Not reached**\n\n${bullets(missed)}`]),
  ].join('\n\n');
  const [begin, end] = [`<!-- ${section.name}: made by ${maker} -->`, `<!-- /${section.name} -->`];
  const before = readFileSync(path, 'utf8');
  const [from, to] = [before.indexOf(begin), before.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`docs/${page} has no place for ${section.name}: ${begin}`);
  const whole = `${before.slice(0, from)}${begin}\n\n${text}\n\n${before.slice(to)}`;
  const options = await resolveConfig(path);
  writeFileSync(path, await format(whole, { ...options, parser: 'markdown' }));
}

const bullets = (items: readonly string[]) => items.map((item) => `- ${item}`).join('\n');

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
