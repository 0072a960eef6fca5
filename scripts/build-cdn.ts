import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { build, type Plugin, type Rolldown } from 'vite';
import { browserBuild } from './browser-build.js';

/**
 * The files for `<script>` tags, with everything inside: a module that fetches its parts when they are needed, and
 * one classic file that is complete, so that a single hash covers it.
 */

export interface BuiltFile {
  readonly name: string;
  readonly code: string;
  readonly map: string;
  /** What a browser fetches along with it, and what later. */
  readonly imports: readonly string[];
  readonly lazyImports: readonly string[];
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
const LICENCES_FILE = 'LICENSES.txt';

const BANNER = `/*! pay-checkout ${version}, MIT. Licences of what is inside: ${LICENCES_FILE} */`;

/** Pages name the policies they allow; a policy of Lit's name would be taken by another Lit on the page. */
const POLICY = 'pay-checkout';

interface Bundled {
  readonly files: readonly BuiltFile[];
  /** Folders of the packages inside. */
  readonly packages: ReadonlySet<string>;
}

/** The complete file alone, for pages that are served while it is being worked on. */
export async function buildClassic(): Promise<BuiltFile> {
  const [file] = (await bundle('classic')).files;
  if (!file) throw new Error('The classic file was not built');
  return file;
}

export async function buildCdn(outDir: string): Promise<CdnIntegrity> {
  const [asModule, classic] = [await bundle('module'), await bundle('classic')];
  const files = [...asModule.files, ...classic.files];
  mkdirSync(outDir, { recursive: true });
  for (const { name, code, map } of files) {
    writeFileSync(join(outDir, name), code);
    writeFileSync(join(outDir, `${name}.map`), map);
  }
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
  const { build: settings } = browserBuild();
  const shared = settings?.rolldownOptions?.output as Rolldown.OutputOptions;
  const isClassic = kind === 'classic';
  const built = await build({
    configFile: false,
    logLevel: 'warn',
    plugins: [ownPolicy(), ...(isClassic ? [allAtOnce()] : [])],
    build: {
      ...settings,
      write: false,
      sourcemap: 'hidden',
      lib: { entry: 'src/cdn.ts', formats: [isClassic ? 'iife' : 'es'], name: 'unused' },
      rolldownOptions: {
        ...settings?.rolldownOptions,
        output: {
          ...shared,
          postBanner: BANNER,
          entryFileNames: isClassic ? CLASSIC_FILE : MODULE_FILE,
          chunkFileNames: `pay-checkout-${version}-[name].js`,
        },
      },
    },
  });
  const outputs = built as Extract<typeof built, readonly unknown[]>;
  const chunks = outputs.flatMap(({ output: parts }) => parts).filter((part) => part.type === 'chunk');
  const packages = new Set(chunks.flatMap(({ moduleIds }) => moduleIds).flatMap(packageFolder));
  return { files: chunks.map(toFile).sort((a, b) => (a.name < b.name ? -1 : 1)), packages };
}

function toFile({ fileName: name, code, map, imports, dynamicImports }: Rolldown.OutputChunk): BuiltFile {
  return {
    name,
    code: `${code.trimEnd()}\n//# sourceMappingURL=${name}.map\n`,
    map: map?.toString() ?? '',
    imports,
    lazyImports: dynamicImports,
  };
}

/**
 * Gives Lit's Trusted Types policy our name. A page may refuse it, as it does to a second copy of this file: then the
 * script goes on, and only drawing would fail, which a second copy never does.
 */
function ownPolicy(): Plugin {
  const asked = /(\w+)\.createPolicy\("lit-html",(\{createHTML:\w+=>\w+\})\)/;
  return {
    name: 'pay-checkout-policy',
    transform(code, id) {
      if (!id.endsWith('/lit-html/lit-html.js')) return null;
      if (!asked.test(code)) throw new Error('Lit makes its policy in another way than before');
      const asks = `(()=>{try{return $1.createPolicy(${JSON.stringify(POLICY)},$2)}catch{}})()`;
      return { code: code.replace(asked, asks), map: null };
    },
  };
}

/** What is fetched later elsewhere is already here: the bundler's own way to say so costs kilobytes. */
function allAtOnce(): Plugin {
  return {
    name: 'pay-checkout-all-at-once',
    enforce: 'post',
    transform(code, id) {
      if (!id.startsWith(resolve('src'))) return null;
      const imports: string[] = [];
      const here = code.replaceAll(/\bimport\((["'`])(\.[^"'`]+)\1\)/g, (_, _quote, path: string) => {
        imports.push(`import * as later${imports.length} from ${JSON.stringify(path)};`);
        return `Promise.resolve(later${imports.length - 1})`;
      });
      return imports.length === 0 ? null : { code: `${imports.join('')}${here}`, map: null };
    },
  };
}

function packageFolder(moduleId: string): string[] {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId) ?? [];
  return folder === undefined ? [] : [folder];
}

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/** Also of what the packages depend on: one that comes as a single file has its own dependencies inside. */
function licencesOf(folders: readonly string[]): string {
  const texts = new Map<string, string>();
  const waiting = [...folders];
  for (const folder of waiting) {
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
    const title = `${about.name} ${about.version}`;
    if (texts.has(title)) continue;
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    texts.set(title, `${title} (${about.license ?? 'see below'})\n\n${text}`.trim());
    for (const name of Object.keys(about.dependencies ?? {})) {
      const found = folderOf(name, folder);
      if (found !== undefined) waiting.push(found);
    }
  }
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${sorted.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function folderOf(name: string, from: string): string | undefined {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  return paths.map((path) => join(path, name)).find((folder) => existsSync(join(folder, 'package.json')));
}
