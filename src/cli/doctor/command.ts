import { readArguments, webAddressFlag } from '../arguments.js';
import { count, line, type Result, summary } from '../checks.js';
import { type Command, CommandError, UsageError } from '../command.js';
import type { FoundOptions } from './exam.js';
import { examine } from './run.js';

const FLAGS = {
  'base-url': { type: 'string' },
  create: { type: 'boolean' },
  bank: { type: 'string' },
  'callback-url': { type: 'string' },
  json: { type: 'boolean' },
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
  --bank CODE          bank of the PSE payin; by default ${DEFAULT_BANK}, the test bank
  --callback-url URL   return address of the PSE payin and the link; by default ${DEFAULT_CALLBACK_URL}
  --json               the result as JSON, for programs

${PLAN.replace('It creates', 'With --create it creates')}

Exit codes: 0 the service can be used, 1 something stands in the way or nothing was learnt, 2 the command was not
understood.
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
  const mayCreate = flags.create === true;
  const asJson = flags.json === true;
  const say = (text: string) => (asJson ? undefined : process.stdout.write(text));

  say(`Service  ${baseUrl}\n\n`);
  say(
    mayCreate ? `${PLAN}\n\n` : 'It only reads. --create tries the rest, and says first what it creates.\n\n',
  );
  const { results, options } = await examine(
    {
      baseUrl,
      apiKey,
      accessToken: credential('SERVICE_ACCESS_TOKEN'),
      mayCreate,
      bank: flags.bank ?? DEFAULT_BANK,
      callbackUrl: webAddressFlag(flags, 'callback-url') ?? DEFAULT_CALLBACK_URL,
      notice: (text) => process.stderr.write(`${text}\n`),
    },
    (result) => say(line(result)),
  );
  say(`${summary(results)}\n${advice(results, options, mayCreate)}`);
  const counts = count(results);
  if (asJson) {
    const report = { service: baseUrl, ...counts, learnt: hasLearnt(results), checks: results, options };
    process.stdout.write(`${JSON.stringify(report, null, 2)}\n`);
  }
  return counts.failed === 0 && hasLearnt(results) ? 0 : 1;
}

/** That the key is accepted says nothing yet about what the interface leaves open. */
function hasLearnt(results: readonly Result[]): boolean {
  return results.some(({ id, outcome }) => id !== 'access' && outcome === 'pass');
}

/** What cannot be a header's value is refused here: the runtime's own complaint would repeat it. */
function credential(name: string): string | undefined {
  const value = process.env[name];
  if (value === undefined || value === '') return undefined;
  if (!/^[\x21-\x7e]{1,8192}$/.test(value))
    throw new CommandError(`${name} has spaces or other characters no key has.`);
  return value;
}

function advice(results: readonly Result[], options: FoundOptions, mayCreate: boolean): string {
  if (!hasLearnt(results)) {
    const next = mayCreate
      ? 'See above for the reason.'
      : 'Run it with --create, or once the service has payins.';
    return `Nothing was learnt about this service. ${next}\n`;
  }
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
