import { run } from './processes.js';

interface Check {
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** What to run instead when asked to repair. */
  readonly fix?: readonly [string, ...string[]];
}

const checks: readonly Check[] = [
  { name: 'types', command: ['tsc', '--noEmit'] },
  {
    name: 'lint',
    command: ['eslint', '.', '--max-warnings', '0'],
    fix: ['eslint', '.', '--max-warnings', '0', '--fix'],
  },
  {
    name: 'format',
    command: ['prettier', '--check', '.'],
    fix: ['prettier', '--write', '--log-level', 'warn', '.'],
  },
  { name: 'unused', command: ['knip'] },
];

export interface CheckResult {
  readonly name: string;
  readonly passed: boolean;
  readonly output: string;
}

/** Runs all checks two at a time, or one by one when they repair files, and tells each as it ends. */
export async function runChecks({ fix = false }: { fix?: boolean } = {}): Promise<CheckResult[]> {
  const waiting = [...checks];
  const results: CheckResult[] = [];
  const lane = async () => {
    for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
      const result = await runCheck(check, fix);
      console.log(`${result.passed ? '✓' : '✗'} ${result.name}`);
      if (!result.passed) console.log(result.output.trimEnd().replace(/^/gm, '    '));
      results.push(result);
    }
  };
  await Promise.all(fix ? [lane()] : [lane(), lane()]);
  return results;
}

async function runCheck({ name, command, fix }: Check, repair: boolean): Promise<CheckResult> {
  const [program, ...args] = repair && fix ? fix : command;
  const { code, output } = await run(`node_modules/.bin/${program}`, args);
  return { name, passed: code === 0, output };
}
