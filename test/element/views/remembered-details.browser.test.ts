import { expect } from '@open-wc/testing';
import { offer, paid, pse, pseMethod, keyMethod } from '../../machine/fixtures.js';
import { inside } from '../support/breb.js';
import { CannedTransport } from '../support/canned-transport.js';
import { Payer, clearPage } from '../support/harness.js';

afterEach(clearPage);

const field = (payer: Payer, id: string) => inside(payer).querySelector<HTMLInputElement>(`#${id}`)!;
const kept = () => JSON.stringify({ ...sessionStorage, ...localStorage });
const KEEP = 'Recordar mis datos en este dispositivo';

function arrives(settings: Parameters<typeof Payer.arrives>[0] = {}): Payer {
  const payer = Payer.arrives(settings);
  payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
  return payer;
}

async function atTheForm(settings: Parameters<typeof Payer.arrives>[0] = {}): Promise<Payer> {
  const payer = arrives(settings);
  await payer.press('PSE');
  await payer.press('Continuar');
  await payer.sees('Ir a mi banco');
  return payer;
}

describe('what was typed', () => {
  it('fills the form again for a payer whom the bank sent back without the money', async () => {
    const before = arrives();
    await before.goesToBank();
    await before.hears('checkout-redirect');
    before.leaves();

    history.replaceState(null, '', `${location.pathname}?pay-return=${pse().id}`);
    const transport = new CannedTransport();
    const declined = pse({ status: 'DECLINED' });
    transport.tell(declined);
    transport.offered = offer({ attempt: declined });
    transport.creates = () => pse({ id: 'pse-2' });
    const payer = arrives({ transport });
    await payer.press('Intentar de nuevo');
    await payer.reaches('details');
    await payer.until(() => field(payer, 'bank')?.value === 'Bancolombia');
    expect(field(payer, 'name').value).to.equal('Ana Gómez');
    await payer.press('Ir a mi banco');
    await payer.hears('checkout-redirect');
    expect(location.href).not.to.match(/Ana|300/);
  });

  it('is forgotten when the order is paid', async () => {
    const payer = arrives();
    await payer.goesToBank();
    await payer.hears('checkout-redirect');
    expect(kept()).to.include('Ana Gómez');
    payer.backend.tell(paid(pse()));
    await payer.reaches('confirmed');
    expect(kept()).not.to.include('Ana Gómez');
  });

  it('is kept while a part of the order is still to be paid', async () => {
    const payer = arrives();
    await payer.goesToBank();
    await payer.hears('checkout-redirect');
    payer.backend.tell(
      paid(pse(), {
        confirmedAmountInCents: 1_000_000,
        settlement: {
          state: 'AMOUNT_DIFFERS',
          by: pse().id,
          duplicate: false,
          paidInCents: 1_000_000,
          orderAmountInCents: 5_000_000,
        },
      }),
    );
    await payer.reaches('amount-differs');
    expect(kept()).to.include('Ana Gómez');
  });

  it('is forgotten when another order takes its place, at once or on another page', async () => {
    const payer = await atTheForm();
    await payer.fill('Nombre completo', 'Ana Gómez');
    payer.element.order = 'A-1043';
    await payer.reaches('choosing');
    expect(kept()).not.to.include('Ana Gómez');

    await payer.press('PSE');
    await payer.press('Continuar');
    await payer.fill('Nombre completo', 'Ana Gómez');
    payer.leaves();
    const other = await atTheForm({ order: 'A-1044' });
    expect(field(other, 'name').value).to.equal('');
    expect(kept()).not.to.include('Ana Gómez');
  });

  it('is forgotten when the page asks for it', async () => {
    const payer = await atTheForm();
    await payer.fill('Nombre completo', 'Ana Gómez');
    payer.element.reset();
    expect(kept()).not.to.include('Ana Gómez');
  });
});

