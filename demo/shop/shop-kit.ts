import type { CartLine, Product } from '../server/catalogue.js';

/** What the shop's pages share. Plain DOM: this is what a shop without a framework looks like. */

export type { CartLine, Product };

export function find<Type extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): Type {
  const found = within.querySelector<Type>(selector);
  if (!found) throw new Error(`The page has no ${selector}`);
  return found;
}

export function stamp(template: string): HTMLElement {
  const [first] = (find<HTMLTemplateElement>(template).content.cloneNode(true) as DocumentFragment).children;
  return first as HTMLElement;
}

const pesos = new Intl.NumberFormat('es-CO', {
  style: 'currency',
  currency: 'COP',
  minimumFractionDigits: 0,
  maximumFractionDigits: 0,
});
const pesosAndCents = new Intl.NumberFormat('es-CO', {
  style: 'currency',
  currency: 'COP',
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
});

export function money(amountInCents: number): string {
  return (amountInCents % 100 === 0 ? pesos : pesosAndCents).format(amountInCents / 100);
}

export async function ask<Answer>(path: string, body?: unknown): Promise<Answer> {
  const response = await fetch(path, {
    ...(body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  const answer = (await response.json().catch(() => ({}))) as Answer & { message?: string };
  if (!response.ok)
    throw new Error(answer.message ?? 'La tienda no responde. Intenta de nuevo en un momento.');
  return answer;
}

export function sayTrouble(error: unknown): void {
  const trouble = find('#trouble');
  trouble.textContent = error instanceof Error ? error.message : String(error);
  trouble.hidden = false;
}

export function artOf(product: string): string {
  return new URL(`./art/${product}.svg`, import.meta.url).href;
}

const CART = 'cafe-andino-cart';

export function readCart(): CartLine[] {
  try {
    return JSON.parse(localStorage.getItem(CART) ?? '[]') as CartLine[];
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
