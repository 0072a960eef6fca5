import type { OrderView, ReviewPage } from '../../contract/merchant/sales.js';
import type { OrderOperations } from '../../server/operations/orders.js';
import type { Checkout } from '../../server/checkout.js';
import { type FlagsOf, readArguments } from '../arguments.js';
import { type Command, CommandError, UsageError } from '../command.js';
import { pesos } from '../pesos.js';
import { describeRefund, prepareRefund, REFUND_FLAGS } from './refund.js';
import { DEFAULT_CONFIG, openCheckout } from '../serve/checkout.js';

const FLAGS = {
  config: { type: 'string' },
  json: { type: 'boolean' },
  'even-if-open': { type: 'boolean' },
  ...REFUND_FLAGS,
} as const;

const HELP = `pay-checkout orders: what needs a person, and what to do about it

Usage
  npx pay-checkout orders review                   lists the orders that need a person
  npx pay-checkout orders show ORDER               shows one with its payments, notices and history
  npx pay-checkout orders repeat ORDER NOTICE      delivers a notice again, under the same key
  npx pay-checkout orders handled ORDER ITEM       takes an item off the review
  npx pay-checkout orders reset-attempts ORDER     lets a payer try again who has used up all attempts
  npx pay-checkout orders forget ORDER             removes an order that is at rest
  npx pay-checkout orders refund ORDER --key KEY   gives money back: shows the owner of the key, asks, sends

Flags
  --config FILE    the file that "serve" runs with (${DEFAULT_CONFIG}); it names the database
  --json           prints JSON, for programs
  --even-if-open   with forget: removes the order although a payment may still arrive

Flags of refund
  --key KEY               the payer's Bre-B key; its owner is looked up first and shown masked
  --amount-in-cents N     what to give back; all that can still be given back when absent
  --payment ID            one payment of the order, by the service's id or its reference
  --customer FILE         whom you expect, as JSON (name, idType, idNumber, phone, email); what the payment says when absent
  --yes                   sends without asking, for scripts
  --accept-other-owner    sends although the key belongs to another person than was expected

It works on the same database as a running "serve", which may go on meanwhile. docs/operations.md says what each item
means.
`;

export const ordersCommand: Command = {
  summary: 'Lists the orders that need a person, shows one, and puts them right',
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags, words } = readArguments(args, FLAGS, 3);
  const [action, order, detail] = words;
  const perform = prepare(action, order, detail, flags);
  const opened = await openCheckout(flags.config ?? DEFAULT_CONFIG);
  try {
    const result = await perform(opened.checkout);
    process.stdout.write(flags.json === true ? `${JSON.stringify(result.value)}\n` : result.text);
    return 0;
  } finally {
    await opened.close();
  }
}

interface Result {
  readonly value: unknown;
  readonly text: string;
}

/** Understands what was typed before anything is opened. */
function prepare(
  action: string | undefined,
  order: string | undefined,
  detail: string | undefined,
  flags: FlagsOf<typeof FLAGS>,
): (checkout: Checkout) => Promise<Result> {
  if (action === undefined)
    throw new UsageError('Say what to do: review, show, repeat, handled, reset-attempts, forget or refund.');
  if (action === 'review') return ({ orders }) => review(orders);
  if (order === undefined) throw new UsageError(`"orders ${action}" needs an order's id.`);
  const done = async (made: Promise<boolean>, sentence: string, otherwise: string): Promise<Result> => {
    if (!(await made)) throw new CommandError(otherwise);
    return { value: { done: true }, text: `${sentence}\n` };
  };
  switch (action) {
    case 'show':
      return async ({ orders }) => {
        const view = await orders.show(order);
        if (view === undefined) throw new CommandError(`There is no order "${order}" in this database.`);
        return { value: view, text: describe(view) };
      };
    case 'repeat':
      if (detail === undefined)
        throw new UsageError('"orders repeat" needs the key of a notice; "orders show" has it.');
      return ({ orders }) =>
        done(
          orders.repeatNotice(order, detail),
          'The notice is delivered again.',
          `The order has no notice "${detail}".`,
        );
    case 'handled':
      if (detail === undefined)
        throw new UsageError('"orders handled" needs the key of an item; "orders review" has it.');
      return ({ orders }) =>
        done(orders.markHandled(order, detail), 'Handled.', `The order has no review item "${detail}".`);
    case 'reset-attempts':
      return ({ orders }) =>
        done(
          orders.resetAttempts(order),
          'The payer can try again.',
          `There is no order "${order}" in this database.`,
        );
    case 'forget':
      return async ({ orders }) => {
        const result = await orders.forget(order, { evenIfOpen: flags['even-if-open'] === true });
        if (result === 'unknown') throw new CommandError(`There is no order "${order}" in this database.`);
        if (result === 'open') {
          throw new CommandError(
            'A payment of this order may still arrive, or a notice still waits for its hook. Nothing was removed; ' +
              'add --even-if-open to remove it all the same.',
          );
        }
        return { value: { done: true }, text: 'The order is gone.\n' };
      };
    case 'refund': {
      const refund = prepareRefund(order, flags);
      return async (checkout) => {
        const value = await refund(checkout);
        return { value, text: describeRefund(value) };
      };
    }
    default:
      throw new UsageError(`There is no "orders ${action}".`);
  }
}

export async function review(orders: Pick<OrderOperations, 'review'>): Promise<Result> {
  const all: ReviewPage['orders'][number][] = [];
  for (let after: string | undefined; ;) {
    const page = await orders.review(after === undefined ? {} : { after });
    all.push(...page.orders);
    if (page.next === null) break;
    after = page.next;
  }
  const lines = all.flatMap(({ order, items }) =>
    items.map(
      ({ kind, since, detail, key }) => `${order ?? 'payout'}  ${kind}  since ${since}  (${detail})  ${key}`,
    ),
  );
  const text = lines.length === 0 ? 'Nothing needs a person.\n' : `${lines.join('\n')}\n`;
  return { value: all, text };
}

export function describe(view: OrderView): string {
  const lines = [
    `Order ${view.order}`,
    ...view.attempts.flatMap((attempt) => [
      `  ${attempt.createdAt}  ${attempt.rail ?? attempt.kind}  ${attempt.status}  ${pesos(attempt.amountInCents)}`,
      ...attempt.payments.map(
        ({ reference, serviceId, status, readAt }) =>
          `    ${reference}  ${status}  ${serviceId ?? 'not known at the service'}  read ${readAt ?? 'never'}`,
      ),
    ]),
    ...view.payments.map(
      ({ reference, amountInCents, at }) => `  paid ${pesos(amountInCents)}  ${reference}  ${at}`,
    ),
    ...view.review.map(({ kind, key, detail }) => `  needs a person: ${kind} (${detail})  ${key}`),
    ...view.notices.map(
      ({ key, hook, tries, deliveredAt }) =>
        `  ${hook}  ${key}  ${deliveredAt === null ? `waiting, ${tries} tries` : `delivered ${deliveredAt}`}`,
    ),
    '  History',
    ...view.history.map(
      ({ at, event, reference = '', detail = '' }) => `    ${at}  ${event}  ${reference}  ${detail}`,
    ),
  ];
  return `${lines.join('\n')}\n`;
}
