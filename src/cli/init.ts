import { randomBytes } from 'node:crypto';
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SANDBOX_DEFAULTS } from '../sandbox/sandbox.js';
import { choiceFlag, readFlags } from './arguments.js';
import { type Command, CommandError } from './command.js';
import { paint } from './paint.js';
import { DEFAULT_CONFIG } from './serve/checkout.js';

const FLAGS = { backend: { type: 'string' } } as const;
const SECRETS = 'checkout.secrets.json';
/** Where `sandbox` and `serve` listen when nothing else is said. */
const SANDBOX_URL = 'http://127.0.0.1:4010';
const SERVE_URL = 'http://127.0.0.1:4020';

const HELP = `pay-checkout init: writes the first configuration of a shop into this folder

Usage
  npx pay-checkout init [--backend serve]

  --backend serve   for a backend that "npx pay-checkout serve" runs, beside a shop in any language

It writes ${DEFAULT_CONFIG}, with the two calls that the shop answers, and ${SECRETS}, with secrets that were made
just now, and has git ignore the secrets and the database. The payment service is the sandbox until
you put your account's address and keys in its place. Nothing that is there already is written over.
`;

export const initCommand: Command = {
  summary: "Writes a shop's first configuration, with secrets of its own",
  help: HELP,
  run,
};

async function run(args: readonly string[]): Promise<number> {
  choiceFlag(readFlags(args, FLAGS), 'backend', ['serve']);
  for (const file of [DEFAULT_CONFIG, SECRETS])
    if (existsSync(file)) throw new CommandError(`${file} is there already. Nothing was changed.`);
  writeFileSync(SECRETS, `${JSON.stringify(makeSecrets(), null, 2)}\n`, { mode: 0o600 });
  writeFileSync(DEFAULT_CONFIG, CONFIG);
  ignore([SECRETS, 'checkout.db*']);
  process.stdout.write(next());
  return 0;
}

function makeSecrets(): Record<string, string> {
  const fresh = () => randomBytes(32).toString('base64url');
  return {
    orders: fresh(),
    outcomes: `whsec_${randomBytes(32).toString('base64')}`,
    orderTokens: fresh(),
    console: fresh(),
    metrics: fresh(),
    // What the sandbox expects and sends, which is public. Your account has others.
    serviceApiKey: SANDBOX_DEFAULTS.apiKey,
    serviceAccessToken: SANDBOX_DEFAULTS.accessToken,
    webhook: SANDBOX_DEFAULTS.webhookHeaderValue,
  };
}

/** Adds what is missing to the folder's .gitignore. */
function ignore(names: readonly string[]): void {
  const text = existsSync('.gitignore') ? readFileSync('.gitignore', 'utf8') : '';
  const missing = names.filter((name) => !text.split(/\r?\n/).includes(name));
  const start = text === '' || text.endsWith('\n') ? '' : '\n';
  if (missing.length > 0) appendFileSync('.gitignore', `${start}${missing.join('\n')}\n`);
}

const CONFIG = `import { readFileSync } from 'node:fs';

// Made by "npx pay-checkout init". Keep that file out of git, and give it to those alone who run this.
const secrets = JSON.parse(readFileSync(new URL('./${SECRETS}', import.meta.url), 'utf8'));

export default {
  // 1. Your shop answers this call with the order, or with 404:
  //    { "amountInCents": 4290000, "description": "2 bolsas de café" }
  //    It comes with the header  Authorization: Bearer <secrets.orders>
  orders: { url: 'http://localhost:3000/checkout/orders/{id}', secret: secrets.orders },

  // 2. Your shop gets here what became of a payment, again and again until it answers 2xx. Ship on onConfirmed.
  //    It is signed by the Standard Webhooks scheme with secrets.outcomes
  outcomes: { url: 'http://localhost:3000/checkout/outcomes', secret: secrets.outcomes },

  merchant: { name: 'Mi tienda', supportEmail: 'pagos@mitienda.example' },
  // Pages that show the widget from another address than this server's.
  allowedOrigins: ['http://localhost:3000'],

  // The sandbox plays the payment service. With an account: its address, its keys, and the header that it sends.
  service: {
    baseUrl: '${SANDBOX_URL}',
    apiKey: secrets.serviceApiKey,
    accessToken: secrets.serviceAccessToken,
  },
  sandboxUrl: '${SANDBOX_URL}',
  webhook: { header: '${SANDBOX_DEFAULTS.webhookHeaderName}', secret: secrets.webhook },

  publicUrl: '${SERVE_URL}',
  orderSecret: secrets.orderTokens,
  consoleSecret: secrets.console,
  metricsSecret: secrets.metrics,
};
`;

function next(): string {
  const step = (command: string, what: string) => `  ${paint('bold', command)}\n      ${what}\n`;
  return `${DEFAULT_CONFIG} and ${SECRETS} are written.

Next
  Put your shop's two addresses into ${DEFAULT_CONFIG}: orders.url and outcomes.url.
${step('npm install libsql', 'the database on Node 20; newer ones have their own')}${step(`npx pay-checkout sandbox --webhook ${SERVE_URL}/webhooks`, 'plays the payment service, in another terminal')}${step('npx pay-checkout serve --console', `your backend and its console at ${SERVE_URL}/console/; sign in with "console" of ${SECRETS}`)}`;
}
