import { fileURLToPath } from 'node:url';
import type { Rolldown } from 'vite';
import { buildModule, MODULE_FILE } from '../../../scripts/build/cdn.js';
import { build } from '../../../scripts/build/own-mode.js';
import { bundleForPages } from '../../support/bundles.js';

/** What the pages of a journey load, built as payers get it. */

export interface Built {
  /** The widget as payers download it, by file name. */
  readonly files: ReadonlyMap<string, string>;
  /** The file that the page loads. */
  readonly entry: string;
  readonly agent: string;
}

/** Builds what the pages load, once for all engines. */
export async function buildPages(): Promise<Built> {
  const files = await buildModule();
  return {
    files: new Map(files.map(({ name, code }) => [name, code])),
    entry: MODULE_FILE,
    agent: await buildAgent(),
  };
}

/** The same in an application of a merchant that imports the package and is bundled by Vite. */
export async function buildApplication(): Promise<Built> {
  const outputs = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      rolldownOptions: { input: fileURLToPath(new URL('../../../src/define.ts', import.meta.url)) },
    },
  });
  const { output } = outputs as Rolldown.RolldownOutput;
  const chunks = output.filter((file) => file.type === 'chunk');
  return {
    files: new Map(chunks.map(({ fileName, code }) => [fileName, code])),
    entry: chunks.find(({ isEntry }) => isEntry)?.fileName ?? '',
    agent: await buildAgent(),
  };
}

/** What looks and presses inside a page. */
export async function buildAgent(): Promise<string> {
  const files = await bundleForPages({ agent: fileURLToPath(new URL('agent.ts', import.meta.url)) }, 'iife');
  return files.get('agent.js') ?? '';
}
