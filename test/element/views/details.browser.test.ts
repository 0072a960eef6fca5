import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { PSE_BANKS } from '../../../src/contract/payer/bank-list.js';
import type { Method } from '../../../src/contract/offer.js';
import { TransportError } from '../../../src/transport/port.js';
import { keyMethod, offer } from '../../machine/fixtures.js';
import { CannedTransport } from '../support/canned-transport.js';
import { Payer, clearPage } from '../support/harness.js';

const listed = PSE_BANKS.filter(({ testOnly }) => !testOnly).map(({ code, name, aliases = [] }) => ({
  code,
  name,
  aliases: [...aliases],
}));
const pse = {
  kind: 'PAYIN',
  rail: 'PSE',
  banks: listed,
  requires: ['name', 'idType', 'idNumber', 'email', 'phone'],
} satisfies Method;

async function atTheForm(
  method: Method = pse,
  settings: Parameters<typeof Payer.arrives>[0] = {},
): Promise<Payer> {
  const transport = new CannedTransport();
  transport.offered = offer({ methods: [method, keyMethod] });
  const payer = Payer.arrives({ transport, ...settings });
  payer.element.addEventListener('checkout-redirect', (event) => event.preventDefault());
  await payer.press('Continuar');
  await payer.reaches('details');
  await payer.sees('Ir a mi banco');
  return payer;
}

const inside = (payer: Payer) => payer.element.shadowRoot!;
const field = (payer: Payer, id: string) => inside(payer).querySelector<HTMLInputElement>(`#${id}`)!;
const options = (payer: Payer) => [...inside(payer).querySelectorAll('[role=option]')].map(bankOf);
/** Without the letters beside it that stand for a logo. */
const bankOf = (option: Element | null) => option?.lastElementChild?.textContent ?? '';
/** What assistive technology reads with the field. */
const described = (payer: Payer, id: string) =>
  inside(payer)
    .querySelector(`#${field(payer, id).getAttribute('aria-describedby')}`)
    ?.textContent?.trim();

async function write(payer: Payer, id: string, text: string): Promise<void> {
  field(payer, id).focus();
  field(payer, id).value = text;
  field(payer, id).dispatchEvent(new InputEvent('input', { bubbles: true }));
  await payer.element.updateComplete;
}

async function leave(payer: Payer, id: string): Promise<void> {
  field(payer, id).blur();
  await payer.element.updateComplete;
}

afterEach(clearPage);

