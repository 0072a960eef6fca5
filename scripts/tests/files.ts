import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { engines } from './browsers.js';
import { type Need, needs } from './needs.js';

export interface TestFiles {
  readonly node: readonly string[];
  readonly browser: readonly string[];
}

/** What makes a file part of `npm run test:long` as well: it does more there. */
const longSwitch = 'test/support/long.ts';

/**
 * The test files by the runner they are for; with filters, those whose path contains one of them. A long run has those
 * that are for it alone (`x.long.test.ts`), and those that try more in it.
 */
export function testFiles(filters: readonly string[] = [], { long = false } = {}): TestFiles {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => posix.join('test', file.replaceAll('\\', '/')))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
  const isForBrowser = (file: string) => file.endsWith('.browser.test.ts');
  const isOnlyLong = (file: string) => file.endsWith('.long.test.ts');
  if (long) {
    return { node: files.filter((file) => isOnlyLong(file) || reach(file).has(longSwitch)), browser: [] };
  }
  const quick = files.filter((file) => !isOnlyLong(file));
  return { node: quick.filter((file) => !isForBrowser(file)), browser: quick.filter(isForBrowser) };
}

/** What these files, or what they import, ask for with `whyWithout`, `findBrowser` or `findBrowsers`. */
export function needsOf(files: readonly string[]): Need[] {
  const found = new Set<string>();
  for (const path of new Set(files.flatMap((file) => [...reach(file)]))) {
    if (!path.startsWith('test/')) continue;
    const text = readFileSync(path, 'utf8');
    for (const [, need = ''] of text.matchAll(/\b(?:whyWithout|findBrowser)\('(\w+)'\)/g)) found.add(need);
    if (text.includes('findBrowsers(')) for (const engine of engines) found.add(engine);
  }
  return needs.filter((need) => found.has(need));
}

/** The file and all it imports, here in the project. */
export function reach(file: string): Set<string> {
  const reached = new Set([file]);
  for (const path of reached) {
    const text = readFileSync(path, 'utf8');
    for (const [, specifier = ''] of text.matchAll(/(?:from|import\() ?'(\.[^']+)'/g)) {
      const imported = posix.join(posix.dirname(path), specifier.replace(/\.js$/, '.ts'));
      if (imported.endsWith('.ts') && existsSync(imported)) reached.add(imported);
    }
  }
  return reached;
}
