import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build, type Rolldown } from 'vite';
import { minifyAgain } from '../../scripts/minify-again.js';
import { wholeFiles } from '../../scripts/whole-files.js';

/**
 * A page with a counter, which comes in a file of its own; two files that count with it, one that both need, and one
 * that is all of it.
 */
const SOURCES: Readonly<Record<string, string>> = {
  'entry.js': `
    import { count } from './counter.js';
    import { twice } from './doubling.js';
    count(twice(0));
    globalThis.parts = {
      one: () => import('./one.js'),
      two: () => import('./two.js'),
      both: () => import('./both.js'),
    };
  `,
  'doubling.js': `export const twice = (number) => (globalThis.doubled = 2 * number);`,
  'counter.js': `
    let counted = 0;
    export const count = (by) => (counted += by);
  `,
  'one.js': `
    import { count } from './counter.js';
    import { twice } from './doubling.js';
    import { half } from './common.js';
    export const one = () => count(twice(half(2)));
    export const words = 'one';
    export const later = () => import('./later.js');
  `,
  'two.js': `
    import { count } from './counter.js';
    import { twice } from './doubling.js';
    import { half } from './common.js';
    export const two = () => count(twice(half(4)));
    export const words = 'two';
    export const fails = () => { throw new Error('on its own line'); };
  `,
  'common.js': `export const half = (number) => (globalThis.halved = number / 2);`,
  'later.js': `export const isLater = true;`,
  'both.js': `
    import { words as ones } from './one.js';
    import { words as twos } from './two.js';
    export * from './one.js';
    export * from './two.js';
    export const words = ones + twos;
  `,
};

describe('a file with all that is fetched together', () => {
  let folder: string;
  const chunks = new Map<string, Rolldown.OutputChunk>();

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'pay-checkout-whole-'));
    for (const [name, code] of Object.entries(SOURCES)) writeFileSync(join(folder, name), code);
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      root: folder,
      build: {
        target: 'es2022',
        sourcemap: 'hidden',
        lib: { entry: join(folder, 'entry.js'), formats: ['es'] },
        rolldownOptions: {
          plugins: [wholeFiles('both'), minifyAgain()],
          preserveEntrySignatures: 'allow-extension',
          output: {
            codeSplitting: { groups: [{ name: 'counter', test: /counter\.js$/ }] },
            entryFileNames: '[name].mjs',
            chunkFileNames: '[name].mjs',
            postBanner: '/*! licences */',
            minify: { codegen: { removeWhitespace: true } },
          },
        },
      },
    });
    for (const { output } of built as Extract<typeof built, readonly unknown[]>) {
      for (const file of output) if (file.type === 'chunk') chunks.set(file.name, file);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  const chunk = (name: string) => {
    const found = chunks.get(name);
    assert.ok(found, `there is no ${name}`);
    return found;
  };

  it('has the code of the others, which stay, and takes the rest from what comes with the entry', () => {
    const { code, imports, dynamicImports } = chunk('both');
    for (const part of ['as one', 'as two', 'halved']) assert.ok(code.includes(part), code);
    assert.doesNotMatch(code, /doubled/);
    assert.deepEqual([...imports].sort(), ['counter.mjs', 'entry.mjs']);
    assert.deepEqual(dynamicImports, ['later.mjs']);
    assert.deepEqual(code.match(/from"[^"]*"/g)?.sort(), ['from"./counter.mjs"', 'from"./entry.mjs"']);
    assert.match(code, /import\("\.\/later\.mjs"\)/);
    for (const name of ['one', 'two']) assert.ok(chunk(name).code.includes(`as ${name}`));
  });

  it('calls what it takes by the name that it has there', () => {
    const [, name] = /import\{(\w+)\}from"\.\/entry\.mjs"/.exec(chunk('both').code) ?? [];
    assert.ok(name !== undefined, chunk('both').code);
    assert.match(chunk('entry').code, new RegExp(`export\\{${name}\\}`));
    assert.match(chunk('one').code, new RegExp(`import\\{${name}\\}from"\\./entry\\.mjs"`));
  });

  it('names the licences once, at its head', () => {
    assert.deepEqual(chunk('both').code.match(/\/\*!.*?\*\//g), ['/*! licences */']);
    assert.ok(chunk('both').code.startsWith('/*!'));
  });

  it('works beside the others, with one entry for all', async () => {
    type Part = Readonly<Record<'one' | 'two', () => number>> & { readonly words: string };
    const load = async (name: string) =>
      (await import(pathToFileURL(join(folder, 'dist', `${name}.mjs`)).href)) as Part;
    const [both, two] = [await load('both'), await load('two')];
    assert.equal(both.words, 'onetwo');
    assert.deepEqual([both.one(), both.two(), two.two()], [2, 6, 10]);
  });

  it('leads back to the sources', () => {
    const { code, map } = chunk('both');
    assert.ok(map);
    const lines = code.slice(0, code.indexOf('Error("on its own line")')).split('\n');
    const from = new SourceMap(JSON.parse(map.toString()) as ConstructorParameters<typeof SourceMap>[0]);
    const found = from.findEntry(lines.length - 1, lines.at(-1)!.length);
    assert.ok('originalLine' in found);
    assert.match(found.originalSource, /two\.js$/);
    const line = SOURCES['two.js']!.split('\n')[found.originalLine];
    assert.match(line ?? '', /on its own line/);
  });
});
