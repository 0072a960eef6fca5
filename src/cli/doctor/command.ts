import { readArguments, textFlag, webAddressFlag } from '../arguments.js';
import { type Command, CommandError, UsageError } from '../command.js';
import type { Fact, FoundOptions } from './exam.js';
import { examine } from './run.js';
import { paint } from '../paint.js';

const FLAGS = {
  'base-url': { type: 'string' },
  create: { type: 'boolean' },
  bank: { type: 'string' },
  'callback-url': { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

/** PSE's own test bank. */
const DEFAULT_BANK = 'CO_BANKA';
const DEFAULT_CALLBACK_URL = 'https://example.com/';

const PLAN = `It creates at the service, each for the smallest amount it takes (one peso, if it may):
  5 Bre-B payins (one repeats a reference, three carry the service's test documents)
  1 PSE payin with the test bank, and 1 payment link when there is an access token
Nobody pays them.`;

const HELP = `pay-checkout doctor: finds out what a payment service does where its interface is silent

Usage
  SERVICE_API_KEY=… [SERVICE_ACCESS_TOKEN=…] npx pay-checkout doctor --base-url URL [flags]

Asks a staging service for the names of the list's parameters, the read of one payin, the names of the statuses, the
unit of "amount", what a repeated reference does and when "pseUrl" appears, and prints the options to give to
createServiceClient. The credentials come from the environment and are never printed.

Flags
  --base-url URL       the service's staging address
  --create             also tries what only a creation shows; without it, it only reads
  --bank CODE          bank of the PSE payin; ${DEFAULT_BANK}, the test bank, unless told
  --callback-url URL   return address of the PSE payin and the link; ${DEFAULT_CALLBACK_URL} unless told
  --json               the result as JSON, for programs

${PLAN.replace('It creates', 'With --create it creates')}

Exit codes: 0 the service can be used, 1 something stands in the way, 2 the command was not understood.
`;

export const doctorCommand: Command = {
  summary: 'Finds out what a payment service does where its interface is silent, and the options to set',
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const { flags } = readArguments(args, FLAGS, 0);
  const baseUrl = webAddressFlag(flags, 'base-url');
  if (baseUrl === undefined)
    throw new UsageError('--base-url is needed: the staging address of the service.');
  const apiKey = credential('SERVICE_API_KEY');
  if (apiKey === undefined) {
    throw new CommandError('Set SERVICE_API_KEY in the environment to the API key of the staging account.');
  }
  const mayCreate = flags['create'] === true;
  const asJson = flags['json'] === true;
  const say = (text: string) => (asJson ? undefined : process.stdout.write(text));

  say(`Service  ${baseUrl}\n\n`);
  say(
    mayCreate ? `${PLAN}\n\n` : 'It only reads. --create tries the rest, and says first what it creates.\n\n',
  );
  const { facts, options } = await examine(
    {
      baseUrl,
      apiKey,
      accessToken: credential('SERVICE_ACCESS_TOKEN'),
      mayCreate,
      bank: textFlag(flags, 'bank') ?? DEFAULT_BANK,
      callbackUrl: webAddressFlag(flags, 'callback-url') ?? DEFAULT_CALLBACK_URL,
      notice: (text) => process.stderr.write(`${text}\n`),
    },
    (fact) => say(line(fact)),
  );
  say(`\n${advice(options)}`);
  if (asJson) process.stdout.write(`${JSON.stringify({ facts, options }, null, 2)}\n`);
  return facts.some(({ outcome }) => outcome === 'trouble') ? 1 : 0;
}

/** What cannot be a header's value is refused here: the runtime's own complaint would repeat it. */
function credential(name: string): string | undefined {
  const value = process.env[name];
  if (value === undefined || value === '') return undefined;
  if (!/^[\x21-\x7e]{1,8192}$/.test(value))
    throw new CommandError(`${name} has spaces or other characters no key has.`);
  return value;
}

const ID_WIDTH = 19;

function line({ id, title, outcome, found, note }: Fact): string {
  const mark = {
    known: paint('green', 'ok'),
    unknown: paint('yellow', '? '),
    trouble: paint('red', '! '),
  }[outcome];
  const indent = ' '.repeat(ID_WIDTH + 5);
  const row = `${mark}  ${id.padEnd(ID_WIDTH)} ${title}\n${indent}${paint('bold', found)}\n`;
  return note === null ? row : `${row}${indent}${paint('dim', note)}\n`;
}

function advice(options: FoundOptions): string {
  const entries = Object.entries(options);
  if (entries.length === 0) return 'createServiceClient needs no further options.\n';
  const lines = entries.map(([name, value]) => `  ${name}: ${literal(value)},`);
  return `Give these to createServiceClient:\n\n${lines.join('\n')}\n`;
}

/** As one writes it in source: names without quotes where they need none. */
function literal(members: object): string {
  const pairs = Object.entries(members).map(([name, value]) => {
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : `'${name}'`;
    return `${key}: '${String(value)}'`;
  });
  return `{ ${pairs.join(', ')} }`;
}
