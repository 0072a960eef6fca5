import type { UserConfig } from 'vite';
import { minifyAgain } from './minify-again.js';
import { shorterLiterals } from './shorter-literals.js';
import { shorterNames } from './shorter-names.js';
import { smallerLit } from './smaller-lit.js';
import { smallerQr } from './smaller-qr.js';
import { wholeFiles } from './whole-files.js';

/** The oldest engines the widget promises to work in; all of them run ES2022. */
export const browserTarget = ['safari16.4', 'chrome109', 'firefox115'];

/**
 * How the widget is built for pages without a bundler, with Lit inside: an entry and the chunks it fetches. What a
 * payer downloads is measured on exactly this (test/element/size.test.ts).
 */
export function browserBuild(): UserConfig {
  return {
    build: {
      target: browserTarget,
      lib: { entry: { 'pay-checkout': 'src/define.ts' }, formats: ['es'] },
      rolldownOptions: {
        // Most of the time is the second minifier's, as it should be.
        checks: { bundlerTimings: false },
        plugins: [
          shorterLiterals(),
          shorterNames(),
          smallerLit(),
          smallerQr(),
          wholeFiles('breb-payment', 'pse-payment'),
          minifyAgain(),
        ],
        // Chunks may take what the entry has: a strict entry would be a file in front of the one with the code.
        preserveEntrySignatures: 'allow-extension',
        output: {
          entryFileNames: '[name].js',
          chunkFileNames: '[name].js',
          // Notes to bundlers have been read by now.
          comments: { annotation: false },
          minify: { compress: true, mangle: true, codegen: { removeWhitespace: true } },
        },
      },
    },
  };
}
