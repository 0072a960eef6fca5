/** What the shop sells. Prices live here, on the server; pages only show them. */
export interface Product {
  readonly id: string;
  readonly name: string;
  readonly note: string;
  readonly priceInCents: number;
}

export const CATALOGUE: readonly Product[] = [
  {
    id: 'cafe-origen',
    name: 'Café de origen',
    note: 'Huila, tueste medio. Bolsa de 500 g',
    priceInCents: 4_290_000,
  },
  {
    id: 'chocolate-70',
    name: 'Chocolate de mesa 70 %',
    note: 'Cacao de Tumaco. 12 pastillas',
    priceInCents: 2_450_000,
  },
  { id: 'panela', name: 'Panela en polvo', note: 'De trapiche, 1 kg', priceInCents: 1_180_000 },
  {
    id: 'mochila',
    name: 'Mochila arhuaca',
    note: 'Lana virgen, tejida a mano',
    priceInCents: 28_900_000,
  },
  { id: 'jarra', name: 'Jarra de La Chamba', note: 'Barro negro, 1,2 litros', priceInCents: 9_650_000 },
  {
    id: 'mermelada',
    name: 'Mermelada de uchuva',
    note: 'Poca azúcar. Frasco de 240 g',
    priceInCents: 1_890_050,
  },
];

export interface CartLine {
  readonly product: string;
  readonly quantity: number;
}

const MOST_PER_LINE = 20;

/** The lines that can be bought, or null when the cart is empty or holds something the shop does not sell. */
export function readCart(value: unknown): CartLine[] | null {
  if (!Array.isArray(value) || value.length === 0 || value.length > CATALOGUE.length) return null;
  const lines: CartLine[] = [];
  for (const line of value as unknown[]) {
    const { product, quantity } = Object(line) as Partial<CartLine>;
    if (!CATALOGUE.some(({ id }) => id === product) || lines.some((other) => other.product === product))
      return null;
    if (!Number.isInteger(quantity) || quantity === undefined || quantity < 1 || quantity > MOST_PER_LINE)
      return null;
    lines.push({ product: product as string, quantity });
  }
  return lines;
}

export function totalInCents(lines: readonly CartLine[]): number {
  return lines.reduce(
    (total, { product, quantity }) => total + productOf(product).priceInCents * quantity,
    0,
  );
}

/** One line of text for bank statements and receipts. */
export function describe(lines: readonly CartLine[]): string {
  const [first] = lines;
  if (!first) return '';
  const { name } = productOf(first.product);
  const others = lines.length - 1;
  const amount = first.quantity > 1 ? ` × ${first.quantity}` : '';
  return others === 0 ? `${name}${amount}` : `${name}${amount} y ${others} más`;
}

function productOf(id: string): Product {
  const product = CATALOGUE.find((candidate) => candidate.id === id);
  if (!product) throw new Error(`The shop does not sell ${id}`);
  return product;
}
