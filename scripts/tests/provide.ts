import { engines } from './browsers.js';
import { about, findBrowsers, installHint, isDebianLike, leaveOut, type Need, whyWithout } from './needs.js';
import { run } from './processes.js';
import { findPostgresFolder } from './programs.js';
import { tryEngine } from './try-engine.js';

const quietInstall = [
  'install',
  '-y',
  '--no-install-recommends',
  '-o',
  'Acquire::Retries=1',
  '-o',
  'Acquire::http::Timeout=30',
  '-o',
  'DPkg::Lock::Timeout=120',
];

/** On a Debian-like system, as root, what is missing is installed; elsewhere nothing is. */
export async function installMissing(wanted: readonly Need[]): Promise<void> {
  const missing = wanted.filter((need) => whyWithout(need) !== undefined);
  if (missing.length === 0 || !isDebianLike() || process.getuid?.() !== 0) return;
  const packages = missing.flatMap((need) => about[need].debianPackages);
  console.log(`Installing ${packages.join(' ')} …`);
  const startedMs = performance.now();
  const env = { DEBIAN_FRONTEND: 'noninteractive' };
  await run('apt-get', ['update'], { env });
  const all = await run('apt-get', [...quietInstall, ...packages], { env });
  if (all.code !== 0) {
    // One that cannot be had must not keep the others away.
    for (const need of missing) {
      const { code, output } = await run('apt-get', [...quietInstall, ...about[need].debianPackages], {
        env,
      });
      if (code !== 0)
        leaveOut(need, `apt-get could not install it: ${output.trim().split('\n').at(-1) ?? 'no output'}`);
    }
  }
  console.log(`That took ${((performance.now() - startedMs) / 1_000).toFixed(0)} s.`);
}

/**
 * Says what there is, with versions, and what will be left out. Every engine opens a page first: one that cannot be
 * driven is left out of the run, and named, instead of failing each of its tests.
 */
export async function describeNeeds(wanted: readonly Need[]): Promise<string[]> {
  const versions = new Map<Need, string>();
  await Promise.all(
    findBrowsers(engines.filter((engine) => wanted.includes(engine))).found.map(async (browser) => {
      try {
        versions.set(browser.engine, await tryEngine(browser));
      } catch (error) {
        const [reason = ''] = String(error).split('\n');
        leaveOut(browser.engine, `cannot be driven (${await ownVersion(browser.executable)}): ${reason}`);
      }
    }),
  );
  const programs = {
    postgres: `${findPostgresFolder() ?? ''}/postgres`,
    php: 'php',
    python: 'python3',
    strace: 'strace',
  };
  for (const [need, program] of Object.entries(programs) as [keyof typeof programs, string][]) {
    if (wanted.includes(need) && whyWithout(need) === undefined)
      versions.set(need, await ownVersion(program));
  }
  const left: string[] = [];
  for (const need of wanted) {
    const reason = whyWithout(need);
    const { name, guards } = about[need];
    if (reason === undefined) console.log(`✓ ${name} ${versions.get(need) ?? ''}`);
    else left.push(`Left out: ${reason}. Not tried without it: ${guards}. To have it: ${installHint(need)}`);
  }
  for (const line of left) console.log(`✗ ${line}`);
  return left;
}

async function ownVersion(program: string): Promise<string> {
  const { output } = await run(program, ['--version']);
  return /\d+(?:\.\d+)+\w*/.exec(output)?.[0] ?? 'of unknown version';
}
