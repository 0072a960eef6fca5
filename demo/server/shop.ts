import { randomInt } from 'node:crypto';
import type { MerchantOrder, MethodOption, PaymentNotice } from '../../src/server.js';
import { type CartLine, describe, readCart, totalInCents } from './catalogue.js';
import type { ShopDatabase } from './database.js';

export type OrderState = 'ABIERTO' | 'PAGADO' | 'OTRO_VALOR' | 'CONTRACARGO';

/** An order as its own page shows it, always from the server. */
export interface OrderLook {
  readonly id: string;
  readonly lines: readonly CartLine[];
  readonly amountInCents: number;
  readonly description: string;
  readonly createdAt: string;
  readonly state: OrderState;
  /** Paid more than once: the shop owes the payer. */
  readonly duplicates: number;
  readonly notices: readonly {
    readonly hook: string;
    readonly at: string;
    readonly reference: string;
    readonly serviceId: string | null;
  }[];
}

interface OrderRow {
  readonly id: string;
  readonly lines: string;
  readonly amount_in_cents: number | string;
  readonly description: string;
  readonly methods: string;
  readonly created_at: string;
}

interface NoticeRow {
  readonly hook: string;
  readonly notice: string;
  readonly at: string;
}

interface Notice {
  readonly key: string;
  readonly order: string;
}

/** Letters and digits that do not look like others. */
const ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ';

export function openShop(database: ShopDatabase) {
  return {
    /** Puts an order in the books. The price comes from the catalogue, never from the page. */
    async place(body: unknown): Promise<{ id: string } | null> {
      const { lines: cart, hosted } = Object(body) as { lines?: unknown; hosted?: unknown };
      const lines = readCart(cart);
      if (!lines) return null;
      const id = `A-${Array.from({ length: 6 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')}`;
      const methods: MethodOption[] = hosted === true ? [{ kind: 'PAYMENT_LINK' }] : [];
      await database.run(
        'insert into shop_orders (id, lines, amount_in_cents, description, methods, created_at) values ($1, $2, $3, $4, $5, $6)',
        id,
        JSON.stringify(lines),
        totalInCents(lines),
        describe(lines),
        JSON.stringify(methods),
        new Date().toISOString(),
      );
      return { id };
    },

    /** What the kit asks: how much, and for what. */
    async payable(id: string): Promise<MerchantOrder | null> {
      const [row] = await database.all<OrderRow>('select * from shop_orders where id = $1', id);
      if (!row) return null;
      const methods = JSON.parse(row.methods) as MethodOption[];
      return {
        amountInCents: Number(row.amount_in_cents),
        description: `Pedido ${row.id} · ${row.description}`,
        ...(methods.length > 0 ? { methods } : {}),
      };
    },

    /** Records a hook's notice. The key makes a repeated delivery harmless. */
    async record(hook: string, notice: Notice): Promise<void> {
      await database.run(
        'insert into shop_notices (key, order_id, hook, notice, at) values ($1, $2, $3, $4, $5) on conflict (key) do nothing',
        notice.key,
        notice.order,
        hook,
        JSON.stringify(notice),
        new Date().toISOString(),
      );
    },

    async look(id: string): Promise<OrderLook | null> {
      const [row] = await database.all<OrderRow>('select * from shop_orders where id = $1', id);
      if (!row) return null;
      const notices = await database.all<NoticeRow>(
        'select hook, notice, at from shop_notices where order_id = $1 order by at, key',
        id,
      );
      const hooks = notices.map(({ hook }) => hook);
      return {
        id: row.id,
        lines: JSON.parse(row.lines) as CartLine[],
        amountInCents: Number(row.amount_in_cents),
        description: row.description,
        createdAt: row.created_at,
        state: stateOf(hooks),
        duplicates: hooks.filter((hook) => hook === 'onDuplicatePayment').length,
        notices: notices.map(({ hook, at, notice }) => {
          const { reference = '', serviceId = null } = JSON.parse(notice) as Partial<PaymentNotice>;
          return { hook, at, reference, serviceId };
        }),
      };
    },
  };
}

function stateOf(hooks: readonly string[]): OrderState {
  if (hooks.includes('onChargeback')) return 'CONTRACARGO';
  if (hooks.includes('onConfirmed')) return 'PAGADO';
  return hooks.includes('onAmountMismatch') ? 'OTRO_VALOR' : 'ABIERTO';
}
