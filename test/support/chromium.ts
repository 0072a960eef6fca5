import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs } from '../../scripts/tests/browsers.js';
import { findBrowsers, whyWithout } from '../../scripts/tests/needs.js';
import { PATIENCE_MS } from './patience.js';

/** Chromium for a test file that is not skipped by `whyWithout('chromium')`; its pages have the one patience. */
export async function openChromium(): Promise<Browser> {
  const [installed] = findBrowsers(['chromium']).found;
  if (installed === undefined) throw new Error(whyWithout('chromium'));
  const browser = await chromium.launch({ executablePath: installed.executable, args: chromiumArgs });
  browser.on('context', (context) => context.setDefaultTimeout(PATIENCE_MS));
  return browser;
}
