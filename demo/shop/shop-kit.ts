import { find, money, stamp } from '../page-kit.js';
import type { CartLine, Product } from '../server/catalogue.js';

/** What the shop's pages share. */

export type { CartLine, Product };

export function artOf(product: string): string {
  return new URL(`./art/${product}.svg`, import.meta.url).href;
}

const CART = 'cafe-andino-cart';

export function readCart(): CartLine[] {
  try {
    const lines: unknown = JSON.parse(localStorage.getItem(CART) ?? '[]');
    return Array.isArray(lines) ? (lines as CartLine[]) : [];
  } catch {
    return [];
  }
}

export function writeCart(lines: readonly CartLine[]): void {
  try {
    localStorage.setItem(CART, JSON.stringify(lines));
  } catch {
    // A private window: the cart lives as long as the page.
  }
}

/** An order's address on its own page and on the checkout page. */
export function orderQuery(id: string, token: string): string {
  return `?${new URLSearchParams({ pedido: id, token }).toString()}`;
}

/** Lines of an order that is placed: nothing to change any more. */
export function showLines(lines: readonly CartLine[], products: readonly Product[]): void {
  find('#lines').replaceChildren(
    ...lines.map(({ product: id, quantity }) => {
      const product = products.find((candidate) => candidate.id === id);
      const row = stamp('#line');
      find<HTMLImageElement>('img', row).src = artOf(id);
      find('b', row).textContent = product?.name ?? id;
      find('div > span', row).textContent = `${quantity} × ${money(product?.priceInCents ?? 0)}`;
      find('.sum', row).textContent = money((product?.priceInCents ?? 0) * quantity);
      return row;
    }),
  );
}
