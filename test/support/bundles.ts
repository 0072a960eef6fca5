import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { build } from '../../scripts/build/own-mode.js';

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
 * A program of the tests as one file that node runs as it is; its path. For those that start again and again: from its
 * sources a process needs five times as long to begin.
 */
export async function bundleProgram(source: URL): Promise<string> {
  // Among the packages, which the program imports.
  const outDir = mkdtempSync(join('node_modules', '.program-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: fileURLToPath(source),
      outDir,
      minify: false,
      rolldownOptions: { output: { entryFileNames: 'program.js' } },
    },
  });
  return join(outDir, 'program.js');
}
