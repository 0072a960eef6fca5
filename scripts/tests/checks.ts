import { run } from './processes.js';
import { fileLine, newTally, type Tally } from './tally.js';

interface Check {
  readonly name: string;
  /** A script among the packages, and its arguments: what npm puts into `.bin` is another thing on Windows. */
  readonly command: readonly [string, ...string[]];
  /** What to run instead when asked to repair. */
  readonly fix?: readonly [string, ...string[]];
  /** Part of the long run instead of the quick one: these take as long as a whole engine. */
  readonly isLong?: true;
}

const checks: readonly Check[] = [
  // TypeScript 7 takes a tenth of the time; eslint, vue-tsc and the package's types still need 6.
  // Threads check shared types again, each for itself, which costs half as much again.
  { name: 'types', command: ['typescript-native/bin/tsc', '--noEmit', '--singleThreaded'] },
  {
    name: 'lint',
    command: ['eslint/bin/eslint.js', '.', '--max-warnings', '0'],
    fix: ['eslint/bin/eslint.js', '.', '--max-warnings', '0', '--fix'],
    isLong: true,
  },
  {
    name: 'format',
    command: ['prettier/bin/prettier.cjs', '--check', '.'],
    fix: ['prettier/bin/prettier.cjs', '--write', '--log-level', 'warn', '.'],
    isLong: true,
  },
  { name: 'unused', command: ['knip/bin/knip.js'], isLong: true },
];

export const checkNames = checks.map(({ name }) => name);
export const longCheckNames = checks.filter(({ isLong }) => isLong).map(({ name }) => name);

/** Runs one of the checks and says how it ended. */
export async function runCheck(wanted: string, { repair = false } = {}): Promise<Tally> {
  const check = checks.find(({ name }) => name === wanted);
  if (check === undefined) throw new Error(`no check is called ${wanted}`);
  const startedMs = performance.now();
  const [program, ...args] = repair && check.fix ? check.fix : check.command;
  const { code, output } = await run(process.execPath, [`node_modules/${program}`, ...args]);
  const tally = newTally('checks');
  if (code === 0) tally.passed += 1;
  else tally.failures.push({ name: check.name, reason: output });
  const seconds = (performance.now() - startedMs) / 1_000;
  tally.files.push({ name: check.name, seconds });
  if (code !== 0) console.log(output.trimEnd().replace(/^/gm, '    '));
  console.log(fileLine('check', check.name, tally, seconds));
  return tally;
}
