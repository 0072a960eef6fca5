import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { keyMethod, offer } from '../../machine/fixtures.js';
import { CannedTransport } from '../support/canned-transport.js';
import {
  atTheForm,
  bankOf,
  described,
  field,
  inside,
  leave,
  listed,
  options,
  pse,
  write,
} from '../support/form.js';
import { Payer, clearPage } from '../support/harness.js';

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
    const list = pointed.closest('[role=listbox]')!.getBoundingClientRect();
    const { top, bottom } = pointed.getBoundingClientRect();
    expect(top, 'within its list').to.be.least(list.top - 1);
    expect(bottom, 'within its list').to.be.most(list.bottom + 1);
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

  it('opens its list where there is room', async () => {
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
