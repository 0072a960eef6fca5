import { deep, show } from './show.js';

/** The element itself is defined by the build that pages without a bundler load; see page.ts. */
await show({
  mount(place, order) {
    // A page that brings the offer along has the element in its HTML.
    let element = place.querySelector('pay-checkout');
    if (!element) {
      element = document.createElement('pay-checkout');
      element.setAttribute('backend', '/pagos');
      element.setAttribute('order', order);
      place.append(element);
    }
    return () => element.remove();
  },
  first: (place) => deep(place, 'pay-checkout', '[part~="button"]:not([disabled])'),
  code: (place) => {
    const picture = deep(place, 'pay-checkout', '[part~="qr"] img, [part~="qr"] svg, img[part~="qr"]');
    return picture?.complete === false ? null : picture;
  },
  outcome: (place) => deep(place, 'pay-checkout', '[part~="receipt"]'),
});
