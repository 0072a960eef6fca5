import { RAILS } from '../../contract/kinds.js';
import { choiceFlag, type FlagsOf, readArguments, addressArgument, webAddressFlag } from '../arguments.js';
import { count, line, summary } from '../checks.js';
import { type Command, UsageError } from '../command.js';
import { ORDERS_NEEDED } from './plays.js';
import { verifyBackend } from './run.js';
import { LEVELS, type VisitOptions } from './visit.js';

const FLAGS = {
  order: { type: 'string', multiple: true },
  sandbox: { type: 'string' },
  shop: { type: 'string' },
  raise: { type: 'string' },
  level: { type: 'string' },
  rail: { type: 'string' },
  'callback-url': { type: 'string' },
  origin: { type: 'string' },
  header: { type: 'string' },
  'webhook-header': { type: 'string' },
  'webhook-secret': { type: 'string' },
  json: { type: 'boolean' },
} as const;

const DEFAULT_WEBHOOK_HEADER = 'x-webhook-secret';

const HELP = `pay-checkout verify: checks a backend against the contract, step by step

Usage
  npx pay-checkout verify <backend address> --order TOKEN [flags]

The address is what the page gives to the element as "backend", TOKEN what it gives as "order": an order that is
still to be paid. A few payins are created for it (and a payment link, where one is offered), so use staging or the
sandbox. Without --sandbox nothing is paid.

Flags
  --level full|basic       full by default: offer, waiting, one attempt at a time, settlement.
                           basic: POST /payins and GET /payins/{id} that pass the payin through
  --rail BRE_B|PSE         which method is tried first; Bre-B when it is offered
  --callback-url URL       a return address that the backend allows; by default the page's origin
  --origin ORIGIN          the page's own origin, when it is not the backend's, such as https://shop.example: what
                           browsers then ask for (CORS) is tried as well
  --header "NAME: VALUE"   sent with every request, for a backend that asks for one
  --webhook-secret VALUE   tries POST /webhooks as well, with this value of the static header. An event that claims
                           a payment that was not made is sent; the backend must not believe it
  --webhook-header NAME    the name of that header; by default ${DEFAULT_WEBHOOK_HEADER}
  --sandbox URL            the sandbox that the backend uses as its payment service: payments are then made there,
                           declined, underpaid, confirmed late, under an unknown status, with events lost and sent
                           twice. Give --order ${ORDERS_NEEDED} times, each with a fresh order
  --shop URL               with --sandbox: what the shop did about an order. {order} in it stands for the token; it
                           answers { "shipped": 1, "review": 0 }, how often goods were shipped and a person was asked
  --raise URL              raises the price of the order that {order} in it stands for when it is posted to: the
                           backend must then offer and ask for the new price although a payin is open
  --json                   the result as JSON, for programs: each check with its outcome, what was found, what to do,
                           and what was sent and received when it failed

Exit codes: 0 everything that was tried passed, 1 something failed, 2 the command was not understood.
`;

export const verifyCommand: Command = {
  summary: 'Checks any backend against the contract and says what to fix',
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags, words } = readArguments(args, FLAGS, 1);
  const backend = words[0];
  if (backend === undefined) throw new UsageError('Expected the address of the backend.');
  addressArgument('The backend', backend);
  const [order, ...spareOrders] = flags.order ?? [];
  if (order === undefined) throw new UsageError('--order is needed: what the page gives to the element.');
  const level = choiceFlag(flags, 'level', LEVELS);
  const origin = originOf(flags);
  const options: VisitOptions = {
    backend,
    order,
    spareOrders,
    sandbox: webAddressFlag(flags, 'sandbox'),
    shop: webAddressFlag(flags, 'shop'),
    raise: webAddressFlag(flags, 'raise'),
    level,
    origin,
    callbackUrl: webAddressFlag(flags, 'callback-url') ?? `${origin ?? new URL(backend).origin}/`,
    rail: flags.rail === undefined ? undefined : choiceFlag(flags, 'rail', RAILS),
    webhook: webhookOf(flags),
  };
  const headers = headerOf(flags);
  const asJson = flags.json === true;
  const say = (text: string) => (asJson ? undefined : process.stdout.write(text));

  for (const name of ['shop', 'raise'] as const) {
    if (options[name]?.includes('{order}') === false)
      throw new UsageError(`--${name} has {order} where the token belongs.`);
  }

  say(`Backend  ${backend}\nLevel    ${level}\n\n`);
  const results = await verifyBackend(
    { ...options, headers, notice: (text) => process.stderr.write(`${text}\n`) },
    (result) => say(line(result)),
  );
  say(summary(results));
  const counts = count(results);
  if (asJson)
    process.stdout.write(`${JSON.stringify({ backend, level, ...counts, checks: results }, null, 2)}\n`);
  return counts.failed === 0 ? 0 : 1;
}

function webhookOf(flags: FlagsOf<typeof FLAGS>): VisitOptions['webhook'] {
  const secret = flags['webhook-secret'];
  const header = flags['webhook-header'];
  if (header !== undefined && !/^[\w-]{1,64}$/.test(header)) {
    throw new UsageError('--webhook-header is a header name: letters, digits and hyphens.');
  }
  if (secret !== undefined) return { header: header ?? DEFAULT_WEBHOOK_HEADER, secret };
  if (header !== undefined) throw new UsageError('--webhook-header needs --webhook-secret.');
  return undefined;
}

function originOf(flags: FlagsOf<typeof FLAGS>): string | undefined {
  const value = webAddressFlag(flags, 'origin');
  if (value === undefined) return undefined;
  const { origin } = new URL(value);
  if (value !== origin && value !== `${origin}/`)
    throw new UsageError(`--origin is an origin without a path: ${origin}.`);
  return origin;
}

function headerOf(flags: FlagsOf<typeof FLAGS>): Record<string, string> {
  const header = flags.header;
  if (header === undefined) return {};
  const [, name, value] = /^([\w-]{1,64}): ?([\x20-\x7e]{1,4096})$/.exec(header) ?? [];
  if (name === undefined || value === undefined) throw new UsageError('--header is written "Name: value".');
  return { [name]: value };
}
