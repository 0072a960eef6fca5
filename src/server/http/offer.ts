import * as v from 'valibot';
import type { Offer } from '../../contract/backend.js';
import type { Hints, Method } from '../../contract/offer.js';
import { PSE_BANKS } from '../../contract/payer/bank-list.js';
import { sortBanks } from '../../contract/payer/banks.js';
import { read } from '../../contract/schema.js';
import { cents, currency } from '../../contract/fields.js';
import { isoTime } from '../../service/clock.js';
import { type KnownCustomer, knownCustomer, maskedHints, missingFields } from './customer.js';
import { KitError } from '../kit-error.js';
import type { MerchantOrder, MethodOption } from '../options.js';
import { readMethods, type Settings } from '../settings.js';
import { digest } from '../ids.js';
import { attemptView } from '../orders/views/attempt-view.js';
import { currentAttempt, type OrderRecord } from '../orders/record.js';
import { amountDue, offerVersion, payingAttempt } from '../orders/settlement.js';

/** The merchant's order as it is offered: the price and the ways to pay it. Both come from the merchant's server alone. */
export interface PreparedOrder {
  readonly orderId: string;
  /** The order as the browser names it. */
  readonly token: string;
  readonly version: string;
  readonly amountInCents: number;
  readonly currency: 'COP';
  readonly description: string | null;
  readonly methods: readonly OfferedMethod[];
  readonly known: KnownCustomer;
  readonly hints: Hints;
}

export interface OfferedMethod {
  readonly wire: Method;
  readonly requiresCustomer: boolean;
}

/** `findOrder` returned something that cannot be offered. */
class MerchantOrderError extends KitError {
  override readonly name = 'MerchantOrderError';
}

const OrderSchema = v.object({
  amountInCents: cents,
  currency: v.optional(currency, 'COP'),
});

export async function prepareOrder(
  settings: Settings,
  orderId: string,
  token: string,
  order: MerchantOrder,
): Promise<PreparedOrder> {
  const reading = read(OrderSchema, order);
  if (!reading.ok) {
    const fields = reading.errors.map(({ field, code }) => `${field || 'order'}: ${code}`).join(', ');
    throw new MerchantOrderError(`findOrder gave an order that cannot be offered (${fields})`);
  }
  const known = knownCustomer(order.customer);
  const options = order.methods === undefined ? settings.methods : readMethods('methods', order.methods);
  const methods = options.map((option) => offered(option, known));
  const { amountInCents, currency } = reading.value;
  // What the payer must still type, or is warned of, may change while price and methods stay.
  const versioned = methods.map(({ wire }) => ({
    ...wire,
    requires: [],
    ceilingInCents: undefined,
    apps: undefined,
  }));
  return {
    orderId,
    token,
    version: await digest(JSON.stringify([amountInCents, currency, versioned])),
    amountInCents,
    currency,
    description: cleanDescription(order.description),
    methods,
    known,
    hints: maskedHints(known),
  };
}

/** An order that the merchant no longer offers: nothing can be paid, but its payer sees the outcome. */
export function closedOfferView(record: OrderRecord | undefined, now: number): Offer | undefined {
  const attempt = record && (payingAttempt(record) ?? currentAttempt(record));
  if (record === undefined || attempt === undefined) return undefined;
  return {
    version: 'closed',
    amountInCents: attempt.orderAmountInCents,
    currency: attempt.currency,
    description: attempt.description,
    merchant: attempt.merchant,
    methods: [],
    hints: {},
    now: isoTime(now),
    attempt: attemptView(record, attempt, now),
  };
}

const LONGEST_DESCRIPTION = 255;

/** Spaces, line breaks and control characters become one space; what is too long is cut; nothing is null. */
function cleanDescription(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  // Bounded first, so that hostile text costs no more than it weighs.
  const plain = text
    .slice(0, 4 * LONGEST_DESCRIPTION)
    .replace(/[\s\p{Cc}\p{Surrogate}]+/gu, ' ')
    .trim();
  if (plain.length <= LONGEST_DESCRIPTION) return plain === '' ? null : plain;
  return `${plain.slice(0, LONGEST_DESCRIPTION - 1).replace(/\p{Surrogate}$/u, '')}…`;
}

/** The offer as the browser sees it: with the attempt that paid, or else the current one. */
export function offerView(
  settings: Settings,
  order: PreparedOrder,
  record: OrderRecord | undefined,
  now: number,
): Offer {
  const attempt = record && (payingAttempt(record) ?? currentAttempt(record));
  return {
    version: offerVersion(record, order.version),
    amountInCents: record === undefined ? order.amountInCents : amountDue(record, order.amountInCents),
    currency: order.currency,
    description: order.description,
    merchant: settings.merchant,
    methods: order.methods.map(({ wire }) => wire),
    hints: order.hints,
    now: isoTime(now),
    attempt: record === undefined || attempt === undefined ? null : attemptView(record, attempt, now),
  };
}

/** 1,000 UVB of 2025, the network's ceiling for one payment. Banks may set less. */
const BREB_CEILING = 1_155_200_000;

/** The test bank takes no money; it is offered only by a merchant who lists it. */
const DEFAULT_BANKS = sortBanks(PSE_BANKS.filter((bank) => bank.testOnly !== true));

function offered(option: MethodOption, known: KnownCustomer): OfferedMethod {
  if ('kind' in option) {
    const { kind, rail = null, bank = null } = option;
    return { wire: { kind, rail, bank }, requiresCustomer: false };
  }
  if (option.rail === 'BRE_B') {
    const { rail, keyType = 'QR_CODE', requiresCustomer = false, ceilingInCents = BREB_CEILING } = option;
    const apps = option.apps && { apps: [...option.apps] };
    const requires = requiresCustomer ? missingFields(known) : [];
    const ceiling = ceilingInCents === null ? {} : { ceilingInCents };
    return { wire: { kind: 'PAYIN', rail, keyType, requires, ...ceiling, ...apps }, requiresCustomer };
  }
  const banks = (option.banks === undefined ? DEFAULT_BANKS : sortBanks(option.banks)).map(
    ({ code, name, aliases, first }) => ({
      code,
      name,
      ...(aliases === undefined ? {} : { aliases: [...aliases] }),
      ...(first === undefined ? {} : { first }),
    }),
  );
  return {
    wire: { kind: 'PAYIN', rail: 'PSE', banks, requires: missingFields(known) },
    requiresCustomer: true,
  };
}
