import { type Browser, chromiumArgs, startWebKitDriver } from './browsers.js';

/** Opens a page in the browser the way tests do, and returns its version; throws when it cannot be driven. */
export async function tryEngine(browser: Browser): Promise<string> {
  switch (browser.engine) {
    case 'chromium': {
      const { chromium } = await import('playwright-core');
      const running = await chromium.launch({ executablePath: browser.executable, args: chromiumArgs });
      try {
        const page = await running.newPage();
        await page.evaluate('document.title');
        return running.version();
      } finally {
        await running.close();
      }
    }
    case 'firefox': {
      const { launch } = await import('puppeteer-core');
      const running = await launch({
        browser: 'firefox',
        executablePath: browser.executable,
        // Its own add-ons take a fifth of a start. Tests have them: they say what a form can be filled in with.
        extraPrefsFirefox: { 'extensions.enabledScopes': 0 },
      });
      try {
        const page = await running.newPage();
        await page.evaluate('document.title');
        return (await running.version()).replace(/^firefox\//i, '');
      } finally {
        await running.close();
      }
    }
    case 'webkit': {
      const { default: WebDriver } = await import('webdriver');
      const driver = await startWebKitDriver(browser);
      try {
        const { hostname, port, capabilities } = driver;
        const client = await WebDriver.newSession({ hostname, port, capabilities, logLevel: 'silent' });
        await client.executeScript('return document.title', []);
        const { browserVersion } = client.capabilities;
        await client.deleteSession();
        return browserVersion ?? 'of unknown version';
      } finally {
        await driver.stop();
      }
    }
  }
}
