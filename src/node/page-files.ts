import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Built beside the package's modules. A bundler would take `new URL` with this folder for a file to copy. */
const BUILT = join(dirname(fileURLToPath(import.meta.url)), '../pages');

type Page = 'console' | 'control';

/** Where a page that the package ships was built to. */
export function pageFolder(page: Page): string {
  return join(BUILT, page);
}

/**
 * The files of a page that the package ships: `console` for `createConsole`, `control` for `createSandbox`. Another
 * folder with the same page can be given.
 */
export function pageFiles(
  page: Page,
  folder: string = pageFolder(page),
): (name: string) => Promise<Uint8Array<ArrayBuffer> | undefined> {
  return async (name) => {
    const body = await readFile(join(folder, name)).catch(() => undefined);
    return body && new Uint8Array(body);
  };
}