describe('the bank picker', () => {
  it('lists every bank from A to Z, and says how many match what is written', async () => {
    const payer = await atTheForm();
    field(payer, 'bank').click();
    await payer.element.updateComplete;
    const names = options(payer);
    expect(names).to.have.length(listed.length);
    expect(names).to.deep.equal([...names].sort(new Intl.Collator('es').compare));

    await write(payer, 'bank', 'COLPATRÍA');
    expect(options(payer)).to.deep.equal(['Scotiabank Colpatria']);
    expect(payer.told).to.equal('1 banco');
  });

  it('lists the banks that most people have first, then the others from A to Z, with letters for logos', async () => {
    const banks = [
      { code: 'CO_BBVA', name: 'BBVA' },
      { code: 'CO_NEQUI', name: 'Nequi', first: 1 },
      { code: 'CO_AV_VILLAS', name: 'Banco AV Villas' },
      { code: 'CO_BOGOTA', name: 'Banco de Bogotá', first: 2 },
    ];
    const payer = await atTheForm({ ...pse, banks });
    field(payer, 'bank').click();
    await payer.element.updateComplete;
    expect(options(payer)).to.deep.equal(['Nequi', 'Banco de Bogotá', 'Banco AV Villas', 'BBVA']);
    const letters = [...inside(payer).querySelectorAll('[role=option] [aria-hidden=true]')];
    expect(letters.map(({ textContent }) => textContent)).to.deep.equal(['N', 'B', 'AV', 'B']);
  });

  it('finds a bank that is written with one wrong letter', async () => {
    const payer = await atTheForm();
    for (const [written, name] of [
      ['bancolonbia', 'Bancolombia'],
      ['davivenda', 'Banco Davivienda'],
    ] as const) {
      await write(payer, 'bank', written);
      expect(options(payer)).to.deep.equal([name]);
      expect(payer.told).to.equal('1 banco');
    }
    await leave(payer, 'bank');
    expect(field(payer, 'bank').value).to.equal('Banco Davivienda');
  });

  it('is a combobox: the field keeps the focus and names the option it points at', async () => {
    const payer = await atTheForm();
    const bank = field(payer, 'bank');
    bank.focus();
    expect(bank.getAttribute('aria-expanded')).to.equal('false');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'ArrowDown' });
    expect(bank.getAttribute('aria-expanded')).to.equal('true');
    const pointed = inside(payer).querySelector(`#${bank.getAttribute('aria-activedescendant')}`);
    expect(bankOf(pointed)).to.equal(options(payer)[0]);
    expect([...inside(payer).querySelectorAll('.on')], 'seen as well').to.deep.equal([pointed]);
    expect(inside(payer).activeElement).to.equal(bank);

    await sendKeys({ press: 'ArrowUp' });
    expect(bank.getAttribute('aria-activedescendant')).to.equal(`bank-${listed.length - 1}`);
    await sendKeys({ press: 'Enter' });
    expect(bank.value).to.equal([...listed].sort((a, b) => a.name.localeCompare(b.name, 'es')).at(-1)?.name);
    expect(bank.getAttribute('aria-expanded')).to.equal('false');
    expect(payer.element.phase).to.equal('details');
  });

  it('goes through the list by pages to its ends, and points at nothing where nothing matches', async () => {
    const payer = await atTheForm();
    const bank = field(payer, 'bank');
    const pointed = () => bank.getAttribute('aria-activedescendant');
    bank.focus();
    // Not by a real press, which would set the page in motion for longer than this test.
    const pressed = new KeyboardEvent('keydown', { key: 'PageDown', bubbles: true, cancelable: true });
    bank.dispatchEvent(pressed);
    await payer.element.updateComplete;
    expect(pressed.defaultPrevented, 'left to the page while the list is closed').to.equal(false);
    expect(bank.getAttribute('aria-expanded')).to.equal('false');
    await sendKeys({ press: 'ArrowDown' });
    await sendKeys({ press: 'PageDown' });
    expect(pointed()).to.equal('bank-5');
    await sendKeys({ press: 'PageUp' });
    expect(pointed()).to.equal('bank-0');
    await sendKeys({ press: 'ArrowUp' });
    await sendKeys({ press: 'PageDown' });
    expect(pointed()).to.equal(`bank-${listed.length - 1}`);

    await write(payer, 'bank', 'marte');
    await sendKeys({ press: 'ArrowDown' });
    expect(pointed()).to.be.null;
    await sendKeys({ press: 'Enter' });
    expect(payer.told).to.equal('0 bancos');
    expect(payer.element.phase).to.equal('details');
    expect(payer.backend.created).to.deep.equal([]);
  });

  it('moves nothing but its list while the payer goes through it', async () => {
    const payer = await atTheForm();
    payer.element.style.marginBlock = '100vh';
    const bank = field(payer, 'bank');
    bank.focus();
    // With room for the list below it.
    bank.scrollIntoView();
    scrollBy(0, -100);
    const placeOf = (element: Element) => Math.round(element.getBoundingClientRect().top);
    const before = placeOf(bank);
    for (const press of ['ArrowDown', 'ArrowDown', 'PageDown', 'PageDown', 'ArrowUp']) {
      await sendKeys({ press });
      await payer.element.updateComplete;
      expect(placeOf(bank), press).to.equal(before);
    }
    const pointed = inside(payer).querySelector('.on')!;
    const list = pointed.closest('[role=listbox]')!;
    expect(placeOf(pointed)).to.be.at.least(placeOf(list));
  });

  it('opens its list by the button beside the field, at the bank that is chosen', async () => {
    const payer = await atTheForm(pse, { bank: 'CO_BANCOLOMBIA' });
    inside(payer).querySelector<HTMLElement>('.chevron')!.click();
    await payer.element.updateComplete;
    expect(inside(payer).activeElement).to.equal(field(payer, 'bank'));
    expect(options(payer)).to.have.length(listed.length);
    const chosen = inside(payer).querySelector('[aria-selected=true]');
    expect(bankOf(chosen)).to.equal('Bancolombia');
    expect(field(payer, 'bank').getAttribute('aria-activedescendant')).to.equal(chosen?.id);
    inside(payer).querySelector<HTMLElement>('.chevron')!.click();
    await payer.element.updateComplete;
    expect(options(payer)).to.deep.equal([]);
  });

  it('closes its list by Escape and keeps what was written', async () => {
    const payer = await atTheForm();
    await write(payer, 'bank', 'davi');
    await sendKeys({ press: 'Escape' });
    expect(field(payer, 'bank').getAttribute('aria-expanded')).to.equal('false');
    expect(field(payer, 'bank').value).to.equal('davi');
  });

  it('takes a finger: a press on the list does not take the focus, and picks', async () => {
    const payer = await atTheForm();
    await write(payer, 'bank', 'davivienda');
    const option = inside(payer).querySelector<HTMLElement>('[role=option]')!;
    const pressed = new MouseEvent('mousedown', { bubbles: true, cancelable: true, composed: true });
    option.dispatchEvent(pressed);
    expect(pressed.defaultPrevented).to.equal(true);
    option.click();
    await payer.element.updateComplete;
    expect(field(payer, 'bank').value).to.equal('Banco Davivienda');
  });

  it('takes the only bank that was meant, and objects to one that does not exist', async () => {
    const payer = await atTheForm();
    await write(payer, 'bank', 'nubank');
    await leave(payer, 'bank');
    expect(field(payer, 'bank').value).to.equal('Nu');

    await write(payer, 'bank', 'marte');
    await payer.sees('No encontramos «marte»');
    await leave(payer, 'bank');
    expect(described(payer, 'bank')).to.equal('Elige tu banco de la lista.');
  });

  it('says so when there is no list, and lets the payer take another method', async () => {
    const transport = new CannedTransport();
    transport.offered = offer({ methods: [{ ...pse, banks: [] }, keyMethod] });
    const payer = Payer.arrives({ transport });
    await payer.press('Continuar');
    await payer.sees('No se pudo obtener la lista de Entidades Financieras, por favor intente más tarde');
    expect(payer.can('Ir a mi banco')).to.equal(false);
    await payer.press('Atrás');
    await payer.reaches('choosing');
  });
});

