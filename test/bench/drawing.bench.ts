import type { Browser } from 'playwright-core';
import { parseEmvQr } from '../../src/contract/qr/emv-qr.js';
import { qrPngUrl } from '../../src/sandbox/qr-png.js';
import { CODES } from '../element/codes/readability.js';
import { breb, offer } from '../machine/fixtures.js';
import { openChromium } from '../support/chromium.js';
import { openShop, shippedFiles } from '../support/shipped-page.js';
import type { Section } from './report.js';
import { row } from './table.js';

const SLOWER = 4;
/** A code drawn from its text may take so much more than the service's picture. */
const GOAL_MS = 100;

type Kind = 'picture' | 'text' | 'methods';

interface Visit {
  /** What the page's main thread worked, by its own clock: what else the machine does is not in it. */
  readonly workedMs: number;
  readonly formatters: number;
  readonly formattersMs: number;
}

/** What the widget works until a code is there, as the service's picture or drawn from its text; and what `Intl` costs. */
export async function benchDrawing(rounds: number): Promise<Section> {
  const browser = await openChromium();
  const visits: Record<Kind, Visit[]> = { picture: [], text: [], methods: [] };
  try {
    const files = await shippedFiles();
    // The first round warms the browser up.
    for (let round = 0; round <= rounds; round++) {
      for (const kind of ['picture', 'text', 'methods'] as const) {
        const made = await visit(browser, files, kind);
        if (round > 0) visits[kind].push(made);
      }
    }
  } finally {
    await browser.close();
  }
  const middle = (kind: Kind, what: keyof Visit) =>
    visits[kind].map((each) => each[what]).sort((one, other) => one - other)[Math.floor(rounds / 2)]!;
  const ms = (value: number) => `${value.toFixed(0)} ms`;
  const more = middle('text', 'workedMs') - middle('picture', 'workedMs');
  return {
    title: 'Drawing a code, and Intl',
    about: [
      `Chromium ${browser.version()} with a ${SLOWER}× slower CPU, the median of ${rounds} visits to each page, in turns. Main-thread time by that thread's own clock, from an empty page until the code, or the methods, are drawn.`,
    ],
    tables: [
      {
        title: 'Main thread',
        columns: ['page', 'worked', 'goal'],
        rows: [
          row(['the methods', ms(middle('methods', 'workedMs')), ''], undefined),
          row(['a code, the service’s picture', ms(middle('picture', 'workedMs')), ''], undefined),
          row(['a code, drawn from its text', ms(middle('text', 'workedMs')), ''], undefined),
          row(['drawn, more than the picture', ms(more), `${GOAL_MS} ms`], more <= GOAL_MS),
        ],
      },
      {
        title: 'Making Intl’s formatters',
        columns: ['page', 'formatters', 'took'],
        rows: (['methods', 'picture', 'text'] as const).map((kind) =>
          row(
            [
              kind === 'methods' ? 'until the methods are there' : `until the code is there, ${kind}`,
              String(middle(kind, 'formatters')),
              `${middle(kind, 'formattersMs').toFixed(1)} ms`,
            ],
            undefined,
          ),
        ),
      },
    ],
  };
}

async function visit(browser: Browser, files: ReadonlyMap<string, string>, kind: Kind): Promise<Visit> {
  const payload = CODES[0]!.payload;
  const parsed = parseEmvQr(payload);
  const { sourceData, amountInCents } = breb();
  const attempt = breb({
    amountInCents: (parsed.ok ? parsed.qr.amountInCents : null) ?? amountInCents,
    sourceData: {
      ...sourceData!,
      qrString: kind === 'picture' ? qrPngUrl(payload) : null,
      qrText: kind === 'text' ? payload : null,
    },
  });
  const page = await openShop(browser, {
    files,
    head: `<meta name="viewport" content="width=device-width"><script>${COUNT_FORMATTERS}</script>`,
    body: '<pay-checkout backend="/pagos"></pay-checkout>',
    answer: (_, path) =>
      path.startsWith('/orders/') ? offer(kind === 'methods' ? {} : { attempt }) : undefined,
  });
  try {
    await page.waitForLoadState('load');
    const devtools = await page.context().newCDPSession(page);
    await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
    await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
    const worked = async () => {
      const { metrics } = await devtools.send('Performance.getMetrics');
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? NaN) * 1_000;
    };
    const before = await worked();
    await page.evaluate(() => document.querySelector('pay-checkout')!.setAttribute('order', 'order-1'));
    const there =
      kind === 'methods' ? 'pay-checkout [part=method]' : 'pay-checkout .scan > .qr :is(svg, img)';
    await page.locator(there).first().waitFor();
    const workedMs = (await worked()) - before;
    const made = await page.evaluate(() => (globalThis as unknown as { made: number[] }).made);
    return {
      workedMs,
      formatters: made.length,
      formattersMs: made.reduce((sum, took) => sum + took, 0),
    };
  } finally {
    await page.context().close();
  }
}

/** For the page: how long each formatter took to be made. */
const COUNT_FORMATTERS = `
  globalThis.made = [];
  for (const name of ['NumberFormat', 'DateTimeFormat']) {
    const Format = Intl[name];
    Intl[name] = class {
      constructor(...given) {
        const startMs = performance.now();
        const format = new Format(...given);
        made.push(performance.now() - startMs);
        return format;
      }
    };
  }`;
