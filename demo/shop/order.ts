import { ask, askUntilAnswered, find, money, sayTrouble } from '../page-kit.js';
import type { OrderLook, OrderState } from '../server/shop.js';
import { orderQuery, type Product, showLines } from './shop-kit.js';

const WORDS: Readonly<Record<OrderState, { seal: string; title: string; lead: string }>> = {
  ABIERTO: {
    seal: 'Por pagar',
    title: 'Aún no nos llega tu pago',
    lead: 'Apenas llegue, esta página cambia sola. Si ya pagaste, no pagues otra vez.',
  },
  PAGADO: {
    seal: 'Pagado',
    title: '¡Gracias! Tu pedido está pago',
    lead: 'Lo empacamos hoy y te avisamos cuando salga.',
  },
  OTRO_VALOR: {
    seal: 'Por revisar',
    title: 'Recibimos otro valor',
    lead: 'Llegó un valor distinto al del pedido. Escríbenos a pagos@cafeandino.example y lo resolvemos.',
  },
  CONTRACARGO: {
    seal: 'Por revisar',
    title: 'Tu banco devolvió el pago',
    lead: 'Escríbenos a pagos@cafeandino.example y lo resolvemos.',
  },
};

const EVERY_MS = 2_000;

const address = new URL(location.href);
const id = address.searchParams.get('pedido') ?? '';
const token = address.searchParams.get('token') ?? '';
if (id) document.title = `${(find('#name').textContent = `Pedido ${id}`)} · Café Andino`;
find<HTMLAnchorElement>('#pay').href = `./checkout.html${orderQuery(id, token)}`;

const products = await askUntilAnswered<Product[]>('/api/products');
void look();

async function look(): Promise<void> {
  try {
    show(await ask<OrderLook>(`/api/orders/${encodeURIComponent(id)}${orderQuery(id, token)}`));
    find('#trouble').hidden = true;
  } catch (error) {
    sayTrouble(error);
  }
  setTimeout(() => void look(), document.visibilityState === 'hidden' ? 10 * EVERY_MS : EVERY_MS);
}

function show(order: OrderLook): void {
  const { seal, title, lead } = WORDS[order.state];
  find('#seal').textContent = seal;
  find('#seal').hidden = false;
  find('#seal').classList.toggle('paid', order.state === 'PAGADO');
  if (find('#title').textContent !== title) {
    find('#title').textContent = title;
    find('#news').textContent = title;
  }
  find('#lead').textContent =
    order.duplicates > 0 ? `${lead} Además recibimos un pago repetido: te lo devolvemos.` : lead;
  find('#total').textContent = money(order.amountInCents);
  if (!find('#lines').hasChildNodes()) showLines(order.lines, products);
  find('#pay').hidden = order.state !== 'ABIERTO';
  find('#no-notices').hidden = order.notices.length > 0;
  find('#notices').replaceChildren(
    ...order.notices.map(({ hook, at, reference }) => {
      const item = document.createElement('li');
      item.textContent = `${hook} · ${reference} · ${new Date(at).toLocaleTimeString('es-CO')}`;
      return item;
    }),
  );
  find('#order').hidden = false;
}
