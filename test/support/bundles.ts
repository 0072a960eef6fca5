import { mkdtempSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { build } from '../../scripts/build/own-mode.js';
import { afterThisProcess } from './after-this-process.js';

/**
 * Sources that a page loads as they are, by file name: as modules, or one as a script. An entry is named by its key, and
 * so is what a script defines.
 */
export async function bundleForPages(
  entry: Readonly<Record<string, string>>,
  format: 'es' | 'iife' = 'es',
): Promise<ReadonlyMap<string, string>> {
  const outputs = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: false,
      lib: { entry: { ...entry }, formats: [format], name: Object.keys(entry)[0] ?? '' },
      rolldownOptions: { output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } },
    },
  });
  const files = new Map<string, string>();
  for (const { output } of outputs as Rolldown.RolldownOutput[]) {
    for (const chunk of output) if (chunk.type === 'chunk') files.set(chunk.fileName, chunk.code);
  }
  return files;
}

/**
 * A program of the tests as a file that node runs as it is; its path. For those that start again and again: from its
 * sources a process needs five times as long to begin.
 */
export async function bundleProgram(source: URL): Promise<string> {
  return join(await bundleForNode({ program: fileURLToPath(source) }), 'program.js');
}

/** The folder of sources that node runs as they are, each named by its key. */
export async function bundleForNode(input: Readonly<Record<string, string>>): Promise<string> {
  // Among the packages, which they import.
  const outDir = mkdtempSync(join('node_modules', '.program-'));
  afterThisProcess('rm -rf "$0"', resolve(outDir));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: true,
      outDir,
      minify: false,
      rolldownOptions: { input: { ...input }, output: { entryFileNames: '[name].js' } },
    },
  });
  return outDir;
}
