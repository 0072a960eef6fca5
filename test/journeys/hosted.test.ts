import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type TestContext, afterAll, beforeAll, describe, it } from 'vitest';
import type { Browser, Locator, Page } from 'playwright-core';
import { whyWithout } from '../../scripts/tests/needs.js';
import { openChromium } from '../support/chromium.js';
import type { MerchantOrder } from '../../src/server.js';
import { cleanup } from '../support/cleanup.js';
import { bundleForPages } from '../support/bundles.js';
import { type HostedWorld, openHostedWorld } from './hosted-world.js';
import { itLong } from '../support/it-long.js';
import { skipWhen } from '../support/skip-when.js';

/**
 * Payment links in a real browser over real HTTP: the shop's page makes one, the service's page takes the payment under
 * its strict policy, and the payer is back.
 */
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const customer = {
  name: 'Ana Gómez',
  idType: 'CO_CC',
  idNumber: '1020304050',
  phone: '+573001234567',
  email: 'ana@correo.example',
} as const;

const orderOf = (more: Omit<MerchantOrder, 'amountInCents'>): MerchantOrder => ({
  amountInCents: 5_000_000,
  description: 'Un pedido',
  ...more,
});

describe('payment links', skipWhen(whyWithout('chromium')), () => {
  let browser: Browser;
  let files: ReadonlyMap<string, string>;
  beforeAll(async () => {
    files = await bundleForPages({ define: 'src/define.ts' });
    browser = await openChromium();
  });
  afterAll(() => browser.close());

  async function open(t: TestContext) {
    const world = await openHostedWorld(files);
    cleanup(t, () => world.close());
    const context = await browser.newContext({ locale: 'es-CO', viewport: { width: 1000, height: 900 } });
    cleanup(t, () => context.close());
    const page = await context.newPage();
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Trusted/.test(message.text())) faults.push(message.text());
    });
    return { world, page, faults, context };
  }

  const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click();
  /** Moves by Tab until it has the focus. */
  async function tabTo(page: Page, target: Locator): Promise<void> {
    await target.waitFor();
    const isThere = () =>
      target.evaluate((element) => (element.getRootNode() as ShadowRoot).activeElement === element);
    for (let steps = 0; !(await isThere()); steps++) {
      assert.ok(steps < 40, `Tab never reaches ${String(target)}`);
      await page.keyboard.press('Tab');
    }
  }
  async function pressByKey(page: Page, name: string | RegExp): Promise<void> {
    await tabTo(page, page.getByRole('button', { name }).first());
    await page.keyboard.press('Enter');
  }
  const atHosted = (page: Page) => page.waitForURL(/\/link\//);
  const backAtShop = (page: Page, { shopUrl }: HostedWorld) =>
    page.waitForURL((url) => url.href.startsWith(shopUrl));
  const approved = (page: Page) => page.getByRole('heading', { name: 'Pago aprobado' }).waitFor();
  const heard = (page: Page) => page.evaluate<string[]>('heard');
  const told = ({ sandbox }: HostedWorld) => sandbox.engine.events.map(({ event }) => event);

  async function fillIn(page: Page): Promise<void> {
    await page.getByLabel('Nombre completo').fill(customer.name);
    await page.getByLabel('Número').fill(customer.idNumber);
    await page.getByLabel('Celular').fill('300 123 4567');
    await page.getByLabel('Correo electrónico').fill(customer.email);
  }

  async function payByKey(page: Page): Promise<void> {
    await press(page, 'Continuar');
    await page.getByRole('heading', { name: 'Paga desde la app de tu banco' }).waitFor();
    await press(page, /^Pagar \$/);
  }

  async function payAtBank(page: Page): Promise<void> {
    await press(page, 'Continuar');
    await page.waitForURL(/\/bank\//);
    await press(page, /Aprobar/);
  }

  const flows: Record<
    string,
    {
      order: MerchantOrder;
      start?: typeof press;
      pay: (page: Page) => Promise<void>;
    }
  > = {
    'open checkout': {
      order: orderOf({ methods: [{ kind: 'PAYMENT_LINK' }] }),
      async pay(page) {
        assert.equal(await page.getByRole('radio').count(), 3);
        await fillIn(page);
        await payByKey(page);
      },
    },
    'restricted method': {
      order: orderOf({ methods: [{ kind: 'PAYMENT_LINK', rail: 'BRE_B' }] }),
      async pay(page) {
        assert.equal(await page.getByText('PSE').count(), 0);
        await fillIn(page);
        await payByKey(page);
      },
    },
    'PSE bank preselection': {
      order: orderOf({ methods: [{ kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_BANCOLOMBIA' }] }),
      async pay(page) {
        assert.equal(await page.getByText('Bancolombia').count(), 1);
        assert.equal(await page.getByLabel('Banco').count(), 0, 'it cannot be changed');
        await fillIn(page);
        await payAtBank(page);
      },
    },
    'pre-filled customer': {
      order: orderOf({ methods: [{ kind: 'PAYMENT_LINK' }], customer }),
      async pay(page) {
        assert.equal(await page.getByLabel('Nombre completo').count(), 0);
        await payByKey(page);
      },
    },
    'restricted and pre-filled, by keyboard alone': {
      start: pressByKey,
      order: orderOf({ methods: [{ kind: 'PAYMENT_LINK', rail: 'PSE' }], customer }),
      async pay(page) {
        assert.equal(await page.getByLabel('Nombre completo').count(), 0);
        await tabTo(page, page.getByLabel('Banco').first());
        await page.keyboard.type('Bancolom');
        await pressByKey(page, 'Continuar');
        await page.waitForURL(/\/bank\//);
        await pressByKey(page, /Aprobar/);
      },
    },
  };

  for (const [index, [flow, { order, start = press, pay }]] of Object.entries(flows).entries()) {
    (index === 0 ? it : itLong)(`${flow}: from the shop to the service's page and back, paid`, async (t) => {
      const { world, page, faults } = await open(t);
      await page.goto(world.page(order));
      await start(page, 'Ir a pagar');
      await atHosted(page);
      await pay(page);
      await backAtShop(page, world);
      await approved(page);
      assert.deepEqual(await heard(page), ['paymentlink-completed']);
      assert.deepEqual(told(world), ['paymentlink.completed'], 'nothing of the payin');
      assert.deepEqual(faults, []);
    });
  }

  it('a payment that the bank rejects leads back to the shop all the same, and the link still stands', async (t) => {
    const { world, page } = await open(t);
    await page.goto(
      world.page(
        orderOf({ methods: [{ kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_BANCOLOMBIA' }], customer }),
      ),
    );
    await press(page, 'Ir a pagar');
    await atHosted(page);
    await press(page, 'Continuar');
    await page.waitForURL(/\/bank\//);
    await press(page, /Rechazar/);
    await backAtShop(page, world);
    await page.locator('pay-checkout').getByRole('heading').first().waitFor();
    assert.deepEqual(await heard(page), []);
    assert.deepEqual(told(world), []);
    assert.equal(world.sandbox.engine.links[0]?.status, 'PENDING');
  });

  itLong('who leaves without paying is back at the shop', async (t) => {
    const { world, page } = await open(t);
    await page.goto(world.page(orderOf({ methods: [{ kind: 'PAYMENT_LINK' }], customer })));
    await press(page, 'Ir a pagar');
    await atHosted(page);
    await page.getByRole('link', { name: 'Volver sin pagar' }).click();
    await backAtShop(page, world);
  });

  it('a link that is shown expires by the service’s clock, is not offered again, and a new one is made', async (t) => {
    const { world, page, context } = await open(t);
    await page.goto(world.page(orderOf({ methods: [{ kind: 'PAYMENT_LINK' }], customer }), 'share'));
    await press(page, 'Ir a pagar');
    await page.getByText(/El enlace vence en \d+ min/).waitFor();
    const [first] = world.sandbox.engine.links;
    const hosted = await context.newPage();
    await hosted.goto(`${world.sandbox.engine.publicUrl}/link/${first!.id}`);
    await hosted.getByText(/Este enlace vence a las/).waitFor();

    world.clock.skip(3_600_000);
    await page.getByRole('heading', { name: 'El enlace venció' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Ir a pagar' }).count(), 0);
    await hosted.getByText('Este enlace venció').waitFor();
    // The link's time is over before the backend has read that it expired, and who is quick may go on before.
    await page.waitForFunction("heard.includes('paymentlink-expired')");
    await press(page, 'Crear otro enlace');
    await page.getByText(/El enlace vence en \d+ min/).waitFor();
    const [second] = world.sandbox.engine.links;
    assert.notEqual(second?.id, first?.id);
    await page.getByText(second!.id).first().waitFor();
    assert.deepEqual(await heard(page), [
      'paymentlink-created',
      'paymentlink-expired',
      'paymentlink-created',
    ]);
    assert.deepEqual(told(world), ['paymentlink.expired']);
  });

  // In a quick run test/sandbox/pages and the gallery have these screens.
  itLong('is accessible on every screen of the service’s page, and of the shop’s link', async (t) => {
    const { world, page, faults } = await open(t);
    const found: string[] = [];
    const judge = async (name: string) => {
      await page.evaluate(axeSource);
      const { violations } = await page.evaluate<{ violations: { id: string; nodes: { html: string }[] }[] }>(
        "axe.run({ resultTypes: ['violations'] })",
      );
      found.push(...violations.map(({ id, nodes }) => `${name}: ${id}: ${nodes[0]?.html}`));
    };
    await page.goto(world.page(orderOf({ methods: [{ kind: 'PAYMENT_LINK' }] }), 'share'));
    await press(page, 'Ir a pagar');
    await page.getByText(/El enlace vence en/).waitFor();
    await judge('the link');
    await press(page, 'Ir a pagar');
    await atHosted(page);
    await page.getByText('¿Cómo quieres pagar?').last().waitFor();
    await judge('the form');
    await fillIn(page);
    await press(page, 'Continuar');
    await page.getByText('Paga desde la app de tu banco').first().waitFor();
    await judge('key');
    assert.deepEqual(found, []);
    assert.deepEqual(faults, []);
  });
});
