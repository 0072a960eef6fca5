import assert from 'node:assert/strict';
import type { Facts, Payer } from './payer.js';
import type { Stage } from './stage.js';

/** Every way a payment can go in a real browser, told once for all stages it is played on. */
export const JOURNEYS: Readonly<Record<string, (stage: Stage) => Promise<void>>> = {
  async 'a payment with the QR'(stage) {
    const payer = await stage.arrives();
    const { reference } = await showsQr(payer);
    stage.decides(reference, 'CONFIRMED');
    await payer.sees('Pago aprobado');
    assert.deepEqual(await payer.heard(), ['checkout-ready', 'payin-created', 'payin-confirmed']);
  },

  async 'a payment with the key, by keyboard alone'(stage) {
    const payer = await stage.arrives();
    await payer.reaches('choosing');
    await payer.tabsTo('Bre-B: QR o llave');
    await payer.tabsTo('Pagar con Bre-B');
    await payer.tab.key('Enter');
    const { key, reference } = payinOf(await payer.reaches('paying'));
    await payer.sees(key ?? 'a key');
    await payer.tabsTo('Ya pagué');
    await payer.tab.key('Enter');
    await payer.sees('Aún no nos llega');
    stage.decides(reference, 'CONFIRMED');
    await payer.sees('Pago aprobado');
    await payer.tabsTo('Volver a la tienda');
    await payer.tab.key('Enter');
    await payer.knows(({ heard }) => heard.includes('checkout-finished'), 'the last button did nothing');
  },

  async 'PSE, by keyboard alone'(stage) {
    const payer = await stage.arrives();
    await payer.reaches('choosing');
    await payer.tabsTo('Bre-B: QR o llave');
    await payer.tab.key('ArrowDown');
    await payer.tabsTo('Continuar');
    await payer.tab.key('Enter');
    await payer.sees('Débito bancario PSE');
    // No letter or digit twice in a row: WebKit's driver swallows the second.
    for (const [field, text] of [
      ['Banco', 'bancolomb'],
      ['Número', '1020304050'],
      ['Nombre completo', 'Ana Gomez'],
      ['Correo electrónico', 'ana@corel.example'],
      ['Celular', '3102345678'],
    ] as const) {
      await payer.tabsTo(field);
      await payer.types(text);
      if (field !== 'Banco') continue;
      await payer.tab.key('ArrowDown');
      await payer.tab.key('Enter');
    }
    await payer.tabsTo('Ir a mi banco');
    await payer.tab.key('Enter');
    await payer.atBank(null);
    // Aprobar or Approve: the bank speaks the browser's language.
    await payer.tabsTo('Ap');
    await payer.tab.key('Enter');
    await payer.sees('Pago aprobado');
  },

  async 'PSE, rejected at the bank, then tried again'(stage) {
    const payer = await stage.arrives();
    await payer.fillsInPse();
    await payer.presses('Ir a mi banco');
    await payer.atBank('reject');
    await payer.sees('Pago rechazado');
    await payer.presses('Pagar de otra forma');
    const { reference } = await showsQr(payer);
    stage.decides(reference, 'CONFIRMED');
    await payer.sees('Pago aprobado');
  },

  async 'PSE, pending and then approved, by an address that was copied and replayed'(stage) {
    const payer = await stage.arrives();
    await payer.fillsInPse();
    await payer.presses('Ir a mi banco');
    await payer.atBank('pending');
    const { id, reference } = payinOf(await payer.reaches('verifying', 'pending'));
    const { url } = await payer.knows(({ url }) => !url.includes('pay-return'), 'the address stays');

    // Elsewhere: no storage, no order, only the id. And a page that has its order, with the same address.
    const alone = await stage.arrives({ order: null, tail: `?pay-return=${id}` });
    const replayed = await stage.opens(`${url}?pay-return=${id}`);
    await alone.reaches('verifying', 'pending');
    await replayed.reaches('verifying', 'pending');
    stage.decides(reference, 'CONFIRMED');
    for (const each of [payer, alone, replayed]) {
      await each.looks();
      await each.sees('Pago aprobado');
      await each.knows(({ url }) => !url.includes('pay-return'), 'the address was not cleaned');
    }
    await alone.tab.goto(`${url}?pay-return=${id}`);
    await alone.sees('Pago aprobado');
    assert.ok((await alone.heard()).includes('payin-confirmed resumed'));
    assert.equal(countOf(stage, 'POST'), 1);
  },

  async 'PSE, canceled at the bank'(stage) {
    const payer = await stage.arrives();
    await payer.fillsInPse();
    await payer.presses('Ir a mi banco');
    await payer.atBank('cancel');
    await payer.sees('Pago cancelado');
    assert.ok((await payer.heard()).some((type) => type.startsWith('payin-canceled')));
  },

  async 'the back button at the bank'(stage) {
    const payer = await stage.arrives({ tail: '?tienda=1#/caja' });
    await payer.fillsInPse();
    await payer.presses('Ir a mi banco');
    await payer.atBank(null);
    await payer.tab.back();
    await payer.reaches('pending');
    await payer.presses('Consultar estado');
    await payer.sees('Sigue pendiente');
    await payer.presses('No autoricé: usar otro medio');
    await payer.reaches('choosing');
    await payer.presses('Atrás');
    await payer.reaches('pending');
    await payer.presses('Volver a mi banco');
    await payer.atBank('approve');
    await payer.sees('Pago aprobado');
    const { url } = await payer.facts();
    assert.match(url, /\?tienda=1#\/caja$/, 'the page’s own address, cleaned');
  },

  async 'a reload at every screen'(stage) {
    const payer = await stage.arrives();
    const again = async (...phases: NonNullable<Facts['phase']>[]) => {
      await payer.tab.reload();
      return payer.reaches(...phases);
    };
    await payer.reaches('choosing');
    await again('choosing');
    await payer.presses('PSE');
    await payer.presses('Continuar');
    await payer.reaches('details');
    await again('choosing');

    const { id, reference } = await showsQr(payer);
    assert.equal(payinOf(await again('paying')).id, id);
    stage.passes(16 * 60_000);
    await payer.presses('Ya pagué');
    await payer.reaches('lapsed');
    assert.equal(payinOf(await again('lapsed')).id, id);
    stage.decides(reference, 'DECLINED');
    await payer.reaches('declined');
    await again('declined');
    assert.ok((await payer.heard()).includes('payin-declined resumed'));

    await payer.presses('Pagar de otra forma');
    await payer.fillsInPse();
    await payer.presses('Ir a mi banco');
    await payer.atBank('pending');
    const pse = payinOf(await payer.reaches('verifying', 'pending'));
    assert.equal(payinOf(await again('pending')).id, pse.id);
    stage.decides(pse.reference, 'CONFIRMED');
    await payer.reaches('confirmed');
    await again('confirmed');
    assert.deepEqual(await payer.heard(), ['checkout-ready', 'payin-confirmed resumed']);
    assert.equal(countOf(stage, 'POST'), 2, 'a reload creates nothing');
  },

  async 'a create that a reload interrupts'(stage) {
    const before = stage.payins();
    const payer = await stage.arrives();
    await payer.presses('Bre-B: QR o llave');
    const release = stage.holdsCreates();
    await payer.presses('Pagar con Bre-B');
    await payer.reaches('creating');
    await payer.tab.reload();
    // It has not arrived: the payer starts again, and both requests are one payment.
    await payer.reaches('choosing');
    release();
    const { id } = await showsQr(payer);
    await payer.tab.reload();
    assert.equal(payinOf(await payer.reaches('paying')).id, id);
    assert.equal(stage.payins() - before, 1);
  },

  async 'half a minute without a network'(stage) {
    const payer = await stage.arrives({ impatient: true, speed: 10 });
    const { key, reference } = await showsQr(payer);
    stage.cuts();
    await payer.device('offline');
    await payer.sees('Sin conexión');
    const { nowMs: fromMs } = await payer.facts();
    stage.decides(reference, 'CONFIRMED');
    await payer.knows(({ nowMs }) => nowMs - fromMs > 30_000, 'time stands still');
    await payer.sees(key ?? 'the key');
    assert.equal((await payer.facts()).phase, 'paying');
    stage.mends();
    await payer.device('online');
    await payer.sees('Pago aprobado');
  },

  async 'a network that goes without a word'(stage) {
    const payer = await stage.arrives({ impatient: true, speed: 10 });
    const { reference } = await showsQr(payer);
    stage.cuts();
    await payer.sees('Nos está costando consultar tu pago');
    assert.equal((await payer.facts()).phase, 'paying');
    stage.decides(reference, 'CONFIRMED');
    stage.mends();
    await payer.sees('Pago aprobado');
  },

  async 'two tabs'(stage) {
    const order = await stage.newOrder();
    const first = await stage.arrives({ order });
    const { id, reference } = await showsQr(first);
    const second = await stage.arrives({ order });
    assert.equal(payinOf(await second.reaches('paying')).id, id);
    stage.decides(reference, 'CONFIRMED');
    await second.sees('Pago aprobado');
    await first.looks();
    await first.sees('Pago aprobado');
    for (const payer of [first, second]) {
      const finals = (await payer.heard()).filter((type) => type.startsWith('payin-confirmed'));
      assert.deepEqual(finals, ['payin-confirmed']);
    }
  },

  async 'two tabs, of which the one that watches is closed'(stage) {
    const order = await stage.newOrder();
    const first = await stage.arrives({ order });
    const { reference } = await showsQr(first);
    const second = await stage.arrives({ order });
    await second.reaches('paying');
    await second.tab.close();
    await first.looks();
    stage.decides(reference, 'CONFIRMED');
    await first.sees('Pago aprobado');
  },

  async 'a key that lapses, a new one, and a payment with the old one'(stage) {
    const payer = await stage.arrives();
    const old = await showsQr(payer);
    stage.passes(16 * 60_000);
    await payer.presses('Ya pagué');
    await payer.reaches('lapsed');
    await payer.presses('Pedir otra llave');
    const renewed = payinOf(
      await payer.knows(
        ({ phase, payin }) => phase === 'paying' && payin?.id !== old.id,
        'there is no new key',
      ),
    );
    assert.notEqual(renewed.key, old.key);
    stage.decides(old.reference, 'CONFIRMED');
    await payer.sees('Pago aprobado');
    assert.equal(payinOf(await payer.facts()).id, old.id);
  },

  async 'another amount than was asked for'(stage) {
    const payer = await stage.arrives();
    const { reference } = await showsQr(payer);
    stage.receives(reference, 4_000_000);
    await payer.sees('Recibimos otro valor');
    await payer.sees('$ 40.000');
    assert.equal((await payer.facts()).phase, 'amount-differs');
  },

  async 'a backend that does not wait'(stage) {
    const payer = await stage.arrives({ impatient: true });
    const { reference } = await showsQr(payer);
    stage.decides(reference, 'CONFIRMED');
    await payer.sees('Pago aprobado');
  },

  async 'a backend that is restarted in the middle'(stage) {
    const payer = await stage.arrives();
    const { reference, id } = await showsQr(payer);
    await stage.stopsBackend();
    stage.decides(reference, 'CONFIRMED');
    stage.startsBackend();
    await payer.sees('Pago aprobado');
    assert.equal(payinOf(await payer.facts()).id, id);
  },
};

function payinOf({ payin }: Facts): NonNullable<Facts['payin']> {
  assert.ok(payin, 'there is no payin');
  return payin;
}

async function showsQr(payer: Payer) {
  await payer.presses('Bre-B: QR o llave');
  await payer.presses('Pagar con Bre-B');
  return payinOf(await payer.reaches('paying'));
}

const countOf = ({ requests }: Stage, method: string) =>
  requests.filter((request) => request.startsWith(method)).length;
