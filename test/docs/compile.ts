import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Snippet } from './pages.js';

/** Type-checks snippets against the sources, as if they stood in a project that had installed the package. */
export function compileErrors(snippets: readonly Snippet[]): string[] {
  const files = new Map(
    snippets.flatMap((snippet, index) =>
      sourcesOf(snippet).map((source, part) => [
        `snippet-${index}-${part}.${source.extension}`,
        { ...source, snippet },
      ]),
    ),
  );
  // Among the packages, which snippets import.
  const folder = mkdtempSync(join('node_modules', '.snippets-'));
  try {
    for (const [name, { snippet, code }] of files)
      writeFileSync(join(folder, name), asModule(snippet.given, code));
    writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(configFor([...files.keys()])));
    // TypeScript 7 takes a tenth of the time.
    const compiler = resolve('node_modules/typescript-native/bin/tsc');
    const { stdout } = spawnSync(
      process.execPath,
      [compiler, '-p', '.', '--pretty', 'false', '--singleThreaded'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    return [...stdout.matchAll(COMPLAINT)].flatMap(([whole, name = '', line, code, message = '']) => {
      const file = files.get(name);
      // The sources are checked under their own options; what has no place is about these.
      if (file === undefined) return name === '' ? [whole] : [];
      if (file.extension === 'js' && UNTYPED.has(Number(code))) return [];
      const { snippet, offset } = file;
      const place = snippet.line + offset + Number(line) - 1 - linesIn(snippet.given);
      return [`${snippet.page}:${place}: ${message.replaceAll(/\s+/g, ' ').trim()}`];
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** `name(line,column): error TS1: what`, without the place when it is about the options; further lines are indented. */
const COMPLAINT = /^(?:(.+)\((\d+),\d+\): )?error TS(\d+): (.*(?:\n .*)*)/gm;

/** JavaScript has no place to write a parameter's type, or that something found is there. */
const UNTYPED = new Set([7006, 7019, 7031, 2531, 2532, 18047, 18048]);

interface Source {
  readonly extension: 'ts' | 'tsx' | 'js';
  readonly code: string;
  /** Lines of the snippet before it. */
  readonly offset: number;
}

function sourcesOf({ language, code }: Snippet): Source[] {
  if (language === 'ts' || language === 'tsx' || language === 'js')
    return [{ extension: language, code, offset: 0 }];
  if (language !== 'html' && language !== 'vue' && language !== 'svelte') return [];
  return [...code.matchAll(/<script([^>]*)>\n([\s\S]*?)<\/script>/g)]
    .filter(([, attributes = '']) => !attributes.includes('importmap'))
    .map(({ 0: whole, 1: attributes = '', 2: script = '', index }) => ({
      extension: attributes.includes('lang="ts"') ? 'ts' : 'js',
      code: script,
      offset: linesIn(code.slice(0, index + whole.indexOf('\n'))),
    }));
}

const linesIn = (text: string) => (text === '' ? 0 : text.split('\n').length);

/** Without an import or export a file would share its names with every other. */
function asModule(given: string, code: string): string {
  return `${given === '' ? '' : `${given}\n`}${code}\nexport {};\n`;
}

function configFor(files: readonly string[]): object {
  return {
    extends: '../../tsconfig.json',
    compilerOptions: {
      allowJs: true,
      checkJs: true,
      // A page shows the shortest way to say something.
      noPropertyAccessFromIndexSignature: false,
      exactOptionalPropertyTypes: false,
      paths: {
        'pay-checkout': ['../../src/index.ts'],
        'pay-checkout/locales/*': ['../../src/locale-*.ts'],
        'pay-checkout/*': ['../../src/*.ts'],
      },
    },
    files: [...files, '../../docs/examples/runtimes.d.ts'],
    include: [],
  };
}
