import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { chromiumArgs, findBrowser } from '../../../scripts/tests/browsers.js';
import { percentile } from '../server/http-line.js';
import type { Section } from '../report.js';
import { row, type Row, type Table } from '../table.js';
import { Neighbours } from '../weather.js';
import { openOurs } from './answers/ours.js';
import { buildPage, installPeers, versionOf } from './build.js';
import { BLANK, CONTENDERS, EMBEDDED, OURS } from './contenders.js';
import { type Heap, measureHeap } from './heap.js';
import { type Bytes, measurePayment, type Payment, type Prepared } from './payment.js';
import { Processor } from './processor.js';
import { openStage, type Stage } from './stage.js';
import { measureWaiting, type Waiting } from './waiting.js';

export interface BrowserSizes {
  /** Payments of each contender. */
  readonly rounds: number;
  /** How long each waits; 0 leaves waiting out. */
  readonly waitSeconds: number;
  /** Checkouts on one page; none leaves memory out. */
  readonly checkouts: readonly number[];
}

const NO_COUNTDOWN = `${OURS}, no countdown`;
const BEYOND = 'beyond a blank page';
const MOST_WAITING_MS = 5;
const MOST_LOADING_TASK_MS = 50;
const MOST_PAYING_TASK_MS = 100;
/** The first screens are compared above what the browser and the line cost. */
const FIRST_SCREEN = { peer: 'Adyen', share: 0.57, embeddedShare: 0.5 };
/** Its picker has a list of methods, as our first screen has; Adyen's and bitcoin-connect's have one button. */
const MEMORY_PEER = 'Xendit';

interface Measured {
  readonly contenders: readonly Prepared[];
  readonly payments: ReadonlyMap<string, readonly Payment[]>;
  readonly heaps: ReadonlyMap<string, readonly Heap[]>;
  readonly waits: ReadonlyMap<string, Waiting>;
  /** How far other machines disturbed it. */
  readonly weather: string;
}

