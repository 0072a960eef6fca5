import { readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { basename, join, resolve } from 'node:path';
import { type UserConfig, defineConfig } from 'vite';

/** The oldest engines the widget promises to work in; all of them run ES2022. */
const target = ['safari16.4', 'chrome109', 'firefox115'];

const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  dependencies: Record<string, string>;
};

/** The files directly in src are the package's entry points, one module each in dist. */
function entryPoints(): Record<string, string> {
  const files = readdirSync('src').filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'));
  if (files.length === 0) throw new Error('Nothing to build: src has no entry point yet.');
  return Object.fromEntries(files.map((file) => [basename(file, '.ts'), join('src', file)]));
}

/** Dependencies stay imports, so that an application has each of them once. */
function isExternal(id: string): boolean {
  if (id.startsWith('node:') || builtinModules.includes(id)) return true;
  return Object.keys(dependencies).some((name) => id === name || id.startsWith(`${name}/`));
}

const WIDGET_ENTRY = 'hosted/widget.ts';

/** The demo's pages: served from their sources, or with `--mode demo` built and previewed. */
function demo(): UserConfig {
  const pages = readdirSync('demo', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  return {
    root: 'demo',
    appType: 'mpa',
    server: { fs: { allow: ['.', '../src', '../node_modules'] } },
    build: {
      target,
      outDir: '../dist-demo',
      emptyOutDir: true,
      // Pictures stay files, which the page's policy can tell from data.
      assetsInlineLimit: 0,
      // The sandbox's page of a payment link loads the widget from another origin: a name it can know.
      modulePreload: false,
      rolldownOptions: {
        input: [...pages.map((page) => resolve('demo', page)), resolve('demo', WIDGET_ENTRY)],
        output: {
          entryFileNames: ({ facadeModuleId }) =>
            facadeModuleId?.endsWith(WIDGET_ENTRY) ? 'hosted/widget.js' : 'assets/[name]-[hash].js',
        },
      },
    },
  };
}

export default defineConfig(({ command, mode }) =>
  command === 'serve' || mode === 'demo'
    ? demo()
    : {
        build: {
          target,
          sourcemap: true,
          lib: { entry: entryPoints(), formats: ['es'] },
          rolldownOptions: { external: isExternal },
        },
      },
);