describe('another method', () => {
  it('does not have the one just left ticked', async () => {
    const transport = new CannedTransport();
    transport.offered = offer({ methods: [pseMethod, keyMethod] });
    const payer = arrives({ transport });
    await payer.goesToBank();
    await payer.hears('checkout-redirect');
    await payer.press('No autoricé: usar otro medio');
    await payer.reaches('choosing');
    expect(payer.can('Pagar con Bre-B'), 'the button of the other one').to.equal(true);
    await payer.press('PSE');
    await payer.press('Continuar');
    await payer.press('Atrás');
    expect(payer.can('Continuar'), 'what the payer ticks stays').to.equal(true);
  });
});

describe('details remembered on the device', () => {
  const box = (payer: Payer) => inside(payer).querySelector<HTMLInputElement>('[type=checkbox]');

  async function pays(payer: Payer): Promise<void> {
    await payer.fill('Banco', 'bancol');
    await payer.pick('Bancolombia');
    await payer.fill('Nombre completo', 'Ana Gómez');
    await payer.fill('Celular', '300 123 4567');
    await payer.press('Ir a mi banco');
    await payer.hears('checkout-redirect');
    payer.leaves();
    sessionStorage.clear();
  }

  it('are not, unless the payer asks for it and reads what for', async () => {
    const payer = await atTheForm();
    expect(box(payer)?.checked).to.equal(false);
    expect(
      inside(payer).querySelector(`#${box(payer)?.getAttribute('aria-describedby')}`)?.textContent,
    ).to.equal(
      'Autorizas guardarlos solo aquí, para tu próximo pago a Tienda. Puedes borrarlos cuando quieras.',
    );
    await pays(payer);
    expect(localStorage.length).to.equal(0);
  });

  it('fill the form of the next order', async () => {
    const first = await atTheForm();
    await first.press(KEEP);
    expect(localStorage.length, 'before anything is sent').to.equal(0);
    await pays(first);

    const next = await atTheForm({ order: 'A-1043' });
    expect(field(next, 'bank').value).to.equal('Bancolombia');
    expect(field(next, 'name').value).to.equal('Ana Gómez');
    expect(box(next)?.checked).to.equal(true);
    next.leaves();

    const known = await atTheForm({ order: 'A-1044', customer: { name: 'Luz Mora' } });
    expect(field(known, 'name').value, 'what the page knows is newer').to.equal('Luz Mora');
  });

  it('are deleted from the form, and by taking the consent back', async () => {
    for (const deletes of ['Borrar mis datos guardados', KEEP]) {
      const first = await atTheForm();
      await first.press(KEEP);
      await pays(first);
      const next = await atTheForm({ order: 'A-1043' });
      await next.press(deletes);
      expect(localStorage.length, deletes).to.equal(0);
      expect(box(next)?.checked).to.equal(false);
      expect(next.can('Borrar mis datos guardados')).to.equal(false);
      if (deletes !== KEEP) {
        await next.until(() => next.told === 'Borramos tus datos de este dispositivo.');
        expect(field(next, 'name').value).to.equal('');
      }
      next.leaves();
      sessionStorage.clear();
    }
  });

  it('are neither offered nor left there where the merchant switches it off', async () => {
    const first = await atTheForm();
    await first.press(KEEP);
    await pays(first);
    const next = await atTheForm({ noRemember: true });
    expect(box(next)).to.be.null;
    expect(field(next, 'name').value).to.equal('');
    expect(localStorage.length).to.equal(0);
  });

  it('that do not have the form’s shape are ignored', async () => {
    localStorage.setItem('pay-checkout kept payer', '{"personType":"X","values":{"name":7}}');
    const payer = await atTheForm();
    expect(field(payer, 'name').value).to.equal('');
    expect(box(payer)?.checked).to.equal(false);
  });

  it('are offered in English too', async () => {
    const payer = arrives({ locale: 'en' });
    await payer.press('PSE');
    await payer.press('Continue');
    await payer.sees('Remember my details on this device');
  });
});
