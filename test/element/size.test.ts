import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeAll, describe, it } from 'vitest';
import { brotliCompressSync } from 'node:zlib';
import { build } from '../../scripts/build/own-mode.js';
import {
  browserTarget,
  buildClassic,
  buildModule,
  chunkFile,
  minified,
  MODULE_FILE,
} from '../../scripts/build/cdn.js';

/** What a payer downloads of the files that are shipped for script tags, in bytes after brotli at its best. */
const FIRST_SCREEN = 24_000;
const BREB = 48_000;
const PSE = 49_000;
const QR_DRAWING = 4_500;
const CLASSIC = 62_000;
/** What the React component adds to an application that has the element. */
const REACT = 1_000;

const kilobytes = (bytes: number) => `${bytes / 1_000} kB`;

describe('what a payer downloads', () => {
  const bytes = new Map<string, number>();
  /** The files that a browser may compile whole, beside the main thread, while they arrive. */
  const compiledAtOnce: string[] = [];
  /** By file, the files it imports at once. */
  const imports = new Map<string, readonly string[]>();

  beforeAll(async () => {
    for (const file of await buildModule()) {
      bytes.set(file.name, compressed(file.code));
      imports.set(file.name, file.imports);
      if (file.code.startsWith('//# allFunctionsCalledOnLoad\n')) compiledAtOnce.push(file.name);
    }
    console.log([...bytes].map(([name, size]) => `${name} ${size}`).join('\n'));
  });

  /** The entry, these chunks and all they import, each once. */
  function total(...chunks: string[]): number {
    const all = new Set([MODULE_FILE, ...chunks.map(chunkFile)]);
    for (const file of all) {
      const imported = imports.get(file);
      assert.ok(imported, `the build has no ${file}`);
      for (const each of imported) all.add(each);
    }
    return [...all].reduce((sum, file) => sum + bytes.get(file)!, 0);
  }

  function assertWithin(budget: number, size: number, what: string): void {
    console.log(`${what} ${size} of ${budget}`);
    assert.ok(size <= budget, `${what}: ${size} bytes are more than ${budget}`);
  }

  it(`is ${kilobytes(FIRST_SCREEN)} at most for the first screen`, () => {
    assertWithin(FIRST_SCREEN, total(), 'first screen');
  });

  it('is compiled as a whole for the first screen alone, where nearly all of it is called', () => {
    assert.deepEqual(compiledAtOnce, [MODULE_FILE]);
  });

  it(`is ${kilobytes(BREB)} at most for a whole payment by Bre-B`, () => {
    assertWithin(BREB, total('paying', 'key'), 'Bre-B');
  });

  it(`is ${kilobytes(PSE)} at most for a whole payment by PSE`, () => {
    assertWithin(PSE, total('paying', 'pse'), 'PSE');
  });

  it('is what docs/package.md says', () => {
    const page = readFileSync('docs/package.md', 'utf8');
    for (const budget of [FIRST_SCREEN, BREB, PSE, CLASSIC]) assert.ok(page.includes(kilobytes(budget)));
  });

  it(`is ${kilobytes(QR_DRAWING)} at most for drawing a code`, () => {
    assertWithin(QR_DRAWING, total('key', 'draw-qr') - total('key'), 'QR drawing');
  });

  it(`is ${kilobytes(CLASSIC)} at most for the classic file, which has both languages and QR drawing inside`, async () => {
    const { code } = await buildClassic();
    for (const part of ['How do you want to pay?', '¿Cómo quieres pagar?', 'Not a payable code'])
      assert.ok(code.includes(part), `it lacks ${part}`);
    assert.doesNotMatch(code, /\bimport\s*\(\s*[`'"]/, 'it fetches something');
    assertWithin(CLASSIC, compressed(code), 'classic file');
  });

  it(`is ${kilobytes(REACT)} at most more with the React component`, async () => {
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        target: browserTarget,
        write: false,
        lib: { entry: 'src/react.ts', formats: ['es'] },
        rolldownOptions: { external: (id) => !id.endsWith('react.ts'), output: minified },
      },
    });
    const [output] = built as Extract<typeof built, readonly unknown[]>;
    const component = output?.output[0].code ?? '';
    assert.match(component, /onPayinConfirmed/);
    assertWithin(REACT, compressed(component), 'React component');
  });
});

function compressed(code: string): number {
  return brotliCompressSync(code).length;
}
