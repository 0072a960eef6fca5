/**
 * Prometheus' text format, version 0.0.4. `serve` measures eleven things, so it writes them itself: the usual library
 * brings three more packages, one of them for tracing, to every shop that installs this one.
 */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;

/** Numbers that only grow, each under its name and labels as the format writes them. */
export class Totals {
  readonly #totals = new Map<string, number>();

  add(name: string, labels: Labels, value: number): void {
    const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
    const sample = `${name}{${pairs.join(',')}}`;
    this.#totals.set(sample, (this.#totals.get(sample) ?? 0) + value);
  }

  /** Adds to a histogram, whose buckets each count everything up to their bound. `bounds` ascend. */
  observe(name: string, labels: Labels, value: number, bounds: readonly number[]): void {
    for (const bound of [...bounds, Infinity]) {
      const le = bound === Infinity ? '+Inf' : String(bound);
      this.add(`${name}_bucket`, { ...labels, le }, value <= bound ? 1 : 0);
    }
    this.add(`${name}_sum`, labels, value);
    this.add(`${name}_count`, labels, 1);
  }

  samples(): readonly (readonly [sample: string, value: number])[] {
    return [...this.#totals];
  }
}

export function metric(
  type: 'counter' | 'gauge' | 'histogram',
  name: string,
  help: string,
  samples: readonly (readonly [sample: string, value: number])[],
): string {
  const lines = samples.map(([sample, value]) => `${sample} ${value}\n`);
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
