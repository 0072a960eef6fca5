/**
 * The documents as a site: `npm run docs` serves it while you write, `npm run docs -- build` makes static files in
 * site/dist. VitePress brings a Vite of its own, so it is installed in site/, when it is first needed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { build } from 'vite';
import { browserTarget } from '../build/cdn.js';

const SITE = 'site';
const PUBLIC = `${SITE}/public`;
/** Pages of the demo that need no server. */
const LIVE_PAGES = ['gallery', 'playground'];
/** For the repository's own checks. */
const NOT_FOR_READERS = ['tsconfig.json', 'runtimes.d.ts'];

const [command = 'dev', ...rest] = process.argv.slice(2);
if (!existsSync(`${SITE}/node_modules`)) run('npm', ['ci', '--no-audit', '--no-fund']);
await preparePublic();
run('npx', ['vitepress', command, '.', ...rest]);

/** What stands beside the documents: the examples and the contract that they link to, and the live pages. */
async function preparePublic(): Promise<void> {
  rmSync(PUBLIC, { recursive: true, force: true });
  mkdirSync(PUBLIC, { recursive: true });
  cpSync('docs/backend.openapi.json', `${PUBLIC}/backend.openapi.json`);
  cpSync('docs/examples', `${PUBLIC}/examples`, {
    recursive: true,
    filter: (file) => !NOT_FOR_READERS.includes(basename(file)),
  });
  await build({
    configFile: false,
    root: 'demo',
    // The site may be hosted in a folder.
    base: './',
    logLevel: 'warn',
    build: {
      target: browserTarget,
      outDir: resolve(PUBLIC),
      emptyOutDir: false,
      assetsDir: 'live',
      rolldownOptions: { input: LIVE_PAGES.map((page) => resolve('demo', page, 'index.html')) },
    },
  });
}

function run(program: string, args: readonly string[]): void {
  const { status } = spawnSync(program, args, {
    cwd: SITE,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (status !== 0) process.exit(status ?? 1);
}