describe('the form', () => {
  it('asks only for what is missing, with what browsers and keyboards need to help', async () => {
    const payer = await atTheForm({ ...pse, requires: ['idType', 'idNumber', 'email'] });
    expect(payer.text).not.to.include('Celular');
    expect(field(payer, 'email').autocomplete).to.equal('email');
    expect(field(payer, 'email').inputMode).to.equal('email');
    expect(field(payer, 'email').hasAttribute('aria-describedby'), 'nothing to read with it').to.equal(false);
    expect(field(payer, 'idNumber').inputMode).to.equal('numeric');
    await payer.fill('Documento', 'PASSPORT');
    expect(field(payer, 'idNumber').inputMode).to.equal('text');
  });

  it('says nothing while the payer writes, says how to mend on leaving, and is content at once when mended', async () => {
    const payer = await atTheForm();
    await write(payer, 'idNumber', '12A456');
    expect(field(payer, 'idNumber').getAttribute('aria-invalid')).to.equal('false');
    await leave(payer, 'idNumber');
    expect(field(payer, 'idNumber').getAttribute('aria-invalid')).to.equal('true');
    expect(described(payer, 'idNumber')).to.equal('Escribe solo números, de 3 a 10.');
    await write(payer, 'idNumber', '1.020.304.050');
    expect(field(payer, 'idNumber').getAttribute('aria-invalid')).to.equal('false');
  });

  it('on submit marks everything that is wrong, says how much, and goes to the first', async () => {
    const payer = await atTheForm();
    await payer.press('Ir a mi banco');
    await payer.element.updateComplete;
    expect(payer.told).to.equal('Revisa 5 campos.');
    expect(inside(payer).activeElement?.id).to.equal('bank');
    expect(payer.backend.created).to.deep.equal([]);

    await write(payer, 'bank', 'bancolombia');
    await sendKeys({ press: 'Enter' });
    await payer.press('Ir a mi banco');
    expect(inside(payer).activeElement?.id).to.equal('idNumber');
  });

  it('has the documents that PSE allows each kind of person', async () => {
    const payer = await atTheForm();
    const types = () => [...inside(payer).querySelectorAll('option')].map(({ value }) => value);
    expect(types()).to.deep.equal(['CO_CC', 'CO_CE', 'PASSPORT']);
    expect(described(payer, 'idType'), 'which ones it does not').to.match(/PPT.*T\.I\./);
    await payer.press('Persona jurídica');
    // With a single type there is nothing to choose: its name is the label.
    expect(types()).to.deep.equal([]);
    await write(payer, 'idNumber', '900373913-5');
    await leave(payer, 'idNumber');
    expect(described(payer, 'idNumber')).to.equal('El dígito de verificación no corresponde. Revisa el NIT.');
  });

  it('sends what people type as the service takes it', async () => {
    const payer = await atTheForm();
    await write(payer, 'bank', 'nequi');
    await sendKeys({ press: 'Enter' });
    await write(payer, 'idNumber', '1.020.304.050');
    await write(payer, 'name', '  Ana   María  Restrepo ');
    await write(payer, 'email', 'Ana@Correo.EXAMPLE');
    await write(payer, 'phone', '(300) 123-4567');
    await payer.press('Ir a mi banco');
    await payer.until(() => payer.backend.created.length === 1);
    const body = payer.backend.created[0]?.body;
    expect(body).to.have.nested.property('pse.bank', listed.find(({ name }) => name === 'Nequi')?.code);
    expect(body).to.have.deep.property('inlineCustomer', {
      name: 'Ana María Restrepo',
      idType: 'CO_CC',
      idNumber: '1020304050',
      email: 'Ana@correo.example',
      phone: '+573001234567',
    });
  });

  it('keeps what was typed when the payer goes back and comes again', async () => {
    const payer = await atTheForm();
    await write(payer, 'name', 'Ana Restrepo');
    await payer.press('Atrás');
    await payer.press('Continuar');
    await payer.until(() => field(payer, 'name'));
    expect(field(payer, 'name').value).to.equal('Ana Restrepo');
  });

  it('forgets what was typed with the order it was typed for', async () => {
    const payer = await atTheForm();
    await write(payer, 'name', 'Ana Restrepo');
    payer.element.order = 'A-1043';
    await payer.reaches('choosing');
    await payer.press('Continuar');
    await payer.until(() => field(payer, 'name'));
    expect(field(payer, 'name').value).to.equal('');
  });

  it('starts with what the page knows, open to be mended', async () => {
    const payer = await atTheForm(pse, {
      bank: 'CO_BANCOLOMBIA',
      customer: { name: 'Ana Restrepo', idType: 'CO_CE', idNumber: 'E123456' },
    });
    expect(field(payer, 'bank').value).to.equal('Bancolombia');
    expect(field(payer, 'name').value).to.equal('Ana Restrepo');
    expect(field(payer, 'idType').value).to.equal('CO_CE');
  });

  it('shows what the backend objects to at its field', async () => {
    const payer = await atTheForm({ ...pse, requires: ['phone'] }, { bank: 'CO_BANCOLOMBIA' });
    payer.backend.creates = () =>
      new TransportError('PROBLEM', {
        status: 400,
        problem: {
          code: 'invalid_request',
          errors: [{ field: 'inlineCustomer.phone', code: 'format' }],
        },
      });
    await write(payer, 'phone', '3001234567');
    await payer.press('Ir a mi banco');
    await payer.sees('Este dato no fue aceptado. Revísalo.');
    expect(field(payer, 'phone').getAttribute('aria-invalid')).to.equal('true');
    expect(field(payer, 'phone').value).to.equal('3001234567');
    await payer.until(() => inside(payer).activeElement?.id === 'phone');
  });

  it('cannot be sent twice, and says that it works', async () => {
    const payer = await atTheForm({ ...pse, requires: [] }, { bank: 'CO_BANCOLOMBIA' });
    payer.backend.hold();
    await payer.press('Ir a mi banco');
    await payer.sees('Preparando tu pago…');
    await payer.press('Preparando tu pago…');
    payer.backend.release();
    await payer.hears('checkout-redirect');
    expect(payer.backend.created).to.have.length(1);
  });
});

