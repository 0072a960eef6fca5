import { readdirSync } from 'node:fs';
import { join } from 'node:path';

export interface TestFiles {
  readonly node: readonly string[];
  readonly browser: readonly string[];
}

/** The test files, by the runner they are for; with filters, those whose path contains one of them. */
export function testFiles(filters: readonly string[] = []): TestFiles {
  const files = readdirSync('test', { recursive: true, encoding: 'utf8' })
    .map((file) => join('test', file).replaceAll('\\', '/'))
    .filter((file) => file.endsWith('.test.ts'))
    .filter((file) => filters.length === 0 || filters.some((filter) => file.includes(filter)))
    .sort();
  const isForBrowser = (file: string) => file.endsWith('.browser.test.ts');
  return { node: files.filter((file) => !isForBrowser(file)), browser: files.filter(isForBrowser) };
}
