import { XenditComponents } from 'xendit-components-web';
import { show } from './show.js';

await show({
  async mount(place, order) {
    const components = new XenditComponents({ componentsSdkKey: order });
    const button = document.createElement('button');
    button.textContent = 'Pagar';
    button.disabled = true;
    button.addEventListener('click', () => components.submit());
    await new Promise((resolve) => components.addEventListener('init', resolve, { once: true }));
    components.addEventListener('submission-ready', () => (button.disabled = false));
    components.addEventListener('session-complete', () => {
      const done = document.createElement('p');
      done.className = 'paid';
      done.textContent = 'Pago recibido';
      place.replaceChildren(done);
    });
    const picker = components.createChannelPickerComponent();
    place.append(picker, button);
    components.setCurrentChannel(components.getActiveChannels({ filter: 'QRIS' })[0]);
    return () => components.destroyComponent(picker);
  },
  first: (place) => place.querySelector(':scope > button:not([disabled])'),
  code: () => document.querySelector('.xendit-action-qr svg, [class*="xendit"][class*="qr"] svg'),
  outcome: (place) => place.querySelector('.paid'),
});
