import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import type { SerializedError } from 'vitest';
import { newTally, type Tally } from './tally.js';

/** Tells the process that started vitest what each file gave, as soon as it has ended: a run may be cut short. */
export default class TallyReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    process.send?.(tallyOf(module));
  }

  onTestRunEnd(_modules: readonly TestModule[], errors: readonly SerializedError[]): void {
    if (errors.length === 0) return;
    const tally = newTally('node');
    tally.failures.push(...errors.map(({ message }) => ({ name: 'outside of any test', reason: message })));
    process.send?.(tally);
  }
}

function tallyOf(module: TestModule): Tally {
  const tally = newTally('node');
  const file = relative(process.cwd(), module.moduleId);
  const { duration, collectDuration } = module.diagnostic();
  tally.files.push({ name: file, seconds: (duration + collectDuration) / 1_000 });
  for (const error of module.errors()) tally.failures.push({ name: file, reason: error.message });
  for (const suite of module.children.allSuites()) {
    for (const error of suite.errors())
      tally.failures.push({ name: `${file} › ${suite.fullName}`, reason: error.message });
  }
  for (const test of module.children.allTests()) count(tally, `${file} › ${test.fullName}`, test);
  return tally;
}

function count(tally: Tally, name: string, test: TestCase): void {
  const result = test.result();
  switch (result.state) {
    case 'passed':
      tally.passed += 1;
      tally.tests.push({ name, seconds: (test.diagnostic()?.duration ?? 0) / 1_000 });
      break;
    case 'failed':
      tally.failures.push({ name, reason: result.errors[0]?.message ?? '' });
      break;
    case 'skipped':
      tally.skipped.push(`${name} (${test.meta().skipped ?? result.note ?? 'no reason given'})`);
      break;
    case 'pending':
      tally.failures.push({ name, reason: 'did not end' });
      break;
  }
}
