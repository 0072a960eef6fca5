import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { FILE_PATIENCE_MS } from '../../test/support/patience.js';
import type { Browser } from './browsers.js';
import { exited, start, stop } from './processes.js';
import { type Tally, newTally } from './tally.js';

const worker = fileURLToPath(new URL('browser-worker.ts', import.meta.url));

/** Runs test files, by their built files, in one engine and returns what it counted; a run that broke off is a failure. */
export async function testInBrowser(
  browser: Browser,
  files: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): Promise<Tally> {
  const child = start(
    process.execPath,
    ['--import', 'tsx', worker, JSON.stringify(browser), JSON.stringify(files)],
    { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] },
  );
  signal?.addEventListener('abort', () => void stop(child));
  let tally: Tally | undefined;
  let last = 'it said nothing';
  const silence = setTimeout(() => void stop(child), FILE_PATIENCE_MS);
  if (child.stdout) {
    createInterface(child.stdout).on('line', (line) => {
      silence.refresh();
      if (show(line)) last = `the last it said: ${line}`;
    });
  }
  child.on('message', (message) => (tally = message as Tally));
  await exited(child);
  clearTimeout(silence);
  await stop(child);
  if (tally !== undefined) return tally;
  const broken = newTally(browser.engine);
  if (signal?.aborted === true) return broken;
  broken.failures.push({ name: 'the run broke off', reason: last });
  return broken;
}

/** The runner redraws its terminal and announces itself; what remains is worth reading. */
function show(line: string): boolean {
  const text = line.replace(/\u001b\[\d*[AGK]/g, '');
  const isWorthReading = text.trim() !== '' && !/Running \d+ test files/.test(text);
  if (isWorthReading) console.log(text);
  return isWorthReading;
}
