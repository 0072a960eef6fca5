import type { TestContext } from 'node:test';

const pending = new WeakMap<TestContext, (() => unknown)[]>();

/** Runs after the test, what was opened last first; node's own hooks run in the order they were added. */
export function cleanup(t: TestContext, work: () => unknown): void {
  const works = pending.get(t);
  if (works !== undefined) {
    works.push(work);
    return;
  }
  const first = [work];
  pending.set(t, first);
  t.after(async () => {
    for (const next of first.reverse()) await next();
  });
}