describe('where personal data are asked for', () => {
  const policies = (payer: Payer) =>
    [...inside(payer).querySelectorAll<HTMLAnchorElement>('[part=policies] a')].map(({ href }) => href);

  it('the merchant’s policies are linked to', async () => {
    const transport = new CannedTransport();
    const given = { privacyUrl: 'https://shop.example/datos', termsUrl: 'https://shop.example/terminos' };
    const offered = offer({ methods: [pse, keyMethod] });
    transport.offered = { ...offered, merchant: { ...offered.merchant, ...given } };
    const payer = Payer.arrives({ transport });
    await payer.press('Continuar');
    await payer.sees('política de tratamiento de datos');
    expect(policies(payer)).to.deep.equal(Object.values(given));
  });

  it('an address that is none of the web is not linked to, and nothing is said without one', async () => {
    const transport = new CannedTransport();
    const offered = offer({ methods: [pse, keyMethod] });
    transport.offered = { ...offered, merchant: { ...offered.merchant, privacyUrl: 'javascript:alert(1)' } };
    const payer = Payer.arrives({ transport });
    await payer.press('Continuar');
    await payer.sees('Ir a mi banco');
    expect(policies(payer)).to.deep.equal([]);
    expect(payer.text).not.to.include('usa estos datos');
  });
});

describe('the list of banks', () => {
  it('opens where there is room', async () => {
    const payer = await atTheForm();
    const host = payer.element;
    const place = () => {
      const list = inside(payer).querySelector('#banks')!.getBoundingClientRect();
      return list.top >= field(payer, 'bank').getBoundingClientRect().bottom ? 'below' : 'above';
    };
    for (const [margin, where] of [
      ['0', 'below'],
      [`${innerHeight}px`, 'above'],
    ] as const) {
      host.style.display = 'block';
      host.style.marginBlock = margin;
      // The field at the upper edge of the window, or at its lower one.
      field(payer, 'bank').scrollIntoView({
        block: where === 'below' ? 'start' : 'end',
        behavior: 'instant',
      });
      await payer.press('Ver todos los bancos');
      await payer.until(() => options(payer).length > 1 && place() === where);
      await payer.pick('Bancolombia');
      await payer.until(() => options(payer).length === 0);
    }
  });
});
