import { readdirSync } from 'node:fs';
import { resolve } from 'node:path';
import vue from '@vitejs/plugin-vue';
import { type UserConfig, defineConfig } from 'vite';
import { browserTarget as target } from './scripts/build/cdn.js';
import { demoCdn } from './scripts/demo-cdn.js';

/** The demo's pages: served from their sources, or with `--mode demo` built and previewed. */
function demo(): UserConfig {
  const pages = readdirSync('demo', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  return {
    root: 'demo',
    appType: 'mpa',
    plugins: [
      vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === 'pay-checkout' } } }),
      demoCdn(),
    ],
    server: { fs: { allow: ['.', '../src', '../node_modules'] } },
    build: {
      target,
      outDir: '../dist-demo',
      emptyOutDir: true,
      // Pictures stay files, which the page's policy can tell from data.
      assetsInlineLimit: 0,
      rolldownOptions: { input: pages.map((page) => resolve('demo', page)) },
    },
  };
}

export default defineConfig(demo());
