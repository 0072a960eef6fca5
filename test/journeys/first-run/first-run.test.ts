import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser } from 'playwright-core';
import { type Demo, type DemoProcess, startDemo } from '../../../scripts/demo.js';
import { Merchant } from '../console/merchant.js';
import { Shopper } from './shopper.js';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { openChromium } from '../../support/chromium.js';
import { itLong } from '../../support/it-long.js';
import { skipWhen } from '../../support/skip-when.js';

/** The five payments of docs/quick-start.md, in a real browser against the processes that `npm start` starts. */

const WALKTHROUGH: Readonly<Record<string, (shopper: Shopper) => Promise<void>>> = {
  'Buy a coffee with a Bre-B QR': async (shopper) => {
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    await shopper.sees('$ 42.900');
    await shopper.decidesInSandbox('Confirmar exacto');
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
    // The terminal has a line for people, and no JSON.
    await demo.shows(`  ✓ ${order} paid $ 42.900 · Bre-B\n`);
    assert.doesNotMatch(demo.output(), /"level":/);
  },
  'Pay with PSE': async (shopper) => {
    const order = await shopper.buysCoffee();
    await shopper.fillsInPse('1000000001');
    await shopper.presses('Ir a mi banco');
    await shopper.page.getByRole('heading', { name: 'Autoriza el pago' }).waitFor();
    await shopper.page.getByRole('button', { name: /^Aprobar/ }).click();
    await shopper.page.waitForURL(/checkout\.html/);
    await shopper.sees('Pago aprobado');
    await shopper.widget.getByText('Ver todos los datos').click();
    await shopper.sees('Bancolombia');
    await shopper.findsOrderPaid(order);
  },
  'Carry on on your phone': async (shopper) => {
    const order = await shopper.buysCoffee();
    await shopper.page.goto(`${shopper.page.url()}&key-type=SINGLE_USE`);
    await shopper.chooses('Bre-B');
    await shopper.presses('Pagar con Bre-B');
    await shopper.sees('Abrir esta página en tu celular');
    await shopper.paysOnPhone();
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
  },
  'Lose the webhooks': async (shopper) => {
    await shopper.setsMishap('webhooks-lost', true);
    try {
      const order = await shopper.buysCoffee();
      await shopper.asksForQr();
      await shopper.decidesInSandbox('Confirmar exacto');
      await shopper.sees('Pago aprobado');
      await shopper.findsOrderPaid(order);
    } finally {
      await shopper.setsMishap('webhooks-lost', false);
    }
  },
  'Kill a process': async (shopper) => {
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    await killed('merchant backend');
    await shopper.decidesInSandbox('Confirmar exacto');
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
  },
};

/** What a browser reports while a server that it asks is away. */
const AWAY = [/Failed to load resource/, /\[vite\]/, /WebSocket/, /^<pay-checkout> .*docs\/problems/];

let demo: Demo;
let browser: Browser;

/** Ends a process as a crash does, and waits until the family says so. */
async function killed(name: DemoProcess): Promise<number> {
  const pid = demo.pid(name);
  process.kill(pid, 'SIGKILL');
  await demo.shows(new RegExp(`${name} ended \\(SIGKILL\\)`));
  return pid;
}

/** Waits until the family says that another process has taken its place. */
function restarted(name: DemoProcess, dead: number): Promise<void> {
  return demo.shows(new RegExp(`✓ ${name} \\(process ${dead}\\)[^]*✓ ${name}`));
}

describe('the first run', skipWhen(whyWithout('chromium')), () => {
  beforeAll(async () => {
    browser = await openChromium();
    demo = await startDemo();
  });
  afterAll(async () => {
    await browser.close();
    await demo.stop();
  });

  const titles = Object.keys(WALKTHROUGH);
  it('follows the five payments of the quick start, in its words and order', () => {
    const page = readFileSync('docs/quick-start.md', 'utf8');
    assert.deepEqual(
      [...page.matchAll(/^\d\. \*\*(.+?)\.\*\*/gm)].map(([, title]) => title),
      titles,
    );
  });

  for (const [title, step] of Object.entries(WALKTHROUGH)) {
    const inEveryRun = title.startsWith('Buy a coffee');
    (inEveryRun ? it : itLong)(title, async () => {
      const shopper = await Shopper.arrive(browser, demo);
      await step(shopper);
      await shopper.leave({ despite: AWAY });
    });
  }

  itLong('opens the console by the link of the terminal', async () => {
    const merchant = await Merchant.arrive(browser, () => demo.consoleUrl);
    await merchant.signsIn();
    await merchant.leaves();
  });

  itLong('loses nothing when the payment service dies in the middle of a payment', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    const order = await shopper.buysCoffee();
    await shopper.asksForQr();
    const before = await shopper.payin();
    const dead = await killed('payment service');
    await restarted('payment service', dead);
    assert.deepEqual(await shopper.payin(), before);
    await shopper.paysOnPhone();
    await shopper.sees('Pago aprobado');
    await shopper.findsOrderPaid(order);
    await shopper.leave({ despite: AWAY });
  });

  itLong('goes on with one press when the backend was away as a payment began', async () => {
    const shopper = await Shopper.arrive(browser, demo);
    // The offer comes with the page: its first screen does not wait for the backend's answer.
    const answersOffer = await shopper.holdsOffer();
    const order = await shopper.buysCoffee();
    await shopper.sees('¿Cómo quieres pagar?');
    await answersOffer();
    const dead = await killed('merchant backend');
    await shopper.chooses('Bre-B');
    await shopper.presses('Pagar con Bre-B');
    await shopper.sees('No pudimos continuar');
    await restarted('merchant backend', dead);
    await shopper.presses('Reintentar');
    await shopper.sees('Esperando tu pago');
    await shopper.paysOnPhone();
    await shopper.findsOrderPaid(order);
    await shopper.leave({ despite: AWAY });
  });
});
