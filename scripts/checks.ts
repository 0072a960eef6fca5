import { run } from './processes.js';
import { fileLine, newTally, type Tally } from './tally.js';

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

export const checkNames = checks.map(({ name }) => name);

/** Runs one of the checks and says how it ended. */
export async function runCheck(wanted: string, { repair = false } = {}): Promise<Tally> {
  const check = checks.find(({ name }) => name === wanted);
  if (check === undefined) throw new Error(`no check is called ${wanted}`);
  const startedMs = performance.now();
  const [program, ...args] = repair && check.fix ? check.fix : check.command;
  const { code, output } = await run(`node_modules/.bin/${program}`, args);
  const tally = newTally('checks');
  if (code === 0) tally.passed += 1;
  else tally.failures.push({ name: check.name, reason: output });
  const seconds = (performance.now() - startedMs) / 1_000;
  tally.times.push({ name: check.name, seconds });
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '));
  console.log(fileLine('check', check.name, tally, seconds));
  return tally;
}
