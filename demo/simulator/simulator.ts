import '../../src/define.js';
import { createSimulator } from '../../src/simulator.js';
import { find } from '../page-kit.js';

/** A checkout that needs no server: everything it talks to is in this page, and outlives a reload. */

const simulator = createSimulator({
  merchant: {
    name: 'Café Andino',
    taxId: '900.373.913-4',
    supportEmail: 'pagos@cafeandino.example',
    supportPhone: '601 555 0101',
    supportWhatsapp: '300 555 0101',
    payeeName: 'CAF*** AND***',
  },
  order: { amountInCents: 8_580_000, description: 'Café de origen, 2 bolsas' },
  storage: sessionStorage,
});
find<HTMLElementTagNameMap['pay-checkout-simulator']>('pay-checkout-simulator').simulator = simulator;

const WAY = 'pay-checkout demo way';
const ways = find<HTMLFormElement>('.ways');
const chosen = () => String(new FormData(ways).get('way'));

const radio = ways.querySelector<HTMLInputElement>(`[value="${sessionStorage.getItem(WAY) ?? 'methods'}"]`);
if (radio) radio.checked = true;
ways.addEventListener('change', () => {
  sessionStorage.setItem(WAY, chosen());
  show();
});
show();

/** Each way is an order of its own: an order that is being paid in one way is not paid in another. */
function show(): void {
  const way = chosen();
  const checkout = document.createElement('pay-checkout');
  checkout.order = `A-1042-${way}`;
  checkout.transport = simulator;
  checkout.hosted = way !== 'methods';
  checkout.share = way === 'share';
  find('#frame').replaceChildren(checkout);
}
