import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { Browser } from './browsers.js';
import { exited, start, stop } from './processes.js';
import { type Tally, newTally } from './tally.js';

const worker = fileURLToPath(new URL('browser-worker.ts', import.meta.url));
const engineTimeoutMs = 900_000;

/** Runs the files in one engine and returns what it counted; a run that broke off counts as a failure. */
export async function testInBrowser(browser: Browser, files: readonly string[]): Promise<Tally> {
  const child = start(process.execPath, ['--import', 'tsx', worker, JSON.stringify(browser), ...files], {
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (child.stdout) createInterface(child.stdout).on('line', show);
  let tally: Tally | undefined;
  let brokenBy = 'the run broke off';
  child.on('message', (message) => (tally = message as Tally));
  const timer = setTimeout(() => {
    tally = undefined;
    brokenBy = `no end after ${engineTimeoutMs / 1000} s`;
    void stop(child);
  }, engineTimeoutMs);
  await exited(child);
  clearTimeout(timer);
  await stop(child);
  if (tally !== undefined) return tally;
  const broken = newTally(browser.engine);
  broken.failures.push({ name: brokenBy });
  return broken;
}

/** The runner redraws its terminal and announces itself; what remains is worth reading. */
function show(line: string): void {
  const text = line.replace(/\u001b\[\d*[AGK]/g, '');
  if (text.trim() !== '' && !/Running \d+ test files/.test(text)) console.log(text);
}
