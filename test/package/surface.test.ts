import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, it } from 'vitest';
import { build } from '../../scripts/build/own-mode.js';
import { run } from '../../scripts/tests/processes.js';

/** What package.json promises, held against the sources. */

interface PackageFile {
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
  readonly sideEffects: readonly string[];
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly bin: Readonly<Record<string, string>>;
}

const about = JSON.parse(readFileSync('package.json', 'utf8')) as PackageFile;
/** No entries to import: the command's own, two built pages, and the one for script tags. */
const NOT_EXPORTED = ['cli', 'console-page', 'control-page', 'cdn'];

const sources = readdirSync('src')
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.replace(/\.ts$/, ''));
const entries = sources.filter((name) => !NOT_EXPORTED.includes(name));

/** `locale-*` stands for each of them. */
function exported(): Map<string, string> {
  const found = new Map<string, string>();
  for (const [name, target] of Object.entries(about.exports)) {
    if (typeof target === 'string') continue;
    const file = (target['default'] ?? '').replace(/^\.\/dist\/|\.js$/g, '');
    if (!file.includes('*')) found.set(file, name);
    else {
      const [start = '', end = ''] = file.split('*');
      for (const entry of entries) {
        if (entry.startsWith(start) && entry.endsWith(end))
          found.set(entry, name.replace('*', entry.slice(start.length)));
      }
    }
  }
  return found;
}

describe('the package', () => {
  it('exports every entry point, with its types first', () => {
    assert.deepEqual([...exported().keys()].sort(), [...entries].sort());
    for (const [name, target] of Object.entries(about.exports)) {
      if (typeof target === 'string') continue;
      assert.deepEqual(Object.keys(target), ['types', 'default'], name);
      assert.equal(target['types'], target['default']?.replace(/\.js$/, '.d.ts'), name);
    }
    assert.ok(existsSync('src/cli.ts'));
    assert.deepEqual(about.bin, { 'pay-checkout': 'dist/cli.js' });
  });

  it('runs nothing when it is installed', () => {
    const atInstall = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    assert.deepEqual(
      Object.keys(about.scripts).filter((name) => atInstall.includes(name)),
      [],
    );
  });

  it('packs the documents beside the build, with all they lead to, and nothing that only the repository needs', async () => {
    const { code, output } = await run('npm', [
      'pack',
      '--dry-run',
      '--json',
      '--ignore-scripts',
      '--silent',
    ]);
    assert.equal(code, 0, output);
    const [packed] = JSON.parse(output.slice(output.indexOf('['))) as [{ files: { path: string }[] }];
    const files = packed.files.map(({ path }) => path);
    const others = files.filter((path) => !/^(?:dist|docs)\//.test(path));
    assert.deepEqual(others.sort(), ['CHANGELOG.md', 'LICENSE', 'README.es.md', 'README.md', 'package.json']);
    const dead = files
      .filter((path) => path.endsWith('.md'))
      .flatMap((page) =>
        [...readFileSync(page, 'utf8').matchAll(/\]\((?!https?:|#)([^)#]+)/g)]
          .map(([, link = '']) => normalize(join(dirname(page), link)))
          .filter(
            (link) => !files.some((file) => file === link || (link.endsWith('/') && file.startsWith(link))),
          )
          .map((link) => `${page} leads to ${link}`),
      );
    assert.deepEqual(dead, [], 'links and pictures that are not packed');
    const ofRepository = files.filter((path) =>
      /\.map$|tsconfig|\.d\.ts$|benchmarks|reliability|contributing/.test(
        path.replace(/^dist\/.*\.d\.ts$/, ''),
      ),
    );
    assert.deepEqual(ofRepository, [], 'what only the repository needs');
    for (const target of ['docs/backend.openapi.json', 'docs/examples/basic.py'])
      assert.ok(files.includes(target));
  });

  it('depends on what the design implies and no more', () => {
    assert.deepEqual(Object.keys(about.dependencies).sort(), [
      '@hono/node-server',
      'hono',
      'lean-qr',
      'lit',
      'qr-code-styling',
      'valibot',
    ]);
  });

  it('can be imported in Node, every entry of it, and leaves the process free to end', async () => {
    const imports = entries.map((entry) => `await import(${JSON.stringify(`./src/${entry}.ts`)});`);
    const { code, output } = await run(process.execPath, [
      '--import',
      'tsx',
      '--input-type=module',
      '--eval',
      imports.join('\n'),
    ]);
    assert.equal(code, 0, output);
    assert.equal(output, '');
  });

  it('leaves out of an application what it does not use', async () => {
    const code = await bundleOf(`import { PayinConfirmedEvent } from './src/index.ts';
      addEventListener('x', (event) => console.log(event instanceof PayinConfirmedEvent));`);
    assert.ok(!code.includes('lit'), code.slice(0, 400));
    assert.ok(code.length < 1_500, `${code.length} bytes for one event`);
  });

  it('registers the element for an application that asks for it, and only then', async () => {
    const registering = /pay-checkout/;
    assert.match(await bundleOf(`import './src/define.ts';`), registering);
    for (const entry of entries.filter((name) => name !== 'define'))
      assert.equal((await bundleOf(`import './src/${entry}.ts';`)).trim(), '', entry);
    const listed = about.sideEffects.filter((path) => path.startsWith('./src/'));
    assert.deepEqual(listed, [
      './src/define.ts',
      './src/cdn.ts',
      './src/cli.ts',
      './src/console-page.ts',
      './src/control-page.ts',
      './src/**/*.css',
    ]);
    assert.deepEqual(
      about.sideEffects.filter((path) => path.startsWith('./dist/')),
      ['./dist/define.js', './dist/cli.js', './dist/cdn/*.js'],
    );
  });
});

/** What a bundler makes of a page that says only this; packages stay outside. */
async function bundleOf(code: string): Promise<string> {
  const page = 'virtual:page';
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    plugins: [
      {
        name: 'page',
        resolveId: (id, importer) => {
          if (id === page) return `\0${page}`;
          return importer === `\0${page}` ? new URL(`../../${id.slice(2)}`, import.meta.url).pathname : null;
        },
        load: (id) => (id === `\0${page}` ? code : null),
      },
    ],
    build: {
      write: false,
      modulePreload: false,
      rolldownOptions: {
        input: page,
        external: (id) => !id.startsWith('.') && !id.startsWith('/') && !id.includes('virtual:'),
      },
    },
  });
  const { output } = built as Extract<typeof built, { output: unknown }>;
  return output.map((part) => (part.type === 'chunk' ? part.code : '')).join('');
}
