import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Demo, startDemo } from '../../scripts/demo.js';
import { run } from '../../scripts/processes.js';
import { openBrowser, Shopper } from './first-run-shopper.js';

/** The pages that `npm run build` makes behave as their sources do, under a strict policy and over HTTPS. */

let demo: Demo;
let browser: Browser;

const installed = await openBrowser();
describe('the built pages', { skip: typeof installed === 'string' ? installed : false }, () => {
  before(async () => {
    if (typeof installed === 'string') return;
    browser = installed;
    const { code, output } = await run('node_modules/.bin/vite', ['build', '--mode', 'demo']);
    assert.equal(code, 0, output);
    demo = await startDemo({ flags: ['--built', '--https'] });
  });
  after(async () => {
    await browser.close();
    await demo.stop();
  });

  it('carry a policy that allows nothing from elsewhere and no inline code', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const answer = await shopper.page.request.get(`${demo.siteUrl}/shop/`);
    const policy = answer.headers()['content-security-policy'] ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /require-trusted-types-for 'script'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    const nothing = await shopper.page.request.get(`${demo.siteUrl}/nothing/here`);
    assert.equal(nothing.status(), 404);
    await shopper.leave();
  });

  it('sell with a Bre-B QR', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    assert.ok(await shopper.page.evaluate(() => isSecureContext), 'copying and sharing need it');
    await shopper.decidesInSandbox('Confirmar exacto');
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
    await shopper.leave();
  });

  it('sell with PSE, and take back who returns from the bank', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.fillsInPse('1000000001');
    await shopper.presses('Ir a mi banco');
    await shopper.page.getByRole('button', { name: /^Aprobar/ }).click();
    await shopper.page.waitForURL(/checkout\.html/);
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
    await shopper.leave();
  });
});
