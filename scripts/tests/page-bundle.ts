import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { build } from 'rolldown';

export interface PageBundle {
  /** The built file of a test file. */
  readonly builtOf: (file: string) => string;
  readonly remove: () => void;
}

/** Pages beside the tests, which tests open in frames, and the scripts of those pages. */
const page = /\.html$/;
const scriptOfPage = /src="\.\/(\S+)\.ts"/;

/**
 * The tests for pages and all they import in a few files, once for every engine: from its sources a test file asks the
 * runner's server for a hundred modules.
 */
export async function bundleForPages(files: readonly string[]): Promise<PageBundle> {
  // Among the packages, below what the runner's server may serve.
  const outDir = mkdtempSync(join('node_modules', '.pages-'));
  const pages = [...new Set(files.map((file) => posix.dirname(file)))].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => page.test(name))
      .map((name) => posix.join(folder, name)),
  );
  const scripts = pages.map((path) =>
    posix.join(posix.dirname(path), `${scriptOfPage.exec(readFileSync(path, 'utf8'))?.[1] ?? ''}.ts`),
  );
  const entries = [...new Set([...files, ...scripts])];
  await build({
    input: Object.fromEntries(entries.map((entry) => [entry.replace(/\.ts$/, ''), entry])),
    // The runner's own, and what a test imports by its address.
    external: [/^\/__web-dev-server/, /^\/node_modules\//],
    platform: 'browser',
    tsconfig: 'tsconfig.json',
    resolve: {
      conditionNames: ['browser', 'development', 'import', 'default'],
      extensionAlias: { '.js': ['.ts', '.js'] },
    },
    transform: {
      define: {
        'process.env.NODE_ENV': '"development"',
        'process.env.ACCEPT': JSON.stringify(process.env['ACCEPT'] ?? ''),
      },
    },
    logLevel: 'warn',
    output: {
      dir: outDir,
      sourcemap: true,
      entryFileNames: '[name].built.js',
      chunkFileNames: 'parts/[name]-[hash].js',
    },
  });
  // The runner adds a query to a test's address. What other files share with the test may stand in its own built file,
  // which would be loaded twice under two addresses: so the address with the query is only a way to it.
  for (const entry of entries) {
    const name = entry.replace(/\.ts$/, '');
    writeFileSync(join(outDir, `${name}.js`), `import './${posix.basename(name)}.built.js';\n`);
  }
  for (const path of pages) {
    const text = readFileSync(path, 'utf8').replace(scriptOfPage, 'src="./$1.js"');
    writeFileSync(join(outDir, path), text);
  }
  return {
    builtOf: (file) => join(outDir, file.replace(/\.ts$/, '.js')),
    remove: () => rmSync(outDir, { recursive: true, force: true }),
  };
}
