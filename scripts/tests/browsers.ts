import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { PATIENCE_MS } from '../../test/support/patience.js';
import { freePort } from './free-port.js';
import { start, stop } from './processes.js';
import { findApp, findProgram, isExecutable, readdirOrNothing } from './programs.js';

export const engines = ['chromium', 'firefox', 'webkit'] as const;
export type Engine = (typeof engines)[number];

/** An installed browser: `executable` is what to launch (for WebKit, the browser that `driver` starts). */
export type Browser =
  | { readonly engine: 'chromium' | 'firefox'; readonly executable: string }
  | {
      readonly engine: 'webkit';
      readonly executable: string;
      readonly driver: string;
      readonly xvfb: string | undefined;
    };

/**
 * Each window of a Chromium of 150 and newer draws its address bar's suggestions as two pages of their own, which cost as
 * much as the page under test, and starts a process for a page that may come next. The rest is what Playwright switches
 * off: of two lists Chromium takes the last.
 */
const disabledFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'SpareRendererForSitePerProcess',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'ThirdPartyStoragePartitioning',
];

/** Quiet, and without the sandbox, which neither root nor most containers can have; only our own pages are opened. */
export const chromiumArgs = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  '--disable-dev-shm-usage',
  `--disable-features=${disabledFeatures.join()}`,
];

const miniBrowserFolders = ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'];

export function findBrowser(engine: Engine): Browser | undefined {
  if (engine === 'webkit') return findWebKit();
  const executable =
    engine === 'chromium'
      ? (findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome') ??
        findApp('Google Chrome.app/Contents/MacOS/Google Chrome', 'Chromium.app/Contents/MacOS/Chromium'))
      : (findProgram('firefox-esr', 'firefox') ?? findApp('Firefox.app/Contents/MacOS/firefox'));
  return executable === undefined ? undefined : { engine, executable };
}

function findWebKit(): Browser | undefined {
  const driver = findProgram('WebKitWebDriver');
  const executable = findProgram('MiniBrowser') ?? findMiniBrowser();
  const xvfb = findProgram('Xvfb');
  const hasScreen = xvfb !== undefined || process.env['DISPLAY'] !== undefined;
  if (driver === undefined || executable === undefined || !hasScreen) return undefined;
  return { engine: 'webkit', executable, driver, xvfb };
}

/** WebKitGTK keeps its browser among its libraries: /usr/lib/<machine>/webkit2gtk-4.1, /usr/libexec/… and so on. */
function findMiniBrowser(): string | undefined {
  const roots = ['/usr/lib', '/usr/lib64', '/usr/libexec', '/usr/local/libexec'].filter((root) =>
    existsSync(root),
  );
  const machines = readdirOrNothing('/usr/lib').filter((name) => name.includes('-linux-'));
  return [...machines.map((machine) => join('/usr/lib', machine)), ...roots]
    .flatMap((root) => miniBrowserFolders.map((folder) => join(root, folder, 'MiniBrowser')))
    .find(isExecutable);
}

export interface WebKitDriver {
  readonly hostname: string;
  readonly port: number;
  readonly capabilities: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** Starts WebKit's driver on a free port, with a virtual screen of its own so that no window appears. */
export async function startWebKitDriver(browser: Browser & { engine: 'webkit' }): Promise<WebKitDriver> {
  const screen = browser.xvfb === undefined ? undefined : await startScreen(browser.xvfb);
  const port = await freePort();
  const driver = start(browser.driver, [`--port=${port}`], {
    stdio: 'ignore',
    env: {
      ...(screen && { DISPLAY: screen.display }),
      GDK_BACKEND: 'x11',
      // Its sandbox needs user namespaces, which containers lack; only our own pages are opened.
      WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
      // There is no GPU behind a virtual screen, and to play one costs more than to draw without.
      LIBGL_ALWAYS_SOFTWARE: '1',
      WEBKIT_SKIA_ENABLE_CPU_RENDERING: '1',
      WEBKIT_DISABLE_COMPOSITING_MODE: '1',
    },
  });
  const stopBoth = async () => {
    await stop(driver);
    await screen?.stop();
  };
  const until = Date.now() + PATIENCE_MS;
  while (!(await answers(`http://127.0.0.1:${port}/status`))) {
    if (driver.exitCode !== null || Date.now() > until) {
      await stopBoth();
      throw new Error(`${browser.driver} did not start`);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    hostname: '127.0.0.1',
    port,
    capabilities: {
      browserName: 'MiniBrowser',
      'wdio:enforceWebDriverClassic': true,
      'webkitgtk:browserOptions': { binary: browser.executable, args: ['--automation'] },
    },
    stop: stopBoth,
  };
}

async function startScreen(xvfb: string): Promise<{ display: string; stop(): Promise<void> }> {
  const child = start(xvfb, ['-displayfd', '3', '-screen', '0', '1280x1024x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stdio[3]?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.endsWith('\n')) resolve(text.trim());
    });
    child.once('error', reject);
    child.once('exit', () => reject(new Error(`${xvfb} ended before it had a display`)));
  });
  return { display: `:${number}`, stop: () => stop(child) };
}

async function answers(url: string): Promise<boolean> {
  try {
    const response = await fetch(url, { signal: AbortSignal.timeout(2_000) });
    return response.ok;
  } catch {
    return false;
  }
}
