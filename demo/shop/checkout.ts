import '../../src/define.js';
import type { OrderLook } from '../server/shop.js';
import { ask, find, money, type Product, sayTrouble, showLines, writeCart } from './shop-kit.js';

const address = new URL(location.href);
const id = address.searchParams.get('pedido') ?? '';
const token = address.searchParams.get('token') ?? '';
const modal = address.searchParams.has('ventana');
const orderUrl = `./order.html?${new URLSearchParams({ pedido: id, token }).toString()}`;

const checkout = find<HTMLElementTagNameMap['pay-checkout']>('#checkout');
checkout.modal = modal;
checkout.finishUrl = orderUrl;
checkout.order = token;
find('#modal-start').hidden = !modal;
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
    ask<OrderLook>(`/api/orders/${encodeURIComponent(id)}?token=${encodeURIComponent(token)}`),
    ask<Product[]>('/api/products'),
    ask<{ sandboxUrl: string }>('/api/demo'),
  ]);
  showLines(order.lines, products);
  find('#total').textContent = money(order.amountInCents);
  find<HTMLAnchorElement>('#sandbox').href = `${demo.sandboxUrl}/_/`;
} catch (error) {
  sayTrouble(error);
}
