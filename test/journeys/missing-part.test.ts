import assert from 'node:assert/strict';
import { type TestContext, afterAll, beforeAll, describe, it } from 'vitest';
import { findBrowsers } from '../../scripts/tests/needs.js';
import { cleanup } from '../support/cleanup.js';
import { itLong } from '../support/it-long.js';
import { isLong } from '../support/long.js';
import { type RunningBrowser, startBrowser } from './paying/engines.js';
import type { Payer } from './paying/payer.js';
import { type Built, buildApplication, buildPages } from './paying/builds.js';
import { type Loss, type Site, openStage } from './paying/stage.js';
import { skipWhen } from '../support/skip-when.js';

/**
 * A part of the widget that does not arrive, in every engine, by script tag and in an application that was bundled.
 * Some engines ask for it again on the same page and some never do: either way the payer pays, once. A long run has
 * every kind of loss at every screen; a quick one has one kind in the first engine, by script tag.
 */
const PART = /paying/;
const KEY = /\bkey\b/;
const PSE = /\bpse\b/;
const RELOAD = 'Recargar la página';
const LOSSES: readonly Loss[] = ['503', 'cut', 'refused'];
const ENTRIES: Readonly<Record<string, () => Promise<Built>>> = {
  'by script tag': once(buildPages),
  ...(isLong && { 'in an application': once(buildApplication) }),
};

const { found, missing } = findBrowsers();
for (const { engine, reason } of missing) it(`a missing part in ${engine}`, skipWhen(reason), () => {});

