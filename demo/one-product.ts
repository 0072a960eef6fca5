/** What the framework pages share: an address that says where the visitor is, and one product to order. */

export interface Place {
  readonly view: 'product' | 'pay';
  /** Token of the order that is being paid. In the address, so that a reload and a return from the bank find it. */
  readonly order: string | null;
}

export function readPlace(address = new URL(location.href)): Place {
  const order = address.searchParams.get('order');
  const view = order !== null && address.searchParams.get('view') === 'pay' ? 'pay' : 'product';
  return { view, order };
}

export function addressOf({ view, order }: Place): string {
  const query = new URLSearchParams({ view, ...(order === null ? {} : { order }) });
  return `?${query.toString()}`;
}

/** The shop's own server makes the order and its price; the page only gets the token. */
export async function orderCoffee(): Promise<string> {
  const response = await fetch('/api/orders', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lines: [{ product: 'cafe-origen', quantity: 1 }] }),
  });
  if (!response.ok) throw new Error('La tienda no responde. Intenta de nuevo en un momento.');
  const { token } = (await response.json()) as { token: string };
  return token;
}