/** The widget and its peers in one browser, in turns. */
export async function benchBrowser(sizes: BrowserSizes): Promise<Section> {
  const executable = findBrowser('chromium')?.executable;
  if (executable === undefined) throw new Error('Chromium is not installed');
  installPeers();
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-bench-browser-'));
  const stage = await openStage(folder);
  const contenders: Prepared[] = [];
  for (const contender of CONTENDERS) {
    contenders.push({ ...contender, files: await buildPage(contender, folder) });
  }
  const server = await chromium.launchServer({ executablePath: executable, args: argsFor(stage) });
  const browser = await chromium.connect(server.wsEndpoint());
  try {
    const processor = await Processor.of(browser, server.process().pid ?? 0);
    const measured = await measure({ browser, processor, stage, contenders, sizes });
    for (const request of [...stage.unanswered].filter(isOfThePage))
      console.error(`  no answer for ${request}`);
    return sectionOf(measured, sizes, `Chromium ${browser.version()}`);
  } finally {
    await browser.close();
    await server.close();
    await stage.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every name leads to the stage, and frames of other sites stay in the page's process, so that they are slowed as well. */
function argsFor({ port }: Stage): string[] {
  return [
    ...chromiumArgs,
    `--host-resolver-rules=MAP * 127.0.0.1:${port}`,
    '--ignore-certificate-errors',
    '--disable-site-isolation-trials',
    '--disable-features=IsolateOrigins,site-per-process,OptimizationHints,Translate',
  ];
}

/** The browser asks its maker for this and that; nothing of it leaves the machine. */
function isOfThePage(request: string): boolean {
  return !/\bgoogle(?:apis)?\.com\//.test(request);
}

interface Begun {
  readonly browser: Browser;
  readonly processor: Processor;
  readonly stage: Stage;
  readonly contenders: readonly Prepared[];
  readonly sizes: BrowserSizes;
}

async function measure({ browser, processor, stage, contenders, sizes }: Begun): Promise<Measured> {
  const neighbours = new Neighbours();
  const payments = new Map<string, Payment[]>(contenders.map(({ name }) => [name, []]));
  // In turns, so that all meet the same weather; nobody is always the first, and the first round warms the browser up.
  for (let round = 0; round <= sizes.rounds; round++) {
    const first = round % contenders.length;
    for (const contender of [...contenders.slice(first), ...contenders.slice(0, first)]) {
      console.error(`  ${round === 0 ? 'warm-up' : `round ${round}`}: ${contender.name}`);
      const payment = await neighbours.undisturbed(() =>
        measurePayment(browser, processor, stage, contender),
      );
      if (round > 0) payments.get(contender.name)?.push(payment);
    }
  }
  const heaps = new Map<string, Heap[]>(contenders.map(({ name }) => [name, []]));
  for (const count of sizes.checkouts) {
    for (const contender of contenders.filter(({ name }) => name !== BLANK && name !== EMBEDDED)) {
      console.error(`  ${count} on one page: ${contender.name}`);
      heaps.get(contender.name)?.push(await measureHeap(browser, stage, contender, count));
    }
  }
  const waits = new Map<string, Waiting>();
  const [ours] = contenders;
  if (ours === undefined) throw new Error('There is nothing to measure');
  const without: Prepared = { ...ours, name: NO_COUNTDOWN, open: () => openOurs({ lapses: false }) };
  const waiting = [...contenders.filter(({ name }) => name !== EMBEDDED), without];
  for (const contender of sizes.waitSeconds === 0 ? [] : waiting) {
    console.error(`  waiting ${sizes.waitSeconds} s: ${contender.name}`);
    const waited = await neighbours.undisturbed(() =>
      measureWaiting(browser, processor, stage, contender, sizes.waitSeconds),
    );
    waits.set(contender.name, waited);
  }
  return { contenders, payments, heaps, waits, weather: String(neighbours) };
}

interface Quantity {
  readonly name: string;
  readonly digits?: number;
  /** The figure of one contender; undefined where there is none. */
  readonly of: (name: string) => number | undefined;
  /** False for what is only told. */
  readonly isCompared?: boolean;
  /** The peers it is compared with, where not all are alike in it. */
  readonly peers?: readonly string[];
  /** The goal beside that of being less than every peer, and whether a figure of ours reaches it. */
  readonly goal?: { readonly text: string; readonly reached: (ours: number) => boolean };
}

function sectionOf(measured: Measured, sizes: BrowserSizes, browserVersion: string): Section {
  const { payments, heaps, waits, weather } = measured;
  const contenders = measured.contenders.filter(({ name }) => name !== EMBEDDED);
  const valuesOf = (name: string, pick: (payment: Payment) => number) =>
    (payments.get(name) ?? []).map(pick).filter((value) => !Number.isNaN(value));
  const median = (pick: (payment: Payment) => number) => (name: string) => {
    const values = valuesOf(name, pick);
    return values.length === 0 ? undefined : percentile(values, 0.5);
  };
  const least = (pick: (payment: Payment) => number) => (name: string) => {
    const values = valuesOf(name, pick);
    return values.length === 0 ? undefined : Math.min(...values);
  };
  const atMost = (most: number, text: string) => ({ text, reached: (ours: number) => ours <= most });
  const still = atMost(0, '0');
  const shown = contenders.filter(({ name }) => name !== BLANK);
  const bytesUntil = (screen: keyof Bytes): Quantity[] => [
    { name: `bytes until ${SCREENS[screen]}`, of: median(({ code, data }) => code[screen] + data[screen]) },
    { name: '… of them data', of: median(({ data }) => data[screen]), isCompared: false },
  ];
  /** The median, which is compared, and the least disturbed of all. */
  const timed = (
    name: string,
    pick: (payment: Payment) => number,
    goal?: NonNullable<Quantity['goal']>,
  ): Quantity[] => [
    { name, of: median(pick), ...(goal && { goal }) },
    { name: '… the least', of: least(pick), isCompared: false },
  ];
  const aboveBlank = (name: string) => {
    const [all, blank] = [name, BLANK].map(median(({ firstMs }) => firstMs));
    return all === undefined || blank === undefined ? undefined : all - blank;
  };
  const shareOfPeer = (share: number) => ({
    text: `at most ${share} of ${FIRST_SCREEN.peer}’s`,
    reached: (ours: number) => ours <= share * (aboveBlank(FIRST_SCREEN.peer) ?? 0),
  });
  const loading: Table = tableOf(`Loading: ${SLOW}, medians of ${sizes.rounds}`, contenders, [
    ...timed('first screen, ms', ({ firstMs }) => firstMs),
    {
      name: `… ${BEYOND}`,
      of: aboveBlank,
      peers: [FIRST_SCREEN.peer],
      goal: shareOfPeer(FIRST_SCREEN.share),
    },
    {
      name: `… ${BEYOND}, ours with the offer in the page`,
      of: (name) => aboveBlank(name === OURS ? EMBEDDED : name),
      peers: [FIRST_SCREEN.peer],
      goal: shareOfPeer(FIRST_SCREEN.embeddedShare),
    },
    ...timed('main thread, ms', ({ loadingMainThreadMs }) => loadingMainThreadMs),
    ...timed(
      'longest task, ms (0: none over 50)',
      ({ loadingLongestTaskMs }) => loadingLongestTaskMs,
      atMost(MOST_LOADING_TASK_MS, 'none over 50'),
    ),
    { name: 'layout shift', digits: 3, of: median(({ loadingShift }) => loadingShift), goal: still },
    ...bytesUntil('first'),
  ]);
  const paying: Table = tableOf(`Paying: ${SLOW}, medians of ${sizes.rounds}`, shown, [
    ...timed('click to code, ms', ({ clickToCodeMs }) => clickToCodeMs),
    // Answers that are canned come sooner than those of a backend at work.
    ...timed('… of it from the first answer on', ({ answerToCodeMs }) => answerToCodeMs),
    ...timed('main thread from the first screen on, ms', (payment) => payment.payingMainThreadMs),
    ...timed(
      'longest task, ms (0: none over 50)',
      ({ payingLongestTaskMs }) => payingLongestTaskMs,
      atMost(MOST_PAYING_TASK_MS, `at most ${MOST_PAYING_TASK_MS}`),
    ),
    {
      name: 'layout shift, loading included',
      digits: 3,
      of: median(({ wholeShift }) => wholeShift),
      goal: still,
    },
    ...bytesUntil('code'),
    ...bytesUntil('outcome'),
  ]);
  const kilobytes = (index: number, pick: (heap: Heap) => number) => (name: string) => {
    const heap = heaps.get(name)?.[index];
    return heap === undefined ? undefined : pick(heap) / 1_024;
  };
  const held: Table = tableOf(
    'Memory of a page’s checkouts at their first screen, scripts and document, beyond the loaded library, kB',
    shown,
    sizes.checkouts.flatMap((count, index) => [
      {
        name: `${count} on the page`,
        of: kilobytes(index, ({ mountedBytes }) => mountedBytes),
        peers: [MEMORY_PEER],
      },
      {
        name: `left once ${count} were removed`,
        of: kilobytes(index, ({ leftBytes }) => leftBytes),
        isCompared: false,
      },
    ]),
  );
  const waiting: Table = {
    title: `Waiting with the code on the screen for ${sizes.waitSeconds} s, full speed: processor time a minute, ms`,
    columns: ['', 'all of Chromium', BEYOND, 'main thread', BEYOND, 'goal'],
    rows: [...waits].map(([name, wait]) => waitingRow(name, wait, waits)),
  };
  return {
    title: 'Beside others, in a browser',
    about: [
      `${browserVersion}. One run, in turns. Every peer is its published package, bundled by Vite with one setting (minified ES modules); the widget is the build for pages without a bundler. All are served with brotli from this machine, their providers’ answers too, and no other host is reached. A ratio below 1 means less than the best peer.`,
      'Bytes are those of answers’ bodies that had arrived when a screen was seen; the page’s own HTML is not counted.',
      weather,
    ],
    tables: [loading, paying, held, waiting].filter(({ rows }) => rows.length > 0),
    lists: [
      {
        title: 'What each column holds',
        items: contenders.map((each) => `**${each.name}** ${versionOf(each)}`.trim() + `: ${each.measures}`),
      },
    ],
  };
}

const SCREENS: Readonly<Record<keyof Bytes, string>> = {
  first: 'the first screen',
  code: 'the code',
  outcome: 'the outcome',
};
const SLOW = '4 times slower processor, 1.6 Mbit/s, 150 ms';

function tableOf(title: string, contenders: readonly Prepared[], quantities: readonly Quantity[]): Table {
  const names = contenders.map(({ name }) => name);
  return {
    title,
    columns: ['', ...names, 'ours / best peer', 'goal'],
    rows: quantities.map((quantity) => quantityRow(quantity, names)),
  };
}

/** Ahead of every peer in every row is the goal of them all; some have one more. */
function quantityRow(
  { name, digits = 0, of, goal, isCompared = true, peers }: Quantity,
  names: readonly string[],
): Row {
  const ours = of(OURS) ?? NaN;
  const compared = names.filter((each) => each !== OURS && each !== BLANK && (peers?.includes(each) ?? true));
  const best = Math.min(...compared.flatMap((each) => of(each) ?? []));
  const isAhead = ours < best || (ours === 0 && best === 0);
  const figures = names.map((each) => of(each)?.toFixed(digits) ?? '');
  if (!isCompared) return row([name, ...figures, '', ''], undefined);
  const ahead = compared.length > 1 ? 'less than every peer' : `less than ${compared[0]}`;
  return row(
    [
      name,
      ...figures,
      best === 0 ? '' : (ours / best).toFixed(2),
      goal === undefined ? ahead : `${ahead}, ${goal.text}`,
    ],
    isAhead && (goal?.reached(ours) ?? true),
  );
}

function waitingRow(name: string, wait: Waiting, waits: ReadonlyMap<string, Waiting>): Row {
  const peers = [...waits].filter(([each]) => !each.startsWith(OURS) && each !== BLANK);
  const isLeast = (pick: (wait: Waiting) => number) => peers.every(([, peer]) => pick(wait) < pick(peer));
  const isOurs = name.startsWith(OURS);
  const blank = waits.get(BLANK) ?? { browserMs: NaN, mainThreadMs: NaN };
  const mainThreadBeyondMs = wait.mainThreadMs - blank.mainThreadMs;
  const isReached =
    isLeast(({ browserMs }) => browserMs) &&
    isLeast(({ mainThreadMs }) => mainThreadMs) &&
    (name !== NO_COUNTDOWN || mainThreadBeyondMs < MOST_WAITING_MS);
  return row(
    [
      name,
      wait.browserMs.toFixed(0),
      name === BLANK ? '' : (wait.browserMs - blank.browserMs).toFixed(0),
      wait.mainThreadMs.toFixed(1),
      name === BLANK ? '' : mainThreadBeyondMs.toFixed(1),
      isOurs
        ? 'less than every peer' +
          (name === NO_COUNTDOWN ? `, main thread under ${MOST_WAITING_MS} ${BEYOND}` : '')
        : '',
    ],
    isOurs ? isReached : undefined,
  );
}
