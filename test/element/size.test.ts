import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { browserBuild } from '../../scripts/browser-build.js';

/** What a payer downloads of the build for browsers, with Lit inside: minified, brotli at its best, in bytes. */
const FIRST_SCREEN = 18_000;
const BREB = 30_000;
const PSE = 32_000;
const QR_DRAWING = 14_000;

const ENTRY = 'pay-checkout';
/** A page asks for the entry; the entry asks for what the payer's choice needs to its end (test/package/cdn.test.ts). */
const breb = [ENTRY, 'breb-payment'];
const pse = [ENTRY, 'pse-payment'];
/** Who ticks another method than the first has most of it already. */
const brebThenPse = [...breb, 'pse'];
const pseThenBreb = [...pse, 'breb'];

describe('what a payer downloads', () => {
  const bytes = new Map<string, number>();
  /** The chunks and everything they import at once. */
  const statics = new Map<string, readonly string[]>();

  before(async () => {
    const config = browserBuild();
    const outputs = await build({
      ...config,
      configFile: false,
      logLevel: 'silent',
      build: { ...config.build, write: false },
    });
    for (const { output } of outputs as Extract<typeof outputs, readonly unknown[]>) {
      const chunks = output.filter((file) => file.type === 'chunk');
      const nameOf = (fileName: string) => chunks.find((chunk) => chunk.fileName === fileName)!.name;
      for (const { name, code, imports } of chunks) {
        bytes.set(name, brotliCompressSync(code).length);
        statics.set(name, imports.map(nameOf));
      }
    }
    console.log(
      [
        `first screen ${total(ENTRY)} of ${FIRST_SCREEN}`,
        `Bre-B        ${total(...breb)} of ${BREB}`,
        `PSE          ${total(...pse)} of ${PSE}`,
        `Bre-B, then PSE ${total(...brebThenPse)}, PSE, then Bre-B ${total(...pseThenBreb)}`,
        `QR drawing   ${bytes.get('draw-qr')} of ${QR_DRAWING}`,
        [...bytes].map(([name, size]) => `${name} ${size}`).join(', '),
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
    assert.ok(bytes.get('draw-qr')! <= QR_DRAWING);
  });

  it('is 18 kB at most for the first screen', () => {
    assert.ok(total(ENTRY) <= FIRST_SCREEN);
  });

  it('is 30 kB at most for a whole payment with Bre-B', () => {
    assert.ok(total(...breb) <= BREB);
  });

  it('is 32 kB at most for a whole payment with PSE', () => {
    assert.ok(total(...pse) <= PSE);
  });

  it('is less in one file than in parts, also for who changes the method', () => {
    const inParts = [ENTRY, 'attempts', 'breb', 'pse'];
    for (const whole of [brebThenPse, pseThenBreb]) assert.ok(total(...whole) < total(...inParts));
  });
});
