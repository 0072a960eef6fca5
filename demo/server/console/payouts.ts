import { createHmac, randomUUID } from 'node:crypto';
import type { PayoutNotice } from '../../../src/server.js';
import {
  type CreatePayout,
  CreatePayoutSchema,
  PayoutUnclearError,
  read,
  type Receiver,
  type ServiceClient,
  ServiceError,
} from '../../../src/service.js';
import { ConsoleProblemError } from '../../../src/server.js';
import { pageOf } from './listed.js';
import { readNote, readOwnWords, referenceTaken } from './own-words.js';
import { maskReceiver } from './receiver.js';
import { FITS_ITS_PAYIN, type openReturns } from './returns.js';
import type { Listed, MaskedReceiver, PayoutState, PayoutView } from '../../../src/console-page.js';
import { addColumn, type ShopDatabase } from '../database.js';

/**
 * Payouts in the recommended sequence: look the key up, show the receiver, let the merchant confirm, send, wait for the
 * event. The intent is in the database before the service is called, and only the request that moves it from DRAFT to
 * SENDING may send: two clicks, two tabs or a restart never send it twice.
 */

export const PAYOUT_TABLES = [
  `create table if not exists console_payouts (
     id text primary key, reference text not null unique, amount_in_cents bigint not null, state text not null,
     receiver text not null, receiver_mark text not null, request text, service_id text, reason text,
     error_code text, created_at text not null)`,
  `create table if not exists console_payout_steps (
     payout_id text not null, step text not null, at text not null, primary key (payout_id, step))`,
];

/** A receiver is confirmed by somebody who looks at them now. */
const DRAFT_LIFE_MS = 15 * 60_000;

interface PayoutRow {
  readonly id: string;
  readonly reference: string;
  readonly amount_in_cents: number | string;
  readonly state: PayoutState;
  readonly receiver: string;
  readonly receiver_mark: string;
  /** The whole request, with the customer's data; gone once it was sent. */
  readonly request: string | null;
  readonly service_id: string | null;
  readonly reason: string | null;
  readonly error_code: string | null;
  readonly created_at: string;
  readonly note: string | null;
}

export interface PayoutParts {
  readonly service: ServiceClient;
  readonly database: ShopDatabase;
  readonly returns: ReturnType<typeof openReturns>;
  readonly secret: string;
  readonly now: () => number;
  readonly changed: () => void;
}

