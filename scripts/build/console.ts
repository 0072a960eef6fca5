import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { browserTarget } from './cdn.js';
import { licencesOf, packageFolder } from './licences.js';
import { build } from './own-mode.js';

/** The page of the merchant's console with everything inside, for `serve --console`. */
export async function buildConsole(outDir: string): Promise<void> {
  const packages = new Set<string>();
  await build({
    configFile: false,
    logLevel: 'warn',
    root: 'src/console',
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
