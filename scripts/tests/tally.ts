/** What one runner found. A failure is told in full where it happened, and once more in short at the end. */
export interface Tally {
  readonly runner: string;
  passed: number;
  readonly failures: Failure[];
  readonly skipped: string[];
  /** How long each file took, and each test that passed. */
  readonly files: Timed[];
  readonly tests: Timed[];
}

export interface Failure {
  readonly name: string;
  readonly reason?: string;
}

export interface Timed {
  readonly name: string;
  readonly seconds: number;
}

const REASON_LINES = 12;
const SLOWEST = 10;

export function newTally(runner: string): Tally {
  return { runner, passed: 0, failures: [], skipped: [], files: [], tests: [] };
}

/** Adds what a part of it found. */
export function addTally(whole: Tally, part: Tally): void {
  whole.passed += part.passed;
  whole.failures.push(...part.failures);
  whole.skipped.push(...part.skipped);
  whole.files.push(...part.files);
  whole.tests.push(...part.tests);
}

/** One line for a file, as soon as it has run. */
export function fileLine(runner: string, name: string, { passed, failures }: Tally, seconds: number): string {
  const failed = failures.length === 0 ? '' : `, ${failures.length} failed`;
  return `${failures.length === 0 ? '✓' : '✗'} ${runner} ${name} (${passed}${failed}, ${seconds.toFixed(1)} s)`;
}

export function tallyLine({ runner, passed, failures, skipped }: Tally): string {
  const skips = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
  return `${runner}: ${passed} passed, ${failures.length} failed${skips}`;
}

/** The failure's name, and the beginning of its reason below. */
export function failureLines({ name, reason = '' }: Failure): string {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  return [`  ✗ ${name}`, ...lines.slice(0, REASON_LINES).map((line) => `      ${line}`)].join('\n');
}

/** A slow test may be a slow product that is waited for with patience. */
export function slowestLines(tallies: readonly Tally[], what: 'files' | 'tests'): string[] {
  return tallies
    .flatMap((tally) =>
      tally[what].map(({ name, seconds }) => ({ name: `${tally.runner} ${name}`, seconds })),
    )
    .sort((one, other) => other.seconds - one.seconds)
    .slice(0, SLOWEST)
    .map(({ name, seconds }) => `${seconds.toFixed(1).padStart(7)} s  ${name}`);
}
