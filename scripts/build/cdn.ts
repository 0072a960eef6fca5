import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Plugin, Rolldown } from 'vite';
import { licencesOf, packageFolder } from './licences.js';
import { build } from './own-mode.js';

/**
 * The files for `<script>` tags, with everything inside: a module that fetches its parts when they are needed, and
 * one classic file that is complete, so that a single hash covers it.
 */

export interface BuiltFile {
  readonly name: string;
  readonly code: string;
  /** The files a browser fetches along with it. */
  readonly imports: readonly string[];
}

export interface CdnIntegrity {
  readonly version: string;
  readonly files: Readonly<
    Record<string, { readonly integrity: string; readonly bytes: number; readonly brotliBytes: number }>
  >;
}

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** The module's and the classic file's names: an address with one of them never changes its content. */
export const MODULE_FILE = `pay-checkout-${version}.js`;
export const CLASSIC_FILE = `pay-checkout-${version}.classic.js`;
/** The name of a file that the module fetches when it is needed. */
export const chunkFile = (name: string) => `pay-checkout-${version}-${name}.js`;
const LICENCES_FILE = 'LICENSES.txt';

const BANNER = `/*! pay-checkout ${version}, MIT. Licences of what is inside: ${LICENCES_FILE} */`;

/**
 * Chromium then compiles the module's functions beside the main thread while it arrives, not one after the other as the
 * first screen calls them, which nearly all of them are for. To other browsers it is a comment.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad';

/** Pages name the policies they allow; a policy of Lit's name would be taken by another Lit on the page. */
const POLICY = 'pay-checkout';

interface Bundled {
  readonly files: readonly BuiltFile[];
  /** Folders of the packages inside. */
  readonly packages: ReadonlySet<string>;
}

/** The oldest engines the widget promises to work in; all of them run ES2022. */
export const browserTarget = ['safari16.4', 'chrome109', 'firefox115'];

/** In libraries Vite keeps whitespace and annotations for the next bundler; these files go to browsers as they are. */
export const minified: Rolldown.OutputOptions = {
  minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
  comments: { annotation: false },
};

/** The module and the files it fetches. */
export async function buildModule(): Promise<readonly BuiltFile[]> {
  return (await bundle('module')).files;
}

/** The one complete file. */
export async function buildClassic(): Promise<BuiltFile> {
  const [file] = (await bundle('classic')).files;
  if (!file) throw new Error('The classic file was not built');
  return file;
}

export async function buildCdn(outDir: string): Promise<CdnIntegrity> {
  const [asModule, classic] = [await bundle('module'), await bundle('classic')];
  const files = [...asModule.files, ...classic.files];
  mkdirSync(outDir, { recursive: true });
  for (const { name, code } of files) writeFileSync(join(outDir, name), code);
  const integrity: CdnIntegrity = {
    version,
    files: Object.fromEntries(
      files.map(({ name, code }) => [
        name,
        {
          integrity: integrityOf(code),
          bytes: Buffer.byteLength(code),
          brotliBytes: brotliCompressSync(code).length,
        },
      ]),
    ),
  };
  writeFileSync(join(outDir, 'integrity.json'), `${JSON.stringify(integrity, null, 2)}\n`);
  writeFileSync(join(outDir, LICENCES_FILE), licencesOf([...asModule.packages, ...classic.packages]));
  return integrity;
}

export function integrityOf(code: string): string {
  return `sha384-${createHash('sha384').update(code).digest('base64')}`;
}

async function bundle(kind: 'module' | 'classic'): Promise<Bundled> {
  const isClassic = kind === 'classic';
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [ownPolicy(), ...(isClassic ? [plainCodes()] : [])],
    build: {
      target: browserTarget,
      write: false,
      lib: { entry: 'src/cdn.ts', formats: [isClassic ? 'iife' : 'es'], name: 'unused' },
      rolldownOptions: {
        // Chunks may import what the entry has: a strict entry would be a file in front of the one with the code.
        preserveEntrySignatures: 'allow-extension',
        output: {
          ...minified,
          postBanner: ({ isEntry }) => (isEntry && !isClassic ? `${COMPILE_AT_ONCE}\n${BANNER}` : BANNER),
          // The entry and all that it imports are one file: by itself the bundler makes files of what parts share with it.
          codeSplitting: !isClassic && { groups: [{ name: 'entry', test: /\/src\/cdn\.ts$/ }] },
          entryFileNames: isClassic ? CLASSIC_FILE : MODULE_FILE,
          chunkFileNames: chunkFile('[name]'),
        },
      },
    },
  });
  const outputs = built as Extract<typeof built, readonly unknown[]>;
  const chunks = outputs.flatMap(({ output: parts }) => parts).filter((part) => part.type === 'chunk');
  const packages = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap(packageFolder));
  return { files: chunks.map(toFile).sort((a, b) => (a.name < b.name ? -1 : 1)), packages };
}

function toFile({ fileName: name, code, imports }: Rolldown.OutputChunk): BuiltFile {
  return { name, code: `${code.trimEnd()}\n`, imports };
}

/** Leaves the library for styled codes out of the classic file, which every payer fetches whole: its codes are plain. */
function plainCodes(): Plugin {
  return {
    name: 'pay-checkout-plain-codes',
    load: (id) =>
      id.endsWith('/styled-qr.ts')
        ? `export const drawStyled = () => { throw new Error('the classic file draws plain codes only'); };`
        : null,
  };
}

/**
 * Gives Lit's Trusted Types policy our name. A page may refuse it, as it does to a second copy of this file: then the
 * script goes on, and only drawing would fail, which a second copy never does.
 */
function ownPolicy(): Plugin {
  const asked = /(\w+)\.createPolicy\(["']lit-html["'],/;
  const created = `function createOwnPolicy(types, rules) {
    try { return types.createPolicy(${JSON.stringify(POLICY)}, rules); } catch {}
  }`;
  return {
    name: 'pay-checkout-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      if (!asked.test(code)) throw new Error('Lit makes its policy in another way than before');
      return { code: `${code.replace(asked, 'createOwnPolicy($1,')}\n${created}`, map: null };
    },
  };
}
