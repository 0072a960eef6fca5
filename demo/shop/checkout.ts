import '../../src/define.js';
import { askUntilAnswered, find, money, sayTrouble } from '../page-kit.js';
import type { OrderLook } from '../server/shop.js';
import { orderQuery, type Product, showLines, writeCart } from './shop-kit.js';

const address = new URL(location.href);
const id = address.searchParams.get('pedido') ?? '';
const token = address.searchParams.get('token') ?? '';
const modal = address.searchParams.has('ventana');
const orderUrl = `./order.html${orderQuery(id, token)}`;

const checkout = find<HTMLElementTagNameMap['pay-checkout']>('#checkout');
checkout.modal = modal;
checkout.finishUrl = orderUrl;
checkout.order = token;
// For the walkthrough: a key without a QR, as a page that sets the attribute has it.
checkout.keyType = address.searchParams.get('key-type');
find('main').classList.toggle('modal', modal);
find('#show').hidden = !modal;
find('#show').addEventListener('click', () => checkout.show());
// A hint for the page, never proof: the order page asks the server.
checkout.addEventListener('payin-confirmed', () => writeCart([]));

find<HTMLAnchorElement>('#order-link').href = orderUrl;
const way = find<HTMLAnchorElement>('#way');
way.textContent = modal ? 'Ver el pago en la página' : 'Ver el pago en una ventana';
const other = new URL(address);
if (modal) other.searchParams.delete('ventana');
else other.searchParams.set('ventana', '');
way.href = other.href;

try {
  const [order, products, demo] = await Promise.all([
    askUntilAnswered<OrderLook>(`/api/orders/${encodeURIComponent(id)}${orderQuery(id, token)}`),
    askUntilAnswered<Product[]>('/api/products'),
    askUntilAnswered<{ sandboxUrl: string }>('/api/demo'),
  ]);
  showLines(order.lines, products);
  find('#total').textContent = money(order.amountInCents);
  find('#total-row').hidden = false;
  find<HTMLAnchorElement>('#sandbox').href = `${demo.sandboxUrl}/_/`;
} catch (error) {
  sayTrouble(error);
}
