import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The first of these programs that is installed. */
export function findProgram(...names: string[]): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable);
}

/** The first of these applications of macOS that is installed. */
export function findApp(...paths: string[]): string | undefined {
  if (process.platform !== 'darwin') return undefined;
  const folders = ['/Applications', join(process.env['HOME'] ?? '', 'Applications')];
  return paths.flatMap((path) => folders.map((folder) => join(folder, path))).find(isExecutable);
}

/** The folder of PostgreSQL's server programs; Debian keeps those of each version apart, and off the path. */
export function findPostgresFolder(): string | undefined {
  const debianFolder = '/usr/lib/postgresql';
  const versions = readdirOrNothing(debianFolder).sort((left, right) => Number(right) - Number(left));
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    ...versions.map((version) => join(debianFolder, version, 'bin')),
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => isExecutable(join(folder, name))));
}

export function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export function readdirOrNothing(folder: string): string[] {
  return existsSync(folder) ? readdirSync(folder) : [];
}