export async function openPayouts({ service, database, returns, secret, now, changed }: PayoutParts) {
  await addColumn(database, 'console_payouts', 'note');
  const iso = () => new Date(now()).toISOString();
  const sending = new Set<Promise<void>>();
  const markOf = (receiver: Receiver) =>
    createHmac('sha256', secret).update(JSON.stringify(receiver)).digest('hex');

  const step = (id: string, name: string) =>
    database.run(
      'insert into console_payout_steps (payout_id, step, at) values ($1, $2, $3) on conflict do nothing',
      id,
      name,
      iso(),
    );
  const find = async (id: string): Promise<PayoutRow> => {
    const [row] = await database.all<PayoutRow>(
      'select * from console_payouts where id = $1 or service_id = $1',
      id,
    );
    if (!row) throw new ConsoleProblemError('not_found');
    return row;
  };
  const view = async (row: PayoutRow): Promise<PayoutView> => ({
    id: row.id,
    reference: row.reference,
    amountInCents: Number(row.amount_in_cents),
    state: row.state,
    receiver: JSON.parse(row.receiver) as MaskedReceiver,
    note: row.note,
    returns: await returns.ofPayout(row.id),
    serviceId: row.service_id,
    reason: row.reason,
    errorCode: row.error_code,
    createdAt: row.created_at,
    steps: await database.all<{ step: string; at: string }>(
      'select step, at from console_payout_steps where payout_id = $1 order by at, step',
      row.id,
    ),
  });

  // A payout that was being sent when the process ended has an unknown result.
  const abandoned = await database.all<{ id: string }>(
    `update console_payouts set state = 'UNCLEAR', reason = 'aborted' where state = 'SENDING' returning id`,
  );
  for (const { id } of abandoned) await step(id, 'UNCLEAR');

  let lastClaim: Promise<unknown> = Promise.resolve();
  /** Moves a draft to SENDING. One at a time, so that two returns of one payin see each other. */
  const claim = (id: string): Promise<unknown[]> => {
    const claimed = lastClaim.then(() =>
      database.all(
        `update console_payouts set state = 'SENDING', request = null
           where id = $1 and state = 'DRAFT' and created_at > $2 and ${FITS_ITS_PAYIN} returning id`,
        id,
        new Date(now() - DRAFT_LIFE_MS).toISOString(),
      ),
    );
    lastClaim = claimed.catch(() => undefined);
    return claimed;
  };

  /** Sends a claimed payout. An event that arrived meanwhile is newer and stays. */
  const send = async (id: string, request: CreatePayout, mark: string): Promise<void> => {
    const settle = async (state: PayoutState, reason: string | null) => {
      const moved = await database.all(
        `update console_payouts set state = $2, reason = $3 where id = $1 and state = 'SENDING' returning id`,
        id,
        state,
        reason,
      );
      if (moved.length > 0) await step(id, state);
    };
    try {
      const payout = await service.payouts.send(request, {
        // The key may belong to somebody else since it was shown.
        confirmReceiver: (receiver) => markOf(receiver) === mark,
      });
      await database.run(
        'update console_payouts set service_id = coalesce(service_id, $2) where id = $1',
        id,
        payout.id,
      );
      await settle('PROCESSING', null);
    } catch (error) {
      if (error instanceof PayoutUnclearError) await settle('UNCLEAR', error.origin);
      else if (error instanceof ServiceError) await settle('REFUSED', error.kind);
      // An unexpected failure may have come after the request was sent.
      else await settle('UNCLEAR', 'unexpected');
    }
    changed();
  };

  return {
    async list(from: string | undefined): Promise<Listed<PayoutView>> {
      const { rows, ...page } = await pageOf<PayoutRow>(database, 'console_payouts', from);
      return { rows: await Promise.all(rows.map(view)), ...page };
    },

    /** By our id or the service's. */
    one: async (id: string): Promise<PayoutView> => view(await find(id)),

    /** Whose key it is. */
    async lookUp(body: unknown): Promise<MaskedReceiver> {
      const { keyString } = Object(body) as { keyString?: unknown };
      if (typeof keyString !== 'string' || keyString === '')
        throw new ConsoleProblemError('invalid_input', [{ field: 'breb.keyString', code: 'required' }]);
      return maskReceiver(await lookUp(service, keyString));
    },

    /** Looks the key up and writes the intent down. Nothing is sent. */
    async draft(body: unknown): Promise<PayoutView> {
      const { amountInCents, keyString, inlineCustomer, returnOf } = Object(body) as Record<string, unknown>;
      const plan = returnOf === undefined ? undefined : await returns.plan(returnOf);
      const { words, faults } = readOwnWords(body, plan ? 'DV' : 'PG');
      const request = read(CreatePayoutSchema, {
        amountInCents,
        currency: 'COP',
        rail: 'BRE_B',
        reference: words.reference,
        // The page knows the payer only masked; the payment has the rest.
        inlineCustomer: inlineCustomer ?? plan?.customer,
        breb: { keyString },
      });
      if (!request.ok || faults.length > 0)
        throw new ConsoleProblemError('invalid_input', [...faults, ...(request.ok ? [] : request.errors)]);
      if (plan && request.value.amountInCents > plan.returnableInCents)
        throw new ConsoleProblemError('invalid_input', [{ field: 'amountInCents', code: 'too_large' }]);
      const receiver = await lookUp(service, request.value.breb.keyString);
      const id = randomUUID();
      const stored = await database.all(
        `insert into console_payouts
             (id, reference, amount_in_cents, state, receiver, receiver_mark, request, created_at, note)
           values ($1, $2, $3, 'DRAFT', $4, $5, $6, $7, $8) on conflict (reference) do nothing returning id`,
        id,
        request.value.reference,
        request.value.amountInCents,
        JSON.stringify(maskReceiver(receiver, request.value.inlineCustomer)),
        markOf(receiver),
        JSON.stringify(request.value),
        iso(),
        words.note,
      );
      if (stored.length === 0) throw referenceTaken();
      if (plan) await returns.add(id, request.value.amountInCents, plan);
      await step(id, 'DRAFT');
      changed();
      return view(await find(id));
    },

    /** Sends a draft once. A repeated call only returns the payout. */
    async confirm(id: string, body: unknown): Promise<PayoutView> {
      const row = await find(id);
      const { differs = false } = JSON.parse(row.receiver) as MaskedReceiver;
      const isAccepted = (Object(body) as { accepted?: unknown }).accepted === true;
      if (row.state === 'DRAFT' && differs && !isAccepted)
        throw new ConsoleProblemError('invalid_input', [{ field: 'accepted', code: 'required' }]);
      const claimed = await claim(id);
      if (claimed.length > 0 && row.request !== null) {
        await step(id, 'SENDING');
        changed();
        const running = send(id, JSON.parse(row.request) as CreatePayout, row.receiver_mark).finally(() =>
          sending.delete(running),
        );
        sending.add(running);
      }
      const after = await find(id);
      if (after.state === 'DRAFT') throw new ConsoleProblemError('not_sendable');
      return view(after);
    },

    async setNote(id: string, body: unknown): Promise<void> {
      const kept = await database.all(
        'update console_payouts set note = $2 where id = $1 returning id',
        id,
        readNote(body),
      );
      if (kept.length === 0) throw new ConsoleProblemError('not_found');
      changed();
    },

    /** Forgets a draft, and the customer's data with it. */
    async discard(id: string): Promise<void> {
      const gone = await database.all(
        `delete from console_payouts where id = $1 and state = 'DRAFT' returning id`,
        id,
      );
      if (gone.length === 0) {
        await find(id);
        throw new ConsoleProblemError('not_sendable');
      }
      await database.run('delete from console_payout_steps where payout_id = $1', id);
      await returns.forget(id);
      changed();
    },

    /** Records a payout's event, delivered at least once. Events of payouts created elsewhere are ignored. */
    async heard(notice: PayoutNotice): Promise<void> {
      const [row] = await database.all<PayoutRow>(
        `select * from console_payouts
           where state <> 'DRAFT' and (service_id = $1 or (service_id is null and reference = $2))`,
        notice.payout,
        notice.reference ?? '',
      );
      if (!row) return;
      const open = notice.status === 'PENDING' || notice.status === 'PROCESSING';
      await database.run(
        `update console_payouts set service_id = $2, state = $3, reason = null, error_code = $4
           where id = $1 and state <> 'CONFIRMED'${open ? ` and state in ('SENDING', 'UNCLEAR', 'PROCESSING')` : ''}`,
        row.id,
        notice.payout,
        open ? 'PROCESSING' : notice.status,
        notice.errorCode,
      );
      await step(row.id, `payout.${notice.status.toLowerCase()}`);
      changed();
    },

    /** Resolves when nothing is being sent. */
    async idle(): Promise<void> {
      await Promise.all(sending);
    },
  };
}

/** What the service says about a key is about its field here. */
async function lookUp(service: ServiceClient, keyString: string): Promise<Receiver> {
  try {
    return await service.keys.lookup(keyString);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.kind === 'not_found')
      throw new ConsoleProblemError('invalid_input', [{ field: 'breb.keyString', code: 'not_allowed' }]);
    if (error.kind === 'invalid_input')
      throw new ConsoleProblemError('invalid_input', [{ field: 'breb.keyString', code: 'format' }]);
    throw error;
  }
}
