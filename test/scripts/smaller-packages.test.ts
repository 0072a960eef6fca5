import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { build, type Rolldown } from 'vite';
import { smallerLit, smallerLitCode } from '../../scripts/smaller-lit.js';
import { smallerQr, smallerQrCode } from '../../scripts/smaller-qr.js';
import { openBrowser } from '../journeys/first-run-shopper.js';
import type * as page from './smaller-packages-page.js';

/** The build leaves parts of two packages out: what is left must do the same. */

type Which = 'whole' | 'smaller';

const installed = await openBrowser();
describe(
  'packages without their unused parts',
  { skip: typeof installed === 'string' ? installed : false },
  () => {
    let tab: Page;

    before(async () => {
      if (typeof installed === 'string') return;
      tab = await installed.newPage();
      await tab.addScriptTag({ content: await script('whole', []) });
      await tab.addScriptTag({ content: await script('smaller', [smallerLit(), smallerQr()]) });
    });
    after(async () => {
      if (typeof installed !== 'string') await installed.close();
    });

    async function script(name: Which, plugins: Rolldown.Plugin[]): Promise<string> {
      const built = await build({
        configFile: false,
        logLevel: 'silent',
        build: {
          write: false,
          lib: { entry: 'test/scripts/smaller-packages-page.ts', formats: ['iife'], name },
          rolldownOptions: { plugins },
        },
      });
      const [output] = built as Extract<typeof built, readonly unknown[]>;
      return output?.output[0].code ?? '';
    }

    it('draw the same codes, of every length', async () => {
      const texts = [...Array(16).keys()].map((step) =>
        'Café 0123 '.repeat(200).slice(0, 1 + step * step * 8),
      );
      texts.push('0'.repeat(2_900), '0123456789', 'HELLO WORLD', 'https://tienda.example/pagar?id=1');
      const drawn = (name: Which) =>
        tab.evaluate(
          ([which, all]) => (globalThis as unknown as Record<string, typeof page>)[which]!.draw(all),
          [name, texts] as const,
        );
      const expected = await drawn('whole');
      assert.equal(new Set(expected).size, new Set(texts).size);
      assert.deepEqual(await drawn('smaller'), expected);
    });

    it('draw the same page, whatever follows on what', async () => {
      const drawn = (name: Which) =>
        tab.evaluate(
          (which) => (globalThis as unknown as Record<string, typeof page>)[which]!.renderAll(),
          name,
        );
      const expected = await drawn('whole');
      assert.ok(expected.length > 40 && expected.some((each) => each.includes('third click')));
      assert.match(expected.at(-1) ?? '', /invalid template strings array/);
      assert.deepEqual(await drawn('smaller'), expected);
    });
  },
);

describe('cuts in packages', () => {
  it('are refused in any other version', () => {
    const lit = readFileSync('node_modules/lit-html/lit-html.js', 'utf8');
    assert.throws(() => smallerLitCode(lit.replace('_$litPart$', '_$litPiece$')), /these cuts were made for/);
    const qr = readFileSync('node_modules/qr-code-styling/lib/qr-code-styling.js', 'utf8');
    assert.throws(() => smallerQrCode(qr.replaceAll('drawBackground', 'drawGround')), /drawBackground/);
  });

  it('leave everything that the widget has in its templates', () => {
    const files = readdirSync('src/element', { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => [file, readFileSync(join('src/element', file), 'utf8')] as const);
    assert.ok(files.length > 30);
    for (const [file, text] of files) {
      assert.doesNotMatch(text, /from 'lit\/(?!html\.js)/, `${file} uses more of Lit`);
      for (const [literal] of text.matchAll(/html`[^`]*`/g))
        assert.doesNotMatch(literal, /<!--|<(?:textarea|script|style|title)\b|='|<\w+ \$\{/, file);
    }
  });
});
