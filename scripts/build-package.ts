import { readdirSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { build } from 'vite';
import { browserTarget } from './browser-build.js';
import { run } from './processes.js';

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
      target: browserTarget,
      sourcemap: true,
      minify: false,
      lib: { entry: entryPoints(), formats: ['es'] },
      rolldownOptions: {
        // 'use client' stays where it is, since every module stays its own.
        checks: { moduleLevelDirective: false },
        external: (id) => !id.startsWith('.') && !isAbsolute(id),
        output: { preserveModules: true, preserveModulesRoot: 'src', entryFileNames: '[name].js' },
      },
    },
  });
  const { code, output } = await run('node_modules/.bin/tsc', [
    '-p',
    'tsconfig.build.json',
    '--outDir',
    outDir,
  ]);
  if (code !== 0) throw new Error(`The declarations could not be made:\n${output}`);
}

/** The files directly in src, but the one for script tags, which is no module to import. */
function entryPoints(): Record<string, string> {
  const files = readdirSync('src').filter((file) => file.endsWith('.ts') && file !== 'cdn.ts');
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join('src', file)]));
}
