import { readFileSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import ts from 'typescript';
import type { Snippet } from './pages.js';

/** Type-checks snippets against the sources, as if they stood in a project that had installed the package. */
export function compileErrors(snippets: readonly Snippet[]): string[] {
  const files = new Map(
    snippets.flatMap((snippet, index) =>
      sourcesOf(snippet).map(({ extension, code, offset }, part) => [
        resolve('docs', `snippet-${index}-${part}.${extension}`),
        { snippet, text: asModule(snippet.given, code), givenLines: linesIn(snippet.given), offset },
      ]),
    ),
  );
  const options = compilerOptions();
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists, readFile } = host;
  host.fileExists = (file) => files.has(file) || fileExists.call(host, file);
  host.readFile = (file) => files.get(file)?.text ?? readFile.call(host, file);
  host.getSourceFile = (file, language, ...rest) => {
    const text = files.get(file)?.text;
    return text === undefined
      ? getSourceFile.call(host, file, language, ...rest)
      : ts.createSourceFile(file, text, language);
  };
  const program = ts.createProgram([...files.keys(), resolve('docs/examples/runtimes.d.ts')], options, host);
  return [...files].flatMap(([name, { snippet, givenLines, offset }]) => {
    const file = program.getSourceFile(name);
    if (file === undefined) throw new Error(`${basename(name)} was not compiled`);
    const isJs = name.endsWith('.js');
    return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]
      .filter(({ code }) => !(isJs && UNTYPED.has(code)))
      .map(({ messageText, start = 0 }) => {
        const line = file.getLineAndCharacterOfPosition(start).line - givenLines + offset;
        const message = ts.flattenDiagnosticMessageText(messageText, ' ');
        return `${snippet.page}:${snippet.line + line}: ${message}`;
      });
  });
}

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

function compilerOptions(): ts.CompilerOptions {
  const config = ts.readConfigFile('tsconfig.json', (file) => readFileSync(file, 'utf8')) as {
    config: unknown;
  };
  const { options } = ts.parseJsonConfigFileContent(config.config, ts.sys, process.cwd());
  const entry = (name: string) => [resolve('src', `${name}.ts`)];
  return {
    ...options,
    allowJs: true,
    checkJs: true,
    noEmit: true,
    jsx: ts.JsxEmit.ReactJSX,
    // A page shows the shortest way to say something.
    noPropertyAccessFromIndexSignature: false,
    exactOptionalPropertyTypes: false,
    paths: {
      'pay-checkout': entry('index'),
      'pay-checkout/locales/*': [resolve('src', 'locale-*.ts')],
      'pay-checkout/*': [resolve('src', '*.ts')],
    },
  };
}
