/**
 * The tests in pages for Stryker, in Chromium: a mistake is tried by the files that reach it while a test runs, one file
 * after the other until one of them fails.
 */
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { CoverageData, MutantCoverage } from '@stryker-mutator/api/core';
import {
  type CompleteDryRunResult,
  DryRunStatus,
  type MutantRunOptions,
  type MutantRunResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { testFiles } from '../tests/files.js';
import { testInBrowser } from '../tests/in-browser.js';
import { findBrowsers } from '../tests/needs.js';
import { bundleForPages, type PageBundle } from '../tests/page-bundle.js';

class PagesRunner implements TestRunner {
  readonly #files = testFiles(process.env['PAY_CHECKOUT_PAGES']?.split(',')).browser;
  readonly #browser = findBrowsers(['chromium']).found[0];
  readonly #reached: MutantCoverage = { static: {}, perTest: {} };
  readonly #listener = createServer((request, response) => {
    void text(request).then((body) => {
      this.#add(JSON.parse(body) as Partial<MutantCoverage>);
      response.end();
    });
  });
  #bundle: PageBundle | undefined;

  capabilities() {
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    await new Promise<void>((resolve) => this.#listener.listen(0, '127.0.0.1', resolve));
    const { port } = this.#listener.address() as AddressInfo;
    this.#bundle = await bundleForPages(this.#files);
    for (const file of this.#files) appendFileSync(this.#bundle.builtOf(file), tellReached(file, port));
  }

  async dryRun(): Promise<CompleteDryRunResult> {
    return { ...(await this.#run(this.#files)), mutantCoverage: this.#reached };
  }

  async mutantRun({ activeMutant, testFilter = [] }: MutantRunOptions): Promise<MutantRunResult> {
    process.env['__STRYKER_ACTIVE_MUTANT__'] = activeMutant.id;
    return toMutantRunResult(await this.#run(testFilter));
  }

  dispose(): Promise<void> {
    this.#listener.close();
    this.#bundle?.remove();
    return Promise.resolve();
  }

  async #run(files: readonly string[]): Promise<CompleteDryRunResult> {
    if (this.#browser === undefined || this.#bundle === undefined) throw new Error('Chromium is not here');
    const { builtOf } = this.#bundle;
    const tally = await testInBrowser(
      this.#browser,
      Object.fromEntries(files.map((file) => [builtOf(file), file])),
    );
    // The run ends with the first file that fails, and may name none.
    const isOf = (file: string) => (failure: { readonly name: string }) => failure.name.startsWith(file);
    const isBroken = tally.failures.some((failure) => !files.some((file) => isOf(file)(failure)));
    const failureMessage = tally.failures.map(({ name, reason }) => `${name}: ${reason}`).join('\n');
    const tests = files.map((file) => {
      const { seconds = 0 } = tally.files.find(({ name }) => name === file) ?? {};
      const isFailed = isBroken || tally.failures.some(isOf(file));
      const test = { id: file, name: file, timeSpentMs: seconds * 1_000 };
      return isFailed
        ? { ...test, status: TestStatus.Failed as const, failureMessage }
        : { ...test, status: TestStatus.Success as const };
    });
    return { status: DryRunStatus.Complete, tests };
  }

  #add({ static: whileLoading, perTest = {} }: Partial<MutantCoverage>): void {
    addHits(this.#reached.static, whileLoading);
    for (const [file, hits] of Object.entries(perTest)) addHits((this.#reached.perTest[file] ??= {}), hits);
  }
}

function addHits(all: CoverageData, some: CoverageData = {}): void {
  for (const [mistake, hits] of Object.entries(some)) all[mistake] = (all[mistake] ?? 0) + hits;
}

/** What a test file does in addition: it says which mistakes were reached, and which of them while a test ran. */
const tellReached = (file: string, port: number): string => `
before(() => (__stryker__.currentTestId = ${JSON.stringify(file)}));
after(() => {
  const body = JSON.stringify(__stryker__.mutantCoverage ?? {});
  return fetch('http://127.0.0.1:${port}/', { method: 'POST', mode: 'no-cors', body });
});
`;

export const strykerPlugins = [{ kind: 'TestRunner', name: 'pages', injectableClass: PagesRunner }];
