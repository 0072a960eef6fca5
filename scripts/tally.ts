/** What one runner found. A failure is told where it happened; here it is only counted, and named once more at the end. */
export interface Tally {
  readonly runner: string;
  passed: number;
  readonly failures: string[];
  readonly skipped: string[];
}

export function newTally(runner: string): Tally {
  return { runner, passed: 0, failures: [], skipped: [] };
}

export function tallyLine({ runner, passed, failures, skipped }: Tally): string {
  const skips = skipped.length === 0 ? '' : `, ${skipped.length} skipped`;
  return `${runner}: ${passed} passed, ${failures.length} failed${skips}`;
}
