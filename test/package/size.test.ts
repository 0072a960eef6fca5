import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { brotliCompressSync } from 'node:zlib';
import { build } from 'vite';
import { buildClassic } from '../../scripts/build-cdn.js';
import { browserBuild } from '../../scripts/browser-build.js';

/** Downloads in bytes: minified, brotli at its best. The parts of the module build are weighed in test/element. */
const CLASSIC = 48_000;
const REACT = 1_000;

describe('what a page downloads', () => {
  let code = '';
  before(async () => {
    ({ code } = await buildClassic());
    console.log(`classic file ${brotliCompressSync(code).length} of ${CLASSIC}`);
  });

  it('is one classic file that has both languages and QR drawing inside', () => {
    for (const part of ['How do you want to pay?', '¿Cómo quieres pagar?', 'clipPath'])
      assert.ok(code.includes(part), `it lacks ${part}`);
    assert.doesNotMatch(code, /\bimport\s*\(/, 'it fetches something');
  });

  it('is 48 kB at most by that file', () => {
    assert.ok(brotliCompressSync(code).length <= CLASSIC);
  });

  it('is 1 kB at most more with the React component', async () => {
    const { build: settings } = browserBuild();
    const built = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        ...settings,
        write: false,
        sourcemap: false,
        lib: { entry: 'src/react.ts', formats: ['es'] },
        rolldownOptions: { ...settings?.rolldownOptions, external: (id) => !id.endsWith('react.ts') },
      },
    });
    const [output] = built as Extract<typeof built, readonly unknown[]>;
    const component = output?.output[0].code ?? '';
    const bytes = brotliCompressSync(component).length;
    console.log(`React component ${bytes} of ${REACT}`);
    assert.match(component, /onPayinConfirmed/);
    assert.ok(bytes <= REACT, `${bytes} bytes`);
  });
});
