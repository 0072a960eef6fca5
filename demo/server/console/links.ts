import { randomUUID } from 'node:crypto';
import {
  type CreatedPaymentLink,
  type CreatePaymentLink,
  CreatePaymentLinkSchema,
  read,
  type ServiceClient,
  ServiceError,
} from '../../../src/service.js';
import { ConsoleProblemError } from '../../../src/console.js';
import type { Checkout } from '../../../src/server.js';
import { maskName } from './masks.js';
import { type OwnWords, readNote, readOwnWords, referenceTaken } from './own-words.js';
import { bankName } from './payins.js';
import type { LinkFlow, LinkState, LinkView, Listed, Rail } from '../../../src/console-page.js';
import { addColumn, type ShopDatabase } from '../database.js';
import { pageOf } from './listed.js';

/**
 * Payment links. The service has no list of them, so the console remembers those it made, without the customer. A link
 * that an order was paid by is found by its id at the service.
 */

export const LINK_TABLES = [
  `create table if not exists console_links (
     id text primary key, reference text not null, flow text not null, amount_in_cents bigint not null, rail text,
     bank text, customer text, state text not null, url text, service_id text, created_at text not null,
     expires_at text, completed_at text)`,
  'create unique index if not exists console_links_by_reference on console_links (reference)',
];
const LATER_COLUMNS = ['concept', 'note', 'callback_url'] as const;

const LINK_FLOWS: readonly LinkFlow[] = ['open', 'restricted', 'bank', 'prefilled', 'restricted-prefilled'];
/** How many open links one look asks the service about; the newest are the ones somebody waits for. */
const MOST_READ = 10;

interface LinkRow {
  readonly id: string;
  readonly reference: string;
  readonly flow: LinkFlow;
  readonly amount_in_cents: number | string;
  readonly rail: Rail | null;
  readonly bank: string | null;
  readonly customer: string | null;
  readonly state: LinkState;
  readonly url: string | null;
  readonly service_id: string | null;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly completed_at: string | null;
  readonly concept: string | null;
  readonly note: string | null;
  readonly callback_url: string | null;
}

export interface LinkParts {
  readonly service: ServiceClient;
  readonly checkout: Checkout;
  readonly database: ShopDatabase;
  readonly now: () => number;
  readonly changed: () => void;
}

