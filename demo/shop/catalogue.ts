import { ask, askUntilAnswered, find, money, sayTrouble, stamp } from '../page-kit.js';
import { artOf, type CartLine, orderQuery, type Product, readCart, writeCart } from './shop-kit.js';

let cart = readCart();
let products: readonly Product[] = [];

const dialog = find<HTMLDialogElement>('#cart');
find('#open-cart').addEventListener('click', () => dialog.showModal());
dialog.addEventListener('click', (event) => event.target === dialog && dialog.close());
find('#pay').addEventListener('click', () => void pay());
// Back from the checkout page, which may have emptied the cart: the browser shows this page as it was left.
addEventListener('pageshow', ({ persisted }) => {
  if (!persisted) return;
  cart = readCart();
  showCart();
});

try {
  products = await askUntilAnswered<Product[]>('/api/products');
  cart = cart.filter((line) => products.some(({ id }) => id === line.product));
  find('#products').replaceChildren(...products.map(productCard));
  showCart();
} catch (error) {
  sayTrouble(error);
}

function productCard(product: Product): HTMLElement {
  const card = stamp('#product');
  find<HTMLImageElement>('img', card).src = artOf(product.id);
  find('h2', card).textContent = product.name;
  find('.note', card).textContent = product.note;
  find('b', card).textContent = money(product.priceInCents);
  const add = find<HTMLButtonElement>('button', card);
  add.setAttribute('aria-label', `Agregar ${product.name}`);
  add.addEventListener('click', () => {
    change(product.id, 1);
    dialog.showModal();
  });
  return card;
}

function change(product: string, step: number): void {
  const now = cart.find((line) => line.product === product)?.quantity ?? 0;
  const quantity = Math.min(20, now + step);
  const others = cart.filter((line) => line.product !== product);
  const place = cart.findIndex((line) => line.product === product);
  if (quantity > 0) others.splice(place < 0 ? others.length : place, 0, { product, quantity });
  cart = others;
  writeCart(cart);
  showCart();
}

function showCart(): void {
  const total = cart.reduce((sum, line) => sum + priceOf(line) * line.quantity, 0);
  find('#count').textContent = String(cart.reduce((sum, { quantity }) => sum + quantity, 0));
  find('#total').textContent = money(total);
  find('#total-row').hidden = find<HTMLButtonElement>('#pay').disabled = cart.length === 0;
  find('#empty').hidden = cart.length > 0;
  const focused = document.activeElement?.closest<HTMLElement>('[data-product]')?.dataset['product'];
  const step =
    document.activeElement instanceof HTMLElement ? document.activeElement.dataset['step'] : undefined;
  find('#lines').replaceChildren(...cart.map(cartLine));
  // Drawing again took the pressed button away; its successor gets the focus.
  if (focused)
    document.querySelector<HTMLElement>(`[data-product="${focused}"] [data-step="${step ?? '1'}"]`)?.focus();
}

function cartLine(line: CartLine): HTMLElement {
  const product = products.find(({ id }) => id === line.product);
  const row = stamp('#line');
  row.dataset['product'] = line.product;
  find<HTMLImageElement>('img', row).src = artOf(line.product);
  find('b', row).textContent = product?.name ?? line.product;
  find('span', row).textContent = money(priceOf(line) * line.quantity);
  find('output', row).textContent = String(line.quantity);
  for (const button of row.querySelectorAll<HTMLButtonElement>('[data-step]')) {
    button.addEventListener('click', () => change(line.product, Number(button.dataset['step'])));
  }
  return row;
}

function priceOf({ product }: CartLine): number {
  return products.find(({ id }) => id === product)?.priceInCents ?? 0;
}

async function pay(): Promise<void> {
  const button = find<HTMLButtonElement>('#pay');
  button.disabled = true;
  try {
    const { id, token } = await ask<{ id: string; token: string }>('/api/orders', {
      method: 'POST',
      body: { lines: cart },
    });
    location.assign(`./checkout.html${orderQuery(id, token)}`);
  } catch (error) {
    dialog.close();
    sayTrouble(error);
    button.disabled = false;
  }
}
