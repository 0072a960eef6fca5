import { readdirSync } from 'node:fs';
import type { Browser, CDPSession } from 'playwright-core';
import { procFile } from '../proc.js';

const TICKS_PER_SECOND = 100;

/**
 * Processor time as the system counts it, which other programs cannot make longer: of all of Chromium's processes, and
 * of the main threads of those that show pages. Linux alone tells; elsewhere nothing is known.
 */
export class Processor {
  readonly #browserPid: number;
  readonly #devtools: CDPSession;

  private constructor(browserPid: number, devtools: CDPSession) {
    this.#browserPid = browserPid;
    this.#devtools = devtools;
  }

  static async of(browser: Browser, browserPid: number): Promise<Processor> {
    return new Processor(browserPid, await browser.newBrowserCDPSession());
  }

  async now(): Promise<ProcessorTime> {
    const { processInfo } = await this.#devtools.send('SystemInfo.getProcessInfo');
    const renderers = processInfo.filter(({ type }) => type === 'renderer');
    return {
      browserMs: browserMs(this.#browserPid),
      mainThreads: new Map(renderers.map(({ id }) => [id, mainThreadMs(id)])),
    };
  }
}

interface ProcessorTime {
  readonly browserMs: number;
  readonly mainThreads: ReadonlyMap<number, number>;
}

/** What was used between two moments, in milliseconds; NaN where the system does not tell. */
export function used(from: ProcessorTime, to: ProcessorTime) {
  // A process that began meanwhile is one that the browser keeps ready, not the page's.
  const known = [...to.mainThreads].filter(([pid]) => from.mainThreads.has(pid));
  const mainThreads = known.map(([pid, ms]) => ms - (from.mainThreads.get(pid) ?? 0));
  return {
    browserMs: to.browserMs - from.browserMs,
    mainThreadMs: mainThreads.reduce((sum, ms) => sum + ms, 0),
  };
}

/** The thread that has the number of its process is the main one. */
function mainThreadMs(pid: number): number {
  const [nanoseconds] = procFile(`${pid}/task/${pid}/schedstat`)?.split(' ') ?? [];
  return Number(nanoseconds) / 1_000_000;
}

/** A process and all that it started. */
function browserMs(root: number): number {
  const parents = new Map<number, number>();
  const times = new Map<number, number>();
  for (const name of folders('/proc').filter((each) => /^\d+$/.test(each))) {
    // The program's name, in brackets, may hold anything; what follows is numbers.
    const stat = procFile(`${name}/stat`)
      ?.replace(/^.*\) /s, '')
      .split(' ');
    if (stat === undefined) continue;
    parents.set(Number(name), Number(stat[1]));
    times.set(Number(name), ((Number(stat[11]) + Number(stat[12])) * 1_000) / TICKS_PER_SECOND);
  }
  if (!times.has(root)) return NaN;
  const belongs = (pid: number): boolean =>
    pid === root || (parents.has(pid) && belongs(parents.get(pid) ?? 0));
  return [...times].filter(([pid]) => belongs(pid)).reduce((sum, [, ms]) => sum + ms, 0);
}

function folders(path: string): string[] {
  try {
    return readdirSync(path);
  } catch {
    return [];
  }
}
