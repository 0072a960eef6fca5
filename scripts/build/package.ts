import { readdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { run } from '../tests/processes.js';
import { build } from './own-mode.js';

/**
 * What `import` finds: one module per source file, dependencies left as imports, so that an application has each of
 * them once, drops what it does not use and cuts the rest as it likes; and a declaration beside each.
 */
export async function buildPackage(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'warn',
    build: {
      outDir,
      emptyOutDir: true,
      // As it was written: who bundles it knows which browsers it is for.
      target: 'es2022',
      minify: false,
      lib: { entry: entryPoints(), formats: ['es'] },
      rolldownOptions: {
        // 'use client' stays where it is, since every module stays its own.
        checks: { moduleLevelDirective: false },
        external: isExternal,
        output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
      },
    },
  });
  const { code, output } = await run(process.execPath, [
    'node_modules/typescript/bin/tsc',
    '-p',
    'tsconfig.build.json',
    '--outDir',
    outDir,
  ]);
  if (code !== 0) throw new Error(`The declarations could not be made:\n${output}`);
}

/** Every package, but the bundler's own helpers, which nobody installs. */
function isExternal(id: string): boolean {
  return !id.startsWith('.') && !isAbsolute(id) && !/^\0?@oxc-project/.test(id);
}

/** Built into files for browsers, which nobody imports: the one for script tags, and two pages. */
const PAGES = ['cdn.ts', 'console-page.ts', 'control-page.ts'];

/** The files directly in src that can be imported. */
function entryPoints(): Record<string, string> {
  const files = readdirSync('src').filter((file) => file.endsWith('.ts') && !PAGES.includes(file));
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join('src', file)]));
}