for (const installed of isLong ? found : found.slice(0, 1)) {
  for (const [where, build] of Object.entries(ENTRIES)) {
    describe(`a part that does not arrive, ${where}, in ${installed.engine}`, () => {
      let built: Built;
      let browser: RunningBrowser;
      beforeAll(async () => {
        built = await build();
        browser = await startBrowser(installed);
      });
      afterAll(() => browser.close());

      // WebKit keeps in memory what an application preloaded, also across a reload.
      const keeps = installed.engine === 'webkit' && where === 'in an application';
      const LOST_BY_RELOAD = keeps ? new RegExp(`${RELOAD}|Esperando tu pago`) : RELOAD;

      async function open(t: TestContext): Promise<Site> {
        const stage = await openStage(browser, built);
        cleanup(t, () => stage.close());
        return stage;
      }

      for (const loss of isLong ? LOSSES : (['cut'] as const)) {
        it(`keeps nobody from paying when only the early request failed: ${loss}`, async (t) => {
          const stage = await open(t);
          stage.loses(PART, loss);
          const payer = await stage.arrives();
          await payer.sees('¿Cómo quieres pagar?');
          await payer.knows(() => partsOf(stage).length > 0, 'the part was never asked for');
          stage.delivers();
          await payer.presses('Pagar con Bre-B');
          await payer.sees(new RegExp(`${RELOAD}|Esperando tu pago`));
          const { phase } = await payer.facts();
          if (phase === 'failed') {
            assert.equal(stage.payins(), 0);
            await payer.presses(RELOAD);
            await payer.presses('Pagar con Bre-B');
          }
          console.log(phase === 'failed' ? 'paid after a reload' : 'paid at once');
          await payer.sees('Esperando tu pago');
          assert.equal(stage.payins(), 1);
          // A browser may repeat by itself what ended without an answer, but not what was answered.
          if (loss === '503') assert.ok(partsOf(stage).length <= 3, partsOf(stage).join());
        });
      }

      itLong(
        'leads to a reload when it does not arrive at the click either, before anything is created',
        async (t) => {
          const stage = await open(t);
          stage.loses(PART, '503');
          const payer = await stage.arrives();
          await payer.presses('Pagar con Bre-B');
          await payer.sees(RELOAD);
          assert.equal(stage.payins(), 0);
          assert.ok((await payer.heard()).includes('checkout-error part_missing'));
          // Once before the click and once after it; what WebKit shall forget is fetched besides.
          assert.ok(partsOf(stage).length <= (keeps ? 4 : 2), partsOf(stage).join());
          stage.delivers();
          await payer.presses(RELOAD);
          await payer.presses('Pagar con Bre-B');
          await payer.sees('Esperando tu pago');
          assert.equal(stage.payins(), 1);
        },
      );

      it('leads to a reload when only the screens of a key do not arrive, before anything is created', async (t) => {
        const stage = await open(t);
        stage.loses(KEY, '503');
        const payer = await stage.arrives();
        await payer.presses('Pagar con Bre-B');
        await payer.sees(RELOAD);
        assert.equal(stage.payins(), 0);
        assert.ok((await payer.heard()).includes('checkout-error part_missing'));
        stage.delivers();
        await payer.presses(RELOAD);
        await payer.presses('Pagar con Bre-B');
        await payer.sees('Esperando tu pago');
        assert.equal(stage.payins(), 1);
        const ofPse = stage.files.filter((name) => PSE.test(name));
        assert.deepEqual(ofPse, [], 'what another payment shows is not fetched');
      });

      itLong(
        'leads to a reload in place of a key that was made before, and still to its outcome',
        async (t) => {
          const stage = await open(t);
          const payer = await stage.arrives();
          await payer.presses('Pagar con Bre-B');
          const { payin } = await payer.reaches('paying');
          stage.loses(KEY, '503');
          await payer.tab.reload();
          await payer.sees(LOST_BY_RELOAD);
          stage.decides(payin!.reference, 'CONFIRMED');
          await payer.sees('Pago aprobado');
          assert.equal(stage.payins(), 1);
        },
      );

      it('leads to a reload in place of the form of PSE', async (t) => {
        const stage = await open(t);
        stage.loses(PSE, '503');
        const payer = await stage.arrives();
        await goesOnWithPse(payer);
        await payer.sees(RELOAD);
        assert.ok((await payer.heard()).includes('checkout-error part_missing'));
        stage.delivers();
        await payer.presses(RELOAD);
        await payer.fillsInPse();
        await payer.presses('Ir a mi banco');
        await payer.atBank(null);
        assert.equal(stage.payins(), 1);
      });

      it('leads to a reload when it is lost on the way back from the bank, and the reload to where it was', async (t) => {
        const stage = await open(t);
        const payer = await stage.arrives();
        await payer.fillsInPse();
        await payer.presses('Ir a mi banco');
        await payer.atBank(null);
        stage.loses(PSE, '503');
        await payer.atBank('pending');
        await payer.sees(RELOAD);
        stage.delivers();
        await payer.presses(RELOAD);
        await payer.sees('Consultar estado');
        assert.equal(stage.payins(), 1);
      });

      it('leads to a reload in place of a payment that is under way, and the reload to its outcome', async (t) => {
        const stage = await open(t);
        const payer = await stage.arrives();
        await payer.presses('Pagar con Bre-B');
        const { payin } = await payer.reaches('paying');
        stage.loses(PART, '503');
        await payer.tab.reload();
        await payer.sees(LOST_BY_RELOAD);
        const { phase } = await payer.facts();
        stage.decides(payin!.reference, 'CONFIRMED');
        stage.delivers();
        if (phase === 'failed') await payer.presses(RELOAD);
        await payer.sees('Pago aprobado');
        assert.equal(stage.payins(), 1);
      });
    });
  }
}

/** Built for the first engine, and the same for the others. */
function once(build: () => Promise<Built>): () => Promise<Built> {
  let built: Promise<Built> | undefined;
  return () => (built ??= build());
}

const partsOf = ({ files }: Site): string[] => files.filter((name) => PART.test(name));

async function goesOnWithPse(payer: Payer): Promise<void> {
  await payer.presses('PSE');
  await payer.presses('Continuar');
}
