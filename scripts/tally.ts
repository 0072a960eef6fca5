/** What one runner found. A failure is told in full where it happened, and once more in short at the end. */
export interface Tally {
  readonly runner: string;
  passed: number;
  readonly failures: Failure[];
  readonly skipped: string[];
}

export interface Failure {
  readonly name: string;
  readonly reason?: string;
}

const REASON_LINES = 12;

export function newTally(runner: string): Tally {
  return { runner, passed: 0, failures: [], skipped: [] };
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
