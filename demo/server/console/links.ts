import { randomUUID } from 'node:crypto';
import {
  type CreatedPaymentLink,
  type CreatePaymentLink,
  CreatePaymentLinkSchema,
  read,
  type ServiceClient,
  ServiceError,
} from '../../../src/service.js';
import { ConsoleProblemError } from '../../../src/server.js';
import { maskName } from './masks.js';
import { bankName } from './payins.js';
import { newReference } from './reference.js';
import type { LinkFlow, LinkState, LinkView, Rail } from '../../../src/console.js';
import type { ShopDatabase } from '../database.js';

/** Payment links. The service has no list of them, so the console remembers those it made, without the customer. */

export const LINK_TABLES = [
  `create table if not exists console_links (
     id text primary key, reference text not null, flow text not null, amount_in_cents bigint not null, rail text,
     bank text, customer text, state text not null, url text, service_id text, created_at text not null,
     expires_at text, completed_at text)`,
];

const LINK_FLOWS: readonly LinkFlow[] = ['open', 'restricted', 'bank', 'prefilled', 'restricted-prefilled'];
const MOST_LISTED = 100;
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
}

export interface LinkParts {
  readonly service: ServiceClient;
  readonly database: ShopDatabase;
  readonly now: () => number;
  readonly changed: () => void;
}

export async function openLinks({ service, database, now, changed }: LinkParts) {
  const iso = () => new Date(now()).toISOString();
  let reading: Promise<void> | undefined;

  const all = () =>
    database.all<LinkRow>(`select * from console_links order by created_at desc, id limit ${MOST_LISTED}`);
  const find = async (id: string): Promise<LinkRow> => {
    const [row] = await database.all<LinkRow>('select * from console_links where id = $1', id);
    if (!row) throw new ConsoleProblemError('not_found');
    return row;
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
    async list(): Promise<LinkView[]> {
      await readOnce(await all());
      return (await all()).map(view);
    },

    async one(id: string): Promise<LinkView> {
      await readOpen([await find(id)]);
      return view(await find(id));
    },

    async create(body: unknown): Promise<LinkView> {
      const { flow, request } = readLink(body);
      const id = randomUUID();
      await database.run(
        `insert into console_links (id, reference, flow, amount_in_cents, rail, bank, customer, state, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, 'CREATING', $8)`,
        id,
        request.reference,
        flow,
        request.amountInCents,
        request.rail ?? null,
        request.pse?.bank ?? null,
        request.inlineCustomer === undefined ? null : maskName(request.inlineCustomer.name),
        iso(),
      );
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
        return view(await find(id));
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
      return view(await find(id));
    },
  };
}

/** Which optional fields each flow sends; one that it needs and did not get is named. */
function readLink(body: unknown): { flow: LinkFlow; request: CreatePaymentLink } {
  const given = Object(body) as Record<string, unknown>;
  const flow = LINK_FLOWS.find((candidate) => candidate === given['flow']);
  if (flow === undefined)
    throw new ConsoleProblemError('invalid_input', [{ field: 'flow', code: 'not_allowed' }]);
  const { rail, inlineCustomer } = given;
  const request = read(CreatePaymentLinkSchema, {
    amountType: 'FIXED',
    amountInCents: given['amountInCents'],
    reference: newReference('EN'),
    callbackUrl: given['callbackUrl'],
    // Null where the flow needs a value, so that the schema says that it is missing.
    ...(flow === 'restricted' || flow === 'restricted-prefilled' ? { rail: rail ?? null } : {}),
    ...(flow === 'bank' ? { rail: 'PSE', pse: { bank: given['bank'] } } : {}),
    ...(flow === 'prefilled' || flow === 'restricted-prefilled'
      ? { inlineCustomer: inlineCustomer ?? null }
      : {}),
  });
  if (!request.ok) throw new ConsoleProblemError('invalid_input', request.errors);
  return { flow, request: request.value };
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
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    completedAt: row.completed_at,
  };
}
