import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** The folder of the package a bundled module is from; none for our own. */
export function packageFolder(moduleId: string): string[] {
  const [, folder] = /^(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(moduleId) ?? [];
  return folder === undefined ? [] : [folder];
}

interface PackageFile {
  readonly name: string;
  readonly version: string;
  readonly license?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * The licences of the packages in these folders and of what they depend on: a package that is published as one file
 * has its dependencies inside.
 */
export function licencesOf(folders: readonly string[]): string {
  const texts = new Map<string, string>();
  const waiting = [...folders];
  for (const folder of waiting) {
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageFile;
    const title = `${about.name} ${about.version}`;
    if (texts.has(title)) continue;
    const file = readdirSync(folder).find((name) => /^licen[cs]e/i.test(name));
    const text = file === undefined ? '' : readFileSync(join(folder, file), 'utf8').trim();
    texts.set(title, `${title} (${about.license ?? 'see below'})\n\n${text}`.trim());
    for (const name of Object.keys(about.dependencies ?? {})) {
      const found = folderOf(name, folder);
      if (found !== undefined) waiting.push(found);
    }
  }
  const sorted = [...texts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, text]) => text);
  return `${sorted.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

function folderOf(name: string, from: string): string | undefined {
  const paths = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  return paths.map((path) => join(path, name)).find((folder) => existsSync(join(folder, 'package.json')));
}
