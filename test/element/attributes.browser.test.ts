import { expect } from '@open-wc/testing';
import type { CheckoutProperties } from '../../src/element/properties.js';
import { PayCheckoutElement } from '../../src/element/pay-checkout-element.js';
import '../../src/define.js';

/** Every attribute a page may write, and the property that it is. */
const ATTRIBUTES: Readonly<Record<string, keyof CheckoutProperties>> = {
  backend: 'backend',
  order: 'order',
  level: 'level',
  rails: 'rails',
  'key-type': 'keyType',
  bank: 'bank',
  currency: 'currency',
  description: 'description',
  'callback-url': 'callbackUrl',
  'finish-url': 'finishUrl',
  'redirect-hosts': 'redirectHosts',
  locale: 'locale',
  banks: 'banks',
  'merchant-name': 'merchantName',
  'qr-style': 'qrStyle',
  'privacy-url': 'privacyUrl',
  'terms-url': 'termsUrl',
};
const FLAGS = {
  modal: 'modal',
  hosted: 'hosted',
  share: 'share',
  'no-remember': 'noRemember',
  open: 'open',
} as const;
/** Not texts: only a page's code can say them. */
const PROPERTIES = [
  'customer',
  'apps',
  'merchant',
  'messages',
  'headers',
  'credentials',
  'transport',
] as const;

describe('an attribute', () => {
  it('is the property of its name', () => {
    const element = document.createElement('pay-checkout');
    for (const [attribute, property] of Object.entries(ATTRIBUTES)) {
      element.setAttribute(attribute, `a ${attribute}`);
      expect(element[property], attribute).to.equal(`a ${attribute}`);
    }
    element.setAttribute('amount-in-cents', '5000000');
    expect(element.amountInCents).to.equal(5_000_000);
    for (const [flag, property] of Object.entries(FLAGS)) {
      element.setAttribute(flag, '');
      expect(element[property], flag).to.be.true;
      element.removeAttribute(flag);
      expect(element[property], flag).to.be.false;
    }
    expect(PayCheckoutElement.observedAttributes).to.have.members([
      ...Object.keys(ATTRIBUTES),
      'amount-in-cents',
      ...Object.keys(FLAGS),
    ]);
  });

  it('need not be written: what is left out is nothing, and pesos', () => {
    const element = document.createElement('pay-checkout');
    for (const property of [...Object.values(ATTRIBUTES), ...PROPERTIES, 'amountInCents'] as const) {
      expect(element[property], property).to.equal(property === 'currency' ? 'COP' : null);
    }
    for (const flag of Object.values(FLAGS)) expect(element[flag], flag).to.be.false;
  });
});

describe('a property without an attribute', () => {
  it('draws the element again when it is set', async () => {
    for (const property of PROPERTIES) {
      const element = Object.assign(document.createElement('pay-checkout'), { modal: true });
      document.body.append(element);
      await element.updateComplete;
      Object.assign(element, { [property]: {} });
      expect(element.isUpdatePending, property).to.be.true;
      element.remove();
    }
  });
});
