import { init } from '@getalby/bitcoin-connect';
import { deep, show } from './show.js';

init({ appName: 'Tienda' });

const POLL_MS = 1_000;

await show({
  mount(place) {
    const button = document.createElement('bc-pay-button');
    button.setAttribute('payment-methods', 'external');
    let timer;
    button.addEventListener('click', async () => {
      const { invoice } = await (await fetch('/pagos/invoice', { method: 'POST' })).json();
      button.setAttribute('invoice', invoice);
      // As its documentation shows: the page asks its own server whether the invoice is paid.
      timer = setInterval(async () => {
        const { preimage } = await (await fetch('/pagos/paid')).json();
        if (!preimage) return;
        clearInterval(timer);
        button.setAttribute('preimage', preimage);
      }, POLL_MS);
    });
    place.append(button);
    return () => {
      clearInterval(timer);
      button.remove();
    };
  },
  first: (place) => deep(place, 'bc-pay-button', 'bci-button'),
  code: () => deep(document, 'bc-payment', 'bc-send-payment', 'canvas'),
  outcome: () => deep(document, 'bc-payment', 'bc-send-payment', 'p.font-bold'),
});
