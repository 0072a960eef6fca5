import { RAILS } from '../../contract/service-resources.js';
import { choiceFlag, type Flags, readArguments, textFlag, webAddress, webAddressFlag } from '../arguments.js';
import { type Command, UsageError } from '../command.js';
import { paint } from '../paint.js';
import { type CheckResult, verifyBackend } from './run.js';
import { LEVELS, type VisitOptions } from './visit.js';

const FLAGS = {
  order: { type: 'string' },
  level: { type: 'string' },
  rail: { type: 'string' },
  'callback-url': { type: 'string' },
  origin: { type: 'string' },
  header: { type: 'string' },
  'webhook-header': { type: 'string' },
  'webhook-secret': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

const DEFAULT_WEBHOOK_HEADER = 'x-webhook-secret';

const HELP = `pay-checkout verify: checks a backend against the contract, step by step

Usage
  npx pay-checkout verify <backend address> --order TOKEN [flags]

The address is what the page gives to the element as "backend", TOKEN what it gives as "order": an order that is
still to be paid. Two payins are created for it (and a payment link, where one is offered), so use staging or the
sandbox. Nothing is paid.

Flags
  --level full|basic       full unless told: offer, waiting, one attempt at a time, settlement.
                           basic: POST /payins and GET /payins/{id} that pass the payin through
  --rail BRE_B|PSE         which method is tried; Bre-B when it is offered
  --callback-url URL       a return address that the backend allows; the page's origin unless told
  --origin ORIGIN          the page's own origin, when it is not the backend's, such as https://shop.example: what
                           browsers then ask for (CORS) is tried as well
  --header "NAME: VALUE"   sent with every request, for a backend that asks for one
  --webhook-secret VALUE   tries POST /webhooks as well, with this value of the static header. An event that claims
                           a payment nobody made is sent; the backend must not believe it
  --webhook-header NAME    the name of that header; ${DEFAULT_WEBHOOK_HEADER} unless told
  --json                   the result as JSON, for programs

Exit codes: 0 everything passed, 1 something failed, 2 the command was not understood.
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
  webAddress('The backend', backend);
  const order = textFlag(flags, 'order');
  if (order === undefined) throw new UsageError('--order is needed: what the page gives to the element.');
  const level = choiceFlag(flags, 'level', LEVELS);
  const origin = originOf(flags);
  const options: VisitOptions = {
    backend,
    order,
    level,
    origin,
    callbackUrl: webAddressFlag(flags, 'callback-url') ?? `${origin ?? new URL(backend).origin}/`,
    rail: textFlag(flags, 'rail') === undefined ? undefined : choiceFlag(flags, 'rail', RAILS),
    webhook: webhookOf(flags),
  };
  const headers = headerOf(flags);
  const asJson = flags['json'] === true;
  const say = (text: string) => (asJson ? undefined : process.stdout.write(text));

  say(`Backend  ${backend}\nLevel    ${level}\n\n`);
  const results = await verifyBackend(
    { ...options, headers, notice: (text) => process.stderr.write(`${text}\n`) },
    (result) => say(line(result)),
  );
  const count = (outcome: CheckResult['outcome']) =>
    results.filter((each) => each.outcome === outcome).length;
  const [passed, failed, skipped] = [count('pass'), count('fail'), count('skip')];
  say(`\n${passed} passed, ${failed} failed, ${skipped} not tried\n`);
  if (asJson) {
    process.stdout.write(
      `${JSON.stringify({ backend, level, passed, failed, skipped, checks: results }, null, 2)}\n`,
    );
  }
  return failed === 0 ? 0 : 1;
}

function webhookOf(flags: Flags): VisitOptions['webhook'] {
  const secret = textFlag(flags, 'webhook-secret');
  const header = textFlag(flags, 'webhook-header');
  if (header !== undefined && !/^[\w-]{1,64}$/.test(header)) {
    throw new UsageError('--webhook-header is a header name: letters, digits and hyphens.');
  }
  if (secret !== undefined) return { header: header ?? DEFAULT_WEBHOOK_HEADER, secret };
  if (header !== undefined) throw new UsageError('--webhook-header needs --webhook-secret.');
  return undefined;
}

function originOf(flags: Flags): string | undefined {
  const value = webAddressFlag(flags, 'origin');
  if (value === undefined) return undefined;
  const { origin } = new URL(value);
  if (value !== origin && value !== `${origin}/`)
    throw new UsageError(`--origin is an origin without a path: ${origin}.`);
  return origin;
}

function headerOf(flags: Flags): Record<string, string> {
  const header = textFlag(flags, 'header');
  if (header === undefined) return {};
  const [, name, value] = /^([\w-]{1,64}): ?([\x20-\x7e]{1,4096})$/.exec(header) ?? [];
  if (name === undefined || value === undefined) throw new UsageError('--header is written "Name: value".');
  return { [name]: value };
}

const ID_WIDTH = 20;
const TITLE_WIDTH = 66;

/** One check as a line of the table, with what to fix below a failed one. */
function line({ id, title, outcome, found, fix }: CheckResult): string {
  const mark = { pass: paint('green', 'ok  '), fail: paint('red', 'FAIL'), skip: paint('dim', '-   ') }[
    outcome
  ];
  const row = `${mark}  ${id.padEnd(ID_WIDTH)}  ${title.padEnd(TITLE_WIDTH)}  ${paint('dim', found)}\n`;
  return fix === null ? row : `${row}      ${' '.repeat(ID_WIDTH)}→ ${fix}\n`;
}
