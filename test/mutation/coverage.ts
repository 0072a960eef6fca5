import { readdirSync, readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Lines of a source that a process did not run, first and last of each piece included. */
type Unrun = readonly (readonly [first: number, last: number])[];

interface Report {
  readonly result: readonly {
    readonly url: string;
    readonly functions: readonly { readonly ranges: readonly Range[] }[];
  }[];
  readonly 'source-map-cache'?: Readonly<Record<string, Mapping>>;
}

interface Range {
  readonly startOffset: number;
  readonly endOffset: number;
  readonly count: number;
}

interface Mapping {
  readonly lineLengths: readonly number[];
  readonly data: ConstructorParameters<typeof SourceMap>[0] | null;
}

/**
 * Which lines of the sources ran, as Node's own reports say (`NODE_V8_COVERAGE`, one for each process). In doubt a line
 * ran: the first and the last line of a piece that did not are shared with what is before and after it.
 */
export class Coverage {
  /** For each source, what each process that loaded it did not run. */
  readonly #unrun: ReadonlyMap<string, readonly Unrun[]>;

  private constructor(unrun: ReadonlyMap<string, readonly Unrun[]>) {
    this.#unrun = unrun;
  }

  /** The reports in the folder, of sources below the root. */
  static read(folder: string, root: string): Coverage {
    const unrun = new Map<string, Unrun[]>();
    const start = `${pathToFileURL(root).href}/`;
    for (const name of readdirSync(folder)) {
      const report = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Report;
      for (const { url, functions } of report.result) {
        const mapping = report['source-map-cache']?.[url];
        if (!url.startsWith(start) || !mapping?.data) continue;
        const lineOf = lineFinder(mapping.lineLengths, new SourceMap(mapping.data));
        const pieces = functions
          .flatMap(({ ranges }) => ranges)
          .filter(({ count }) => count === 0)
          .map(({ startOffset, endOffset }) => [lineOf(startOffset) + 1, lineOf(endOffset - 1) - 1] as const);
        const file = url.slice(start.length);
        unrun.set(file, [...(unrun.get(file) ?? []), pieces]);
      }
    }
    return new Coverage(unrun);
  }

  /** Whether any of these lines may have been run, by one process at least. */
  mayRun(file: string, firstLine: number, lastLine: number): boolean {
    const processes = this.#unrun.get(file);
    // Nothing is known about it: it may have been run as part of something else.
    if (processes === undefined) return true;
    return processes.some(
      (pieces) => !pieces.some(([first, last]) => first <= firstLine && lastLine <= last),
    );
  }
}

/** From a place in what ran to a line of the source, counted from 1. */
function lineFinder(lineLengths: readonly number[], map: SourceMap): (offset: number) => number {
  return (offset) => {
    let line = 0;
    let rest = offset;
    for (const length of lineLengths) {
      if (rest <= length) break;
      rest -= length + 1;
      line += 1;
    }
    const entry = map.findEntry(line, rest);
    return 'originalLine' in entry ? entry.originalLine + 1 : NaN;
  };
}
