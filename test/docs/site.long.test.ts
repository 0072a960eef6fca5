import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, extname, join, normalize } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../scripts/tests/needs.js';
import { must } from '../package/tarball.js';
import { openChromium } from '../support/chromium.js';
import { skipWhen } from '../support/skip-when.js';

/** The documents as a site: built as `npm run docs -- build` does, served as plain files, read in a browser. */

const DIST = 'site/dist';
const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
};

/** The file that a plain file server gives for a path, if any. */
function fileFor(path: string): string | undefined {
  const file = join(DIST, normalize(decodeURIComponent(path)));
  return [file, `${file}.html`, join(file, 'index.html')].find(
    (candidate) => existsSync(candidate) && statSync(candidate).isFile(),
  );
}

const server = createServer((request, response) => {
  const file = fileFor(new URL(request.url ?? '/', 'http://site').pathname);
  response.writeHead(file ? 200 : 404, { 'content-type': TYPES[extname(file ?? '')] ?? 'text/plain' });
  response.end(file && readFileSync(file));
});

describe('the site', skipWhen(whyWithout('chromium')), () => {
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    await must('npm', ['run', 'docs', '--', 'build']);
    browser = await openChromium();
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(async () => {
    await browser.close();
    server.closeAllConnections();
    server.close();
  });

  /** Opens a page, and fails when it reports an error or asks for something that is not there. */
  async function read(path: string, use: (page: Page) => Promise<void>): Promise<void> {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const wrong: string[] = [];
    page.on('pageerror', (error) => wrong.push(String(error)));
    page.on('response', (answer) => {
      if (answer.status() >= 400) wrong.push(`${answer.status()} ${answer.url()}`);
    });
    page.on('request', (request) => {
      if (!request.url().startsWith(origin) && !/^(?:data|blob):/.test(request.url()))
        wrong.push(`left the site for ${request.url()}`);
    });
    await page.goto(origin + path);
    await use(page);
    assert.deepEqual(wrong, []);
    await page.close();
  }

  it('links only to pages, headings and files that are there, and shows every picture', () => {
    const pages = readdirSync(DIST, { recursive: true, encoding: 'utf8' }).filter((file) =>
      /^(?!gallery|playground|404|examples).*\.html$/.test(file),
    );
    assert.ok(pages.length > 30, `${pages.length} pages`);
    const texts = new Map(pages.map((page) => [page, readFileSync(join(DIST, page), 'utf8')]));
    const dead = [...texts].flatMap(([page, text]) =>
      [...text.matchAll(/<(?:a|img)\b[^>]*?\s(?:href|src)="([^"]+)"/g)]
        .map(([, target = '']) => target.replaceAll('&amp;', '&'))
        .filter((target) => !/^(?:https?|data|mailto):/.test(target))
        .filter((target) => {
          const [path = '', anchor] = target.split('#');
          const [bare = ''] = path.split('?');
          const file =
            bare === ''
              ? join(DIST, page)
              : fileFor(bare.startsWith('/') ? bare : join('/', dirname(page), bare));
          if (file === undefined) return true;
          const heading = anchor && decodeURIComponent(anchor);
          return heading && !readFileSync(file, 'utf8').includes(`id="${heading}"`);
        })
        .map((target) => `${page} leads to ${target}`),
    );
    assert.deepEqual(dead, []);
  });

  it('pays with the checkout of the quick start, in the page’s language', async () => {
    for (const [path, pay, waiting] of [
      ['/quick-start', 'Pay with Bre-B', 'Waiting for your payment'],
      ['/es/quick-start', 'Pagar con Bre-B', 'Esperando tu pago'],
    ] as const) {
      await read(path, async (page) => {
        const widget = page.locator('.live pay-checkout');
        await widget.getByRole('button', { name: pay }).click();
        await widget.getByText(waiting).first().waitFor();
      });
    }
  });

  it('finds a page by its words, turns dark, and changes its language', async () => {
    await read('/theming', async (page) => {
      await page.getByRole('button', { name: 'Search' }).click();
      await page.getByRole('searchbox').fill('chargeback');
      await page.locator('#localsearch-list a').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('switch', { name: /dark/i }).first().click();
      assert.equal(
        await page.locator('.live').evaluate((place) => getComputedStyle(place).colorScheme),
        'dark',
      );
      await page.getByRole('button', { name: 'Change language' }).hover();
      await page.getByRole('banner').getByRole('link', { name: 'Español' }).click();
      await page.getByRole('heading', { name: 'Documentación', level: 1 }).waitFor();
      await page.getByRole('link', { name: 'Apariencia' }).first().click();
      await page.waitForURL(/\/es\/theming/);
    });
  });

  it('shows every screen', async () => {
    await read('/gallery/?lang=en', async (page) => {
      await page.locator(':root[data-ready]').waitFor();
      assert.ok((await page.locator('figure').count()) > 30);
      await page.getByText('Payment approved').first().waitFor();
    });
  });

  it('has a playground whose address holds what was chosen', async () => {
    let shared = '';
    await read('/playground/?lang=en', async (page) => {
      await page.getByLabel('Start from').selectOption({ label: 'Garden' });
      await page.getByLabel('key-type').selectOption('SINGLE_USE');
      await page.locator('pay-checkout').getByRole('button', { name: 'Pay with Bre-B' }).click();
      await page.getByRole('button', { name: 'Confirm' }).click();
      await page.locator('pay-checkout').getByText('Payment approved').first().waitFor();
      await page.locator('#events b', { hasText: 'payin-confirmed' }).waitFor();
      await page.locator('#requests b', { hasText: 'POST /payins' }).waitFor();
      shared = new URL(page.url()).search;
    });
    await read(`/playground/${shared}`, async (page) => {
      assert.equal(await page.getByLabel('key-type').inputValue(), 'SINGLE_USE');
      assert.match(await page.locator('#paste').innerText(), /--pay-accent: #14532d;/);
    });
  });
});
