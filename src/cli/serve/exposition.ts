/**
 * Counters, gauges and histograms in Prometheus' text format, version 0.0.4. `serve` measures eleven things, so it
 * writes them itself: the usual library brings three more packages, one of them for tracing, to every shop that
 * installs this one.
 */

export const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Labels = Readonly<Record<string, string>>;

interface Sample {
  readonly name: string;
  readonly labels?: Labels;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
}

export interface Counter extends Metric {
  add(labels: Labels, value: number): void;
}

export interface Gauge extends Metric {
  set(value: number): void;
}

export interface Histogram extends Metric {
  observe(labels: Labels, value: number): void;
}

export function counter(name: string, help: string): Counter {
  const totals = new Map<string, { readonly labels: Labels; value: number }>();
  return {
    name,
    help,
    type: 'counter',
    add(labels, value) {
      const key = JSON.stringify(labels);
      const total = totals.get(key) ?? { labels, value: 0 };
      total.value += value;
      totals.set(key, total);
    },
    samples: () => [...totals.values()].map(({ labels, value }) => ({ name, labels, value })),
  };
}

export function gauge(name: string, help: string): Gauge {
  let value = 0;
  return { name, help, type: 'gauge', set: (now) => void (value = now), samples: () => [{ name, value }] };
}

interface Observed {
  readonly labels: Labels;
  /** How many fell into each bucket alone; the last is beyond all bounds. */
  readonly counts: number[];
  sum: number;
}

/** `bounds` ascend; each is the largest value of its bucket. */
export function histogram(name: string, help: string, bounds: readonly number[]): Histogram {
  const series = new Map<string, Observed>();
  return {
    name,
    help,
    type: 'histogram',
    observe(labels, value) {
      const key = JSON.stringify(labels);
      const observed = series.get(key) ?? { labels, counts: [...bounds.map(() => 0), 0], sum: 0 };
      const fitting = bounds.findIndex((bound) => value <= bound);
      const bucket = fitting === -1 ? bounds.length : fitting;
      observed.counts[bucket] = (observed.counts[bucket] ?? 0) + 1;
      observed.sum += value;
      series.set(key, observed);
    },
    samples: () => [...series.values()].flatMap((observed) => histogramSamples(name, bounds, observed)),
  };
}

/** A bucket of the format counts everything up to its bound. */
function histogramSamples(
  name: string,
  bounds: readonly number[],
  { labels, counts, sum }: Observed,
): Sample[] {
  let count = 0;
  const buckets = counts.map((inBucket, index) => {
    count += inBucket;
    const le = index < bounds.length ? String(bounds[index]) : '+Inf';
    return { name: `${name}_bucket`, labels: { ...labels, le }, value: count };
  });
  return [
    ...buckets,
    { name: `${name}_sum`, labels, value: sum },
    { name: `${name}_count`, labels, value: count },
  ];
}

export function exposition(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap(({ name, help, type, samples }) => [
    `# HELP ${name} ${help}`,
    `# TYPE ${name} ${type}`,
    ...samples().map(line),
  ]);
  return `${lines.join('\n')}\n`;
}

function line({ name, labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([label, text]) => `${label}="${escaped(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(',')}}` : ''} ${value}`;
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
}
