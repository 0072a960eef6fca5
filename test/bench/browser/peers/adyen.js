import { AdyenCheckout, Pix } from '@adyen/adyen-web';
import '@adyen/adyen-web/styles/adyen.css';
import { show } from './show.js';

await show({
  async mount(place) {
    const ask = async (path, body) => {
      const response = await fetch(`/pagos/${path}`, { method: 'POST', body: JSON.stringify(body) });
      return response.json();
    };
    const { countryCode, amount, paymentMethodsResponse } = await ask('paymentMethods', {});
    const checkout = await AdyenCheckout({
      environment: 'test',
      clientKey: 'test_PAYCHECKOUTBENCH',
      locale: 'en-US',
      countryCode,
      amount,
      paymentMethodsResponse,
      analytics: { enabled: false },
      risk: { enabled: false },
      async onSubmit(state, component, actions) {
        const answer = await ask('payments', state.data);
        actions.resolve(answer);
      },
      async onAdditionalDetails(state, component, actions) {
        actions.resolve(await ask('details', state.data));
      },
      onPaymentCompleted: () => {},
    });
    const pix = new Pix(checkout).mount(place);
    return () => pix.remove();
  },
  first: (place) => place.querySelector('button.adyen-checkout__button--pay:not([disabled])'),
  code: (place) => {
    const picture = place.querySelector('.adyen-checkout__qr-loader img[src*="barcode"]');
    return picture?.complete ? picture : null;
  },
  outcome: (place) =>
    place.querySelector('.adyen-checkout__qr-loader--result, .adyen-checkout__status__icon--success'),
});