export async function openLinks({ service, checkout, database, now, changed }: LinkParts) {
  for (const column of LATER_COLUMNS) await addColumn(database, 'console_links', column);
  const iso = () => new Date(now()).toISOString();
  let reading: Promise<void> | undefined;

  const find = async (id: string): Promise<LinkRow | undefined> => {
    const [row] = await database.all<LinkRow>(
      'select * from console_links where id = $1 or service_id = $1',
      id,
    );
    return row;
  };
  const made = async (id: string): Promise<LinkView> => {
    const row = await find(id);
    if (!row) throw new ConsoleProblemError('not_found');
    return view(row);
  };
  /** The checkout makes links too, for orders that are paid on the service's own page. */
  const ofOrder = async (serviceId: string): Promise<LinkView> => {
    const order = await checkout.orders.find(serviceId);
    if (order === undefined) throw new ConsoleProblemError('not_found');
    for (const attempt of (await checkout.orders.show(order))?.attempts ?? []) {
      const payment = attempt.payments.find((each) => each.serviceId === serviceId);
      if (attempt.kind !== 'PAYMENT_LINK' || payment === undefined) continue;
      const link = await service.paymentLinks.retrieve(serviceId);
      return {
        id: serviceId,
        reference: payment.reference,
        flow: attempt.rail === null ? 'open' : 'restricted',
        amountInCents: attempt.amountInCents,
        rail: link.rail,
        bank: null,
        customer: null,
        state: link.status,
        url: link.paymentLinkUrl,
        serviceId,
        order,
        concept: null,
        note: null,
        callbackUrl: null,
        createdAt: link.createdAt,
        expiresAt: link.expiresAt,
        completedAt: link.completedAt,
      };
    }
    throw new ConsoleProblemError('not_found');
  };

  await database.run(`update console_links set state = 'UNCLEAR' where state = 'CREATING'`);

  /** Asks the service about links that may have moved. One it does not answer for stays as it was. */
  const readOpen = async (rows: readonly LinkRow[]): Promise<void> => {
    const open = rows.filter(({ state, service_id }) => state === 'PENDING' && service_id !== null);
    await Promise.all(
      open.slice(0, MOST_READ).map(async ({ id, service_id }) => {
        const link = await service.paymentLinks.retrieve(service_id ?? '').catch(() => null);
        if (link === null || link.status === 'PENDING') return;
        await database.run(
          `update console_links set state = $2, completed_at = $3 where id = $1 and state = 'PENDING'`,
          id,
          link.status,
          link.completedAt,
        );
      }),
    );
  };
  /** Several pages that look at once share one round of reads. */
  const readOnce = async (rows: readonly LinkRow[]): Promise<void> => {
    reading ??= readOpen(rows).finally(() => (reading = undefined));
    await reading;
  };

  return {
    async list(from: string | undefined): Promise<Listed<LinkView>> {
      await readOnce((await pageOf<LinkRow>(database, 'console_links', from)).rows);
      const { rows, ...page } = await pageOf<LinkRow>(database, 'console_links', from);
      return { rows: rows.map(view), ...page };
    },

    /** By our id or the service's. */
    async one(id: string): Promise<LinkView> {
      const row = await find(id);
      if (!row) return ofOrder(id);
      await readOpen([row]);
      return made(row.id);
    },

    async setNote(id: string, body: unknown): Promise<void> {
      const kept = await database.all(
        'update console_links set note = $2 where id = $1 returning id',
        id,
        readNote(body),
      );
      if (kept.length === 0) throw new ConsoleProblemError('not_found');
      changed();
    },

    /** Whether an event is about a link of the console. It is a hint: what became of the link is read. */
    async heard({
      paymentLinkId,
      reference,
    }: {
      readonly paymentLinkId: string;
      readonly reference: string | null;
    }): Promise<boolean> {
      const found = await database.all(
        'select id from console_links where service_id = $1 or (service_id is null and reference = $2)',
        paymentLinkId,
        reference ?? '',
      );
      if (found.length > 0) changed();
      return found.length > 0;
    },

    async create(body: unknown): Promise<LinkView> {
      const { flow, request, words } = readLink(body);
      const id = randomUUID();
      if ((await checkout.orders.find(request.reference)) !== undefined) throw referenceTaken();
      const stored = await database.all(
        `insert into console_links (id, reference, flow, amount_in_cents, rail, bank, customer, state, created_at,
             concept, note, callback_url)
           values ($1, $2, $3, $4, $5, $6, $7, 'CREATING', $8, $9, $10, $11)
           on conflict (reference) do nothing returning id`,
        id,
        request.reference,
        flow,
        request.amountInCents,
        request.rail ?? null,
        request.pse?.bank ?? null,
        request.inlineCustomer === undefined ? null : maskName(request.inlineCustomer.name),
        iso(),
        words.concept,
        words.note,
        request.callbackUrl,
      );
      if (stored.length === 0) throw referenceTaken();
      let link: CreatedPaymentLink;
      try {
        link = await service.paymentLinks.create(request);
      } catch (error) {
        if (!(error instanceof ServiceError)) throw error;
        if (!error.mayHaveHappened) {
          await database.run('delete from console_links where id = $1', id);
          throw error;
        }
        // Its address was never shown, so creating another link is safe.
        await database.run(`update console_links set state = 'UNCLEAR' where id = $1`, id);
        changed();
        return made(id);
      }
      await database.run(
        'update console_links set state = $2, url = $3, service_id = $4, expires_at = $5 where id = $1',
        id,
        link.status,
        link.paymentLinkUrl,
        link.paymentLinkId,
        link.expiresAt,
      );
      changed();
      return made(id);
    },
  };
}

/** Which optional fields each flow sends; one that it needs and did not get is named. */
function readLink(body: unknown): { flow: LinkFlow; request: CreatePaymentLink; words: OwnWords } {
  const given = Object(body) as Record<string, unknown>;
  const flow = LINK_FLOWS.find((candidate) => candidate === given['flow']);
  if (flow === undefined)
    throw new ConsoleProblemError('invalid_input', [{ field: 'flow', code: 'not_allowed' }]);
  const { rail, inlineCustomer } = given;
  const { words, faults } = readOwnWords(given, 'EN');
  const request = read(CreatePaymentLinkSchema, {
    amountType: 'FIXED',
    amountInCents: given['amountInCents'],
    reference: words.reference,
    callbackUrl: given['callbackUrl'],
    // Null where the flow needs a value, so that the schema says that it is missing.
    ...(flow === 'restricted' || flow === 'restricted-prefilled' ? { rail: rail ?? null } : {}),
    ...(flow === 'bank' ? { rail: 'PSE', pse: { bank: given['bank'] } } : {}),
    ...(flow === 'prefilled' || flow === 'restricted-prefilled'
      ? { inlineCustomer: inlineCustomer ?? null }
      : {}),
  });
  if (!request.ok || faults.length > 0)
    throw new ConsoleProblemError('invalid_input', [...faults, ...(request.ok ? [] : request.errors)]);
  return { flow, request: request.value, words };
}

function view(row: LinkRow): LinkView {
  return {
    id: row.id,
    reference: row.reference,
    flow: row.flow,
    amountInCents: Number(row.amount_in_cents),
    rail: row.rail,
    bank: bankName(row.bank),
    customer: row.customer,
    state: row.state,
    url: row.url,
    serviceId: row.service_id,
    order: null,
    concept: row.concept,
    note: row.note,
    callbackUrl: row.callback_url,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
  };
}
