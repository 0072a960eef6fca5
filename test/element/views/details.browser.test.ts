import { expect } from '@open-wc/testing';
import { sendKeys } from '@web/test-runner-commands';
import { TransportError } from '../../../src/transport/port.js';
import { keyMethod, offer } from '../../machine/fixtures.js';
import { CannedTransport } from '../support/canned-transport.js';
import { atTheForm, described, field, inside, leave, listed, pse, write } from '../support/form.js';
import { Payer, clearPage } from '../support/harness.js';

afterEach(clearPage);

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

  it('shows no error while the payer types, shows one on leaving the field, and removes it once it is corrected', async () => {
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
    await write(payer, 'email', 'a');
    expect(inside(payer).activeElement?.id, 'not taken back').to.equal('email');

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
    expect(field(payer, 'idNumber').inputMode).to.equal('numeric');
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
    payer.backend.hold();
    await payer.press('Ir a mi banco');
    await payer.reaches('creating');
    expect(field(payer, 'phone').value, 'stays until there is an answer').to.equal('(300) 123-4567');
    payer.backend.release();
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

  it('starts with what the page knows', async () => {
    const payer = await atTheForm(pse, {
      bank: 'CO_BANCOLOMBIA',
      customer: { name: 'Ana Restrepo', idType: 'CO_CE', idNumber: 'E123456' },
    });
    expect(field(payer, 'bank').value).to.equal('Bancolombia');
    expect(field(payer, 'name').value).to.equal('Ana Restrepo');
    expect(field(payer, 'idType').value).to.equal('CO_CE');
    expect(field(payer, 'idNumber').value).to.equal('E123456');
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
