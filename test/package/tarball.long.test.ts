/**
 * `npm run test:package`: by hand, and before a release, because it installs other packages. Builds and packs, looks
 * at the tarball, then installs it into empty projects, builds them and pays in each with a real browser.
 *
 *   npm run test:package                          everything
 *   npm run test:package -- react quick-start     only these steps
 *   npm run test:package -- --tarball FILE …      with a tarball that is already there
 */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { stopAll, stopAllOnSignals } from '../../scripts/processes.js';
import { FIXTURES, type FixtureName } from './fixtures.js';
import { payInFixture } from './fixture-project.js';
import { followQuickStart } from './quick-start.js';
import { checkContents, checkDocs, checkPublint, checkReproducible, checkTypes, pack } from './tarball.js';

stopAllOnSignals();
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { tarball: { type: 'string' } },
});

const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-package-'));
const tarball = values.tarball === undefined ? await pack(folder) : join(folder, basename(values.tarball));
if (values.tarball !== undefined) cpSync(values.tarball, tarball);

const steps: Readonly<Record<string, () => Promise<void>>> = {
  contents: () => checkContents(tarball),
  publint: () => checkPublint(tarball),
  types: () => checkTypes(tarball),
  docs: () => checkDocs(tarball),
  reproducible: () => checkReproducible(tarball, folder),
  ...Object.fromEntries(
    Object.keys(FIXTURES).map((name) => [
      name,
      () => payInFixture(name as FixtureName, { tarball, folder: join(folder, name) }),
    ]),
  ),
  'quick-start': () => followQuickStart(tarball, join(folder, 'quick-start')),
};

const unknown = positionals.filter((name) => !(name in steps));
if (unknown.length > 0)
  throw new Error(`No such step: ${unknown.join(', ')}. There are ${Object.keys(steps).join(', ')}.`);

const failed: string[] = [];
for (const [name, step] of Object.entries(steps)) {
  if (positionals.length > 0 && !positionals.includes(name)) continue;
  try {
    await step();
    console.log(`✓ ${name}`);
  } catch (error) {
    failed.push(name);
    console.error(
      `✗ ${name}\n${(error instanceof Error ? (error.stack ?? error.message) : String(error)).replace(/^/gm, '    ')}`,
    );
  }
}
await stopAll();
rmSync(folder, { recursive: true, force: true });
console.log(failed.length === 0 ? '\nThe package is fit to be released.' : `\nFailed: ${failed.join(', ')}.`);
process.exit(failed.length === 0 ? 0 : 1);
