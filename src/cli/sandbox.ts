import { pageFiles } from '../node/page-files.js';
import { createSandbox, type Sandbox, SANDBOX_DEFAULTS, type SandboxOptions } from '../sandbox/sandbox.js';
import { SnapshotError } from '../sandbox/service/context.js';
import { MAGIC_DOCUMENTS } from '../sandbox/service/creation.js';
import {
  isScenarioName,
  SCENARIO_NAMES,
  SCENARIOS,
  type ScenarioName,
} from '../sandbox/service/scenarios.js';
import type { WebhookTarget } from '../sandbox/service/webhooks.js';
import { type FlagsOf, portFlag, readFlags, webAddressFlag } from './arguments.js';
import { type Command, CommandError, UsageError } from './command.js';
import { listen } from './listen.js';
import { paint } from './paint.js';
import { readSnapshot, writeSnapshot } from './snapshot-file.js';
import { stopAsked } from './stop-signal.js';

const FIRST_PORT = 4010;

const FLAGS = {
  port: { type: 'string' },
  host: { type: 'string' },
  webhook: { type: 'string' },
  'webhook-header': { type: 'string' },
  'webhook-secret': { type: 'string' },
  scenario: { type: 'string' },
  seed: { type: 'string' },
  snapshot: { type: 'string' },
  'public-url': { type: 'string' },
} as const;

const HELP = `pay-checkout sandbox: plays the payment service on this machine, with no account and no network

Usage
  npx pay-checkout sandbox [flags]

Flags
  --port NUMBER            port to listen on; without it, the first free one from ${FIRST_PORT}
  --host ADDRESS           address to listen on; 127.0.0.1 by default (0.0.0.0 lets your phone in)
  --public-url URL         how others reach the sandbox (a tunnel, a phone); it begins every address it gives out
  --webhook URL            where events are sent
  --webhook-header NAME    static header sent with each event; ${SANDBOX_DEFAULTS.webhookHeaderName} by default
  --webhook-secret VALUE   its value; ${SANDBOX_DEFAULTS.webhookHeaderValue} by default
  --scenario NAME[,NAME]   what happens to payments from the start (see below)
  --seed NUMBER            same seed, same ids and keys
  --snapshot FILE          remember everything in this file from one run to the next

Scenarios
${SCENARIO_NAMES.map((name) => `  ${name.padEnd(28)} ${SCENARIOS[name].en}`).join('\n')}

It refuses to start with NODE_ENV=production.
`;

export const sandboxCommand: Command = {
  summary: 'Plays the payment service on this machine: API, bank pages, webhooks, mishaps',
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  const flags = readFlags(args, FLAGS);
  const scenarios = scenariosOf(flags);
  const file = flags.snapshot;
  const options = optionsOf(flags);
  const port = portFlag(flags, 'port');
  const host = flags.host ?? '127.0.0.1';
  if (process.env['NODE_ENV'] === 'production') {
    throw new CommandError(
      'The sandbox confirms payments that no payer made, so it does not start with NODE_ENV=production.',
    );
  }
  const sandbox = createOrExplain(
    {
      ...options,
      controlPage: pageFiles('control'),
      ...(file === undefined ? {} : { snapshot: readSnapshot(file) }),
    },
    file,
  );
  const server = await listen({ fetch: sandbox.fetch, host, port, firstPort: FIRST_PORT });
  sandbox.engine.publicUrl = options.publicUrl ?? addressOf(host, server.port);
  for (const name of scenarios) sandbox.engine.setMishap(name, true);

  const stop = stopAsked();
  process.stdout.write(welcome(sandbox, { host, scenarios, file, webhook: options.webhooks?.[0] }));
  await stop;
  process.stdout.write('\nStopping.\n');
  await server.close();
  const remembered = sandbox.snapshot();
  sandbox.close();
  if (file !== undefined) {
    writeSnapshot(file, remembered);
    process.stdout.write(`Everything is in ${file}.\n`);
  }
  return 0;
}

function optionsOf(flags: FlagsOf<typeof FLAGS>): SandboxOptions {
  const seed = flags.seed;
  if (seed !== undefined && !/^\d{1,15}$/.test(seed)) {
    throw new UsageError(`--seed is a whole number, not "${seed}".`);
  }
  const publicUrl = withoutSlash(webAddressFlag(flags, 'public-url'));
  const webhook = webhookOf(flags);
  return {
    ...(seed === undefined ? {} : { seed: Number(seed) }),
    ...(publicUrl === undefined ? {} : { publicUrl }),
    ...(webhook === undefined ? {} : { webhooks: [webhook] }),
  };
}

