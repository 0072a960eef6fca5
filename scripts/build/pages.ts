import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { browserTarget } from './cdn.js';
import { licencesOf, packageFolder } from './licences.js';
import { build } from './own-mode.js';

/** The pages that the package ships built, by the folder their `index.html` is in. */
export const PAGES = { console: 'src/console/page', control: 'src/sandbox/control' } as const;

/** One of them with everything inside: what the console's backend or the sandbox serves. */
export async function buildPage(name: keyof typeof PAGES, outDir: string): Promise<void> {
  const packages = new Set<string>();
  await build({
    configFile: false,
    logLevel: 'warn',
    root: PAGES[name],
    // Wherever it is mounted.
    base: './',
    build: {
      target: browserTarget,
      outDir: resolve(outDir),
      emptyOutDir: true,
      assetsInlineLimit: 0,
      modulePreload: false,
    },
    plugins: [
      {
        name: 'licences',
        generateBundle(_options, bundle) {
          for (const file of Object.values(bundle)) {
            if (file.type !== 'chunk') continue;
            for (const id of Object.keys(file.modules))
              for (const folder of packageFolder(id)) packages.add(folder);
          }
        },
      },
    ],
  });
  writeFileSync(join(outDir, 'LICENSES.txt'), licencesOf([...packages]));
}
