import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { engines } from './browsers.js';
import { type Need, needs } from './needs.js';

export interface TestFiles {
  readonly node: readonly string[];
  readonly browser: readonly string[];
}

/**
 * What engines can do differently: focus, dialogs, clipboard, forms, styles, policies, back and forward, print, timers and
 * tabs, and a whole payment by each rail. These run in every engine; the other tests for pages run in the first engine
 * there is, and in the others with `npm run test:long`.
 */
const IN_EVERY_ENGINE = [
  'test/element/policy/policy',
  'test/element/resume',
  'test/element/stillness',
  'test/element/views/bank-picker',
  'test/element/views/breb',
  'test/element/views/details',
  'test/element/views/modal',
  'test/element/views/outcomes/kept-receipt',
  'test/support/smoke',
  'test/transport/page',
  'test/transport/tabs',
].map((name) => `${name}.browser.test.ts`);

export const isForEveryEngine = (file: string): boolean => IN_EVERY_ENGINE.includes(file);

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
  const browser = files.filter(isForBrowser);
  const node = files.filter((file) => !isForBrowser(file));
  if (long) return { node: node.filter((file) => isOnlyLong(file) || reach(file).has(longSwitch)), browser };
  return { node: node.filter((file) => !isOnlyLong(file)), browser };
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
function reach(file: string): Set<string> {
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
