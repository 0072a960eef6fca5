import type { TestContext } from 'vitest';

/** Runs after the test, what was opened last first. */
export function cleanup(t: TestContext, work: () => unknown): void {
  t.onTestFinished(async () => {
    await work();
  });
}
