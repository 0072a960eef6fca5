import { PayCheckoutElement } from './element/pay-checkout-element.js';

PayCheckoutElement.define();

export { PayCheckoutElement };
