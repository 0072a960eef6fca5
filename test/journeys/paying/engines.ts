import { type KeyInput, launch } from 'puppeteer-core';
import WebDriver from 'webdriver';
import { type Browser, chromiumArgs, startWebKitDriver } from '../../../scripts/tests/browsers.js';
import { PATIENCE_MS } from '../../support/patience.js';

/** Keys that have no letter, as WebDriver writes them. */
const KEYS = { Tab: '\uE004', Enter: '\uE007', ArrowDown: '\uE015' } as const;
export type Key = keyof typeof KEYS | (string & {});

/** One tab of a real browser, as far as journeys need it, whichever engine it is. */
export interface Tab {
  goto(url: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  /** The value of an expression in the page; it throws while the page is being replaced by another. */
  evaluate(expression: string): Promise<unknown>;
  /** Presses a key and lets it go: Tab, Enter, an arrow, a letter. */
  key(key: Key): Promise<void>;
  /** Brings it to the front. */
  look(): Promise<void>;
  close(): Promise<void>;
}

export interface RunningBrowser {
  open(): Promise<Tab>;
  close(): Promise<void>;
}

/** Not the drivers' own: they wait for events that a page from the back/forward cache never has. */
const BACK = 'void setTimeout(() => history.back())';

/** WebKit's driver may never answer what it asked a page that went at that moment; a page that stays answers at once. */
const ANSWER_MS = 10_000;
const ARRIVED = "return !document.isLeft && document.readyState !== 'loading'";

export function startBrowser(browser: Browser): Promise<RunningBrowser> {
  return browser.engine === 'webkit' ? startWebKit(browser) : startPuppet(browser);
}

async function startPuppet(browser: Browser): Promise<RunningBrowser> {
  const running = await launch({
    browser: browser.engine === 'firefox' ? 'firefox' : 'chrome',
    executablePath: browser.executable,
    args: browser.engine === 'chromium' ? [...chromiumArgs, '--lang=es-CO'] : [],
    // Otherwise a page that is left is always forgotten, and no payer's browser does that.
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
    headless: true,
  });
  return {
    async open() {
      const page = await running.newPage();
      const options = { timeout: 0, waitUntil: 'domcontentloaded' } as const;
      return {
        goto: async (url) => void (await page.goto(url, options)),
        reload: async () => void (await page.reload(options)),
        back: async () => void (await page.evaluate(BACK)),
        evaluate: (expression) => page.evaluate(expression),
        key: (key) => page.keyboard.press(key as KeyInput),
        look: () => page.bringToFront(),
        close: () => page.close(),
      };
    },
    close: () => running.close(),
  };
}

async function startWebKit(browser: Browser & { engine: 'webkit' }): Promise<RunningBrowser> {
  const driver = await startWebKitDriver(browser);
  const { hostname, port } = driver;
  // A page that the payer goes back to never ends loading for this driver, which then answers no more.
  const capabilities = { ...driver.capabilities, pageLoadStrategy: 'none' as const };
  const client = await WebDriver.newSession({
    hostname,
    port,
    capabilities,
    logLevel: 'silent',
    // Nothing may be pressed again by itself.
    connectionRetryCount: 0,
  });
  const home = await client.getWindowHandle();
  // A driver looks at one window at a time.
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Value>(run: () => Promise<Value>): Promise<Value> => {
    const mine = last.then(run, run);
    last = mine.catch(() => undefined);
    return mine;
  };
  const ask = (script: string): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error('The page did not answer')), ANSWER_MS);
      const answer = client.executeScript(script, []);
      void answer.then(resolve, reject).finally(() => clearTimeout(timer));
    });
  return {
    open: () =>
      inTurn(async () => {
        // A window and not a tab: all of them are seen.
        await client.switchToWindow(home);
        const { handle } = await client.createWindow('window');
        const there = <Value>(run: () => Promise<Value>) =>
          inTurn(async () => {
            await client.switchToWindow(handle);
            return run();
          });
        // The driver does not wait: what is asked next would be answered by the page that is about to go.
        const replace = (leave: () => Promise<void>) =>
          there(async () => {
            await ask('document.isLeft = true');
            await leave();
            const untilMs = Date.now() + PATIENCE_MS;
            while (!(await ask(ARRIVED).catch(() => false))) {
              if (Date.now() > untilMs) throw new Error('The page never came');
            }
          });
        return {
          goto: (url) => replace(() => client.navigateTo(url)),
          reload: () => replace(() => client.refresh()),
          back: () => there(async () => void (await ask(BACK))),
          evaluate: (expression) => there(() => ask(`return (${expression})`)),
          key: (key) =>
            there(async () => {
              const value = key in KEYS ? KEYS[key as keyof typeof KEYS] : key;
              const actions = [
                { type: 'keyDown', value },
                { type: 'keyUp', value },
              ];
              await client.performActions([{ type: 'key', id: 'keyboard', actions }]);
            }),
          look: () => there(async () => undefined),
          close: () => there(async () => void (await client.closeWindow())),
        };
      }),
    async close() {
      await client.deleteSession();
      await driver.stop();
    },
  };
}
