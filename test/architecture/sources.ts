import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** The text files under the given folders, by path from the repository's root; installed packages are not ours. */
export function readSources(
  folders: readonly string[],
  extensions: readonly string[] = ['.ts'],
): Map<string, string> {
  return new Map(
    folders
      .filter((folder) => existsSync(folder))
      .flatMap((folder) =>
        readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) =>
          join(folder, file).replaceAll('\\', '/'),
        ),
      )
      .filter((path) => !path.includes('/node_modules/'))
      .filter((path) => extensions.some((extension) => path.endsWith(extension)))
      .sort()
      .map((path) => [path, readFileSync(path, 'utf8')]),
  );
}
