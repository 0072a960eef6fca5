import { loadPrimer } from '@primer-io/primer-js';
import { deep, show } from './show.js';

loadPrimer();

const METHOD = ['primer-checkout', 'primer-main', 'primer-payment-method', 'primer-qrcode'];

await show({
  mount(place, order) {
    const element = document.createElement('primer-checkout');
    element.setAttribute('client-token', order);
    place.append(element);
    return () => element.remove();
  },
  first: (place) =>
    deep(
      place,
      ...METHOD,
      'primer-payment-method-accordion',
      'primer-payment-method-button',
      'primer-button',
      'button',
    ),
  code: (place) => deep(place, ...METHOD, '.qrcode-image img'),
  outcome: (place) => deep(place, 'primer-checkout', 'primer-main', 'primer-checkout-state'),
});
