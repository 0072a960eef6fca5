import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import type { PayoutView } from '../../contract/merchant/payouts.js';
import { read } from '../../contract/schema.js';
import { type InlineCustomer, InlineCustomerSchema } from '../../contract/service/resources.js';
import type { Checkout } from '../../server/checkout.js';
import { PayoutError } from '../../server/operations/payout-error.js';
import type { FlagsOf } from '../arguments.js';
import { CommandError, UsageError } from '../command.js';
import { pesos } from '../pesos.js';

export const REFUND_FLAGS = {
  key: { type: 'string' },
  payment: { type: 'string' },
  'amount-in-cents': { type: 'string' },
  customer: { type: 'string' },
  yes: { type: 'boolean' },
  'accept-other-owner': { type: 'boolean' },
} as const;

/** Understands what was typed before anything is opened. */
export function prepareRefund(
  order: string,
  flags: FlagsOf<typeof REFUND_FLAGS>,
): (checkout: Checkout) => Promise<PayoutView> {
  const keyString = flags.key;
  if (keyString === undefined)
    throw new UsageError('"orders refund" needs --key, the Bre-B key of the payer.');
  const payment = flags.payment;
  const amountInCents = centsFlag(flags);
  const file = flags.customer;
  const customer = file === undefined ? undefined : readCustomer(file);
  const input = {
    order,
    keyString,
    ...(payment !== undefined && { payment }),
    ...(amountInCents !== undefined && { amountInCents }),
    ...(customer !== undefined && { customer }),
  };
  const receiverAccepted = flags['accept-other-owner'] === true;
  return async ({ refunds }) => {
    try {
      const draft = await refunds.draft(input);
      process.stderr.write(describeDraft(draft));
      if (flags.yes !== true && !(await isConfirmed())) {
        await refunds.discard(draft.id);
        throw new CommandError('Nothing was sent.');
      }
      return await refunds.send(draft.id, { version: draft.version, receiverAccepted });
    } catch (error) {
      throw error instanceof PayoutError ? new CommandError(sentenceOf(error)) : error;
    }
  };
}

function centsFlag(flags: FlagsOf<typeof REFUND_FLAGS>): number | undefined {
  const text = flags['amount-in-cents'];
  if (text === undefined) return undefined;
  if (!/^[1-9]\d{0,14}$/.test(text)) throw new UsageError('--amount-in-cents is a whole number of cents.');
  return Number(text);
}

/** In a file, because what is typed stays in the shell's history. */
function readCustomer(file: string): InlineCustomer {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    throw new CommandError(`--customer: ${file} is no JSON file.`);
  }
  const reading = read(InlineCustomerSchema, content);
  if (reading.ok) return reading.value;
  const fields = reading.errors.map(({ field, code }) => `${field} (${code})`).join(', ');
  throw new CommandError(`--customer: ${fields} in ${file}.`);
}

export function describeDraft({ amountInCents, returnableInCents, receiver }: PayoutView): string {
  const { name, document, bank, account, key, typed, differs } = receiver;
  return [
    `Refund of ${pesos(amountInCents)}, of ${pesos(returnableInCents ?? 0)} that can be given back`,
    `  key       ${key}`,
    `  owner     ${name}  ${document ?? ''}`,
    `  account   ${bank ?? ''}  ${account ?? ''}`,
    ...(typed === undefined ? [] : [`  expected  ${typed.name}  ${typed.document}`]),
    ...(differs === true ? ['  The key belongs to another person than was expected.'] : []),
    '',
  ].join('\n');
}

async function isConfirmed(): Promise<boolean> {
  if (!process.stdin.isTTY)
    throw new CommandError(
      'Nothing was sent: there is no terminal to ask in. Add --yes to send without asking.',
    );
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    return (await terminal.question('Is this the person? Type "yes" to send the money: ')).trim() === 'yes';
  } finally {
    terminal.close();
  }
}

function sentenceOf({ code, errors, returnableInCents }: PayoutError): string {
  switch (code) {
    case 'not_found':
      return 'There is no such order or payment in this database.';
    case 'too_large':
      return `Only ${pesos(returnableInCents ?? 0)} can still be given back. Nothing was sent.`;
    case 'receiver_differs':
      return 'The key belongs to another person than was expected. Nothing was sent; --accept-other-owner sends it all the same.';
    case 'stale':
      return 'Another person has sent or discarded this draft meanwhile.';
    case 'reference_taken':
      return 'The reference is taken. Nothing was sent.';
    case 'invalid_input': {
      const fields = errors.map((each) => `${each.field} (${each.code})`).join(', ');
      return `Nothing was sent: ${fields}. The payer's data can be given with --customer FILE.`;
    }
    case 'service_unavailable':
      return 'The payment could not be read at the service. Nothing was sent.';
    default:
      throw new TypeError(`Unknown refusal: ${String(code satisfies never)}`);
  }
}

export function describeRefund({ state, reference, reason }: PayoutView): string {
  switch (state) {
    case 'PROCESSING':
    case 'SENDING':
      return `The refund is on its way as ${reference}; its event tells the outcome.\n`;
    case 'UNCLEAR':
      return `Unclear whether ${reference} was sent (${reason ?? ''}). Do not send it again: ask the service about it.\n`;
    default:
      return `${reference} is ${state}${reason === null ? '' : ` (${reason})`}.\n`;
  }
}