function withoutSlash(url: string | undefined): string | undefined {
  return url?.endsWith('/') ? url.slice(0, -1) : url;
}

function webhookOf(flags: FlagsOf<typeof FLAGS>): WebhookTarget | undefined {
  const url = webAddressFlag(flags, 'webhook');
  const headerName = flags['webhook-header'];
  const headerValue = flags['webhook-secret'];
  if (url === undefined) {
    if (headerName !== undefined) throw new UsageError('--webhook-header needs --webhook URL.');
    if (headerValue !== undefined) throw new UsageError('--webhook-secret needs --webhook URL.');
    return undefined;
  }
  if (headerName !== undefined && !/^[\w-]{1,64}$/.test(headerName)) {
    throw new UsageError('--webhook-header is a header name: letters, digits and hyphens.');
  }
  if (headerValue !== undefined && !/^[\x21-\x7e]{1,256}$/.test(headerValue)) {
    throw new UsageError('--webhook-secret is 1 to 256 visible ASCII characters.');
  }
  return {
    url,
    headerName: headerName ?? SANDBOX_DEFAULTS.webhookHeaderName,
    headerValue: headerValue ?? SANDBOX_DEFAULTS.webhookHeaderValue,
  };
}

function scenariosOf(flags: FlagsOf<typeof FLAGS>): ScenarioName[] {
  const names = (flags.scenario ?? '').split(',').filter((name) => name !== '');
  return names.map((name) => {
    if (isScenarioName(name)) return name;
    throw new UsageError(`Unknown scenario "${name}". There are: ${SCENARIO_NAMES.join(', ')}.`);
  });
}

function createOrExplain(options: SandboxOptions, file: string | undefined): Sandbox {
  try {
    return createSandbox(options);
  } catch (error) {
    if (error instanceof SnapshotError) {
      throw new CommandError(`${file} is not a snapshot of this version. Nothing was changed.`);
    }
    throw error;
  }
}

/** An address a browser on this machine can open. */
function addressOf(host: string, port: number): string {
  const everywhere = host === '0.0.0.0' || host === '::' || host === '127.0.0.1' || host === '::1';
  const name = everywhere ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  return `http://${name}:${port}`;
}

const OUTCOME_WORDS = { CONFIRMED: 'confirms', DECLINED: 'declines', CANCELED: 'cancels' } as const;

interface WelcomeContent {
  readonly host: string;
  readonly scenarios: readonly ScenarioName[];
  readonly file: string | undefined;
  readonly webhook: WebhookTarget | undefined;
}

function welcome({ engine }: Sandbox, { host, scenarios, file, webhook }: WelcomeContent): string {
  const url = engine.publicUrl;
  const line = (name: string, value: string) => `  ${name.padEnd(15)} ${value}`;
  const body =
    '{"amountInCents":12500000,"currency":"COP","rail":"BRE_B","reference":"A-1042","breb":{"keyType":"QR_CODE"}}';
  const open = host === '0.0.0.0' || host === '::';
  return `
${paint('bold', 'pay-checkout sandbox')}: a payment service where no money moves

${line('Control page', paint('bold', `${url}/_/`))}
${line('API', url)}
${line('x-api-key', SANDBOX_DEFAULTS.apiKey)}
${line('Bearer token', SANDBOX_DEFAULTS.accessToken)}
${line('Webhooks to', webhook?.url ?? 'nowhere yet (--webhook URL, or on the control page)')}
${webhook ? `${line('Webhook header', `${webhook.headerName}: ${webhook.headerValue}`)}\n` : ''}${scenarios.length > 0 ? `${line('Scenarios', scenarios.join(', '))}\n` : ''}${file === undefined ? '' : `${line('Snapshot', file)}\n`}${open ? `\nIt listens on every address of this machine. Addresses it gives out begin with ${url};\ngive --public-url when a phone or another machine has to open them.\n` : ''}
${paint('bold', 'What decides')}  inlineCustomer.idNumber, about ${engine.timings.outcomeDelayMs / 1_000} s after creation
${[...MAGIC_DOCUMENTS].map(([document, outcome]) => line(document, OUTCOME_WORDS[outcome])).join('\n')}
${line('any other', 'confirms; without a document, you decide on the pages')}

${paint('bold', 'Try')}
  curl ${url}/payins -H 'x-api-key: ${SANDBOX_DEFAULTS.apiKey}' -H 'content-type: application/json' \\
    -d '${body}'
  then open the control page and settle it with a click.

Ctrl-C stops it.
`;
}
