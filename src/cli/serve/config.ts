import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as v from 'valibot';
import { read } from '../../contract/schema.js';
import { webAddress } from '../../contract/fields.js';
import { HOOK_NAMES } from '../../server/hooks.js';
import { unknownName } from '../../server/known-names.js';
import { OPTION_NAMES } from '../../server/settings.js';
import type { CheckoutOptions } from '../../server/options.js';
import type { VerifyWebhookOptions } from '../../service/webhook.js';
import { CommandError } from '../command.js';
import { readSecrets, SecretSchema, type Secrets, type SecretSource } from './secrets.js';
import { isSigningSecret } from './standard-webhooks.js';

/** Asked with `Authorization: Bearer <secret>`. */
const OrdersSchema = v.object({
  url: webAddress,
  secret: SecretSchema,
});

const OutcomesSchema = v.object({
  url: webAddress,
  secret: SecretSchema,
  hooks: v.optional(v.array(v.picklist(HOOK_NAMES))),
});

const ServeConfigSchema = v.object({
  port: v.optional(v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(65_535)), 4020),
  host: v.optional(v.pipe(v.string(), v.maxLength(255)), '127.0.0.1'),
  /** A file for SQLite, or a postgres:// address. */
  database: v.optional(v.pipe(v.string(), v.minLength(1), v.maxLength(2048)), 'checkout.db'),
  service: v.object({
    baseUrl: webAddress,
    /** Lets `baseUrl` be http for another host than this machine. */
    allowHttp: v.optional(v.boolean(), false),
    apiKey: SecretSchema,
    accessToken: v.optional(SecretSchema),
  }),
  /** For `GET /metrics`, which answers 401 without it; `public` opens it. */
  metricsSecret: v.optional(v.union([v.literal('public'), SecretSchema])),
  /** Who has it may sign in to the console. */
  consoleSecret: v.optional(SecretSchema),
  /** Where the sandbox is, when it plays the service: the console shows its webhooks. */
  sandboxUrl: v.optional(webAddress),
  /** GET, with {id} replaced by the order's id: the order as JSON, or 404. */
  orders: OrdersSchema,
  /** POST of every notice, signed, until it answers 2xx. */
  outcomes: OutcomesSchema,
  orderSecret: SecretSchema,
});

/** What `serve` gives to the kit itself. */
const GIVEN_BY_SERVE = ['store', 'findOrder', 'log', 'metrics', 'clock', ...HOOK_NAMES] as const;

/** The kit's own options that make sense in a file; the kit checks them. */
type KitPart = Omit<
  CheckoutOptions,
  (typeof GIVEN_BY_SERVE)[number] | keyof typeof ServeConfigSchema.entries | 'webhook'
>;

export interface ReadServeConfig {
  readonly own: v.InferOutput<typeof ServeConfigSchema>;
  readonly kit: KitPart;
  readonly webhook: WebhookPart | false | undefined;
}

type WebhookPart = Omit<VerifyWebhookOptions, 'secret'> & { readonly secret: SecretSource };

/** What the config file keeps secret, as it is now. */
export interface ServeSecrets {
  readonly apiKey: string;
  readonly accessToken: string | undefined;
  /** Empty: every request gets 401. */
  readonly metrics: readonly string[] | 'public';
  readonly console: string | undefined;
  readonly orders: Secrets;
  readonly outcomes: Secrets;
  readonly order: Secrets;
  /** As `createCheckout` takes and checks it. */
  readonly webhook: VerifyWebhookOptions | false | undefined;
}

const HTTP_SECRET = { shortest: 16, longest: 512 };
const CREDENTIAL = { shortest: 1, longest: 4096, most: 1 };
const NO_LIMIT = { shortest: 0, longest: 4096 };

/** @throws CommandError when one is missing or cannot be used. */
export async function readServeSecrets({ own, webhook }: ReadServeConfig): Promise<ServeSecrets> {
  const { service, metricsSecret, consoleSecret, orders, outcomes, orderSecret } = own;
  const [apiKey] = await readSecrets('service.apiKey', service.apiKey, CREDENTIAL);
  const [accessToken] =
    service.accessToken === undefined
      ? []
      : await readSecrets('service.accessToken', service.accessToken, CREDENTIAL);
  const signing = await readSecrets('outcomes.secret', outcomes.secret, NO_LIMIT);
  if (!signing.every(isSigningSecret)) {
    throw new CommandError(
      'outcomes.secret must be whsec_ and 24 to 64 random bytes in base64, for example from: echo "whsec_$(openssl rand -base64 32)"',
    );
  }
  const [console] =
    consoleSecret === undefined
      ? []
      : await readSecrets('consoleSecret', consoleSecret, { shortest: 32, longest: 512, most: 1 });
  return {
    apiKey,
    accessToken,
    console,
    metrics:
      metricsSecret === undefined || metricsSecret === 'public'
        ? (metricsSecret ?? [])
        : await readSecrets('metricsSecret', metricsSecret, HTTP_SECRET),
    orders: await readSecrets('orders.secret', orders.secret, HTTP_SECRET),
    outcomes: signing,
    order: await readSecrets('orderSecret', orderSecret, { shortest: 32, longest: 512 }),
    webhook: await readWebhookSecrets(webhook),
  };
}

/** Two at most: the service sends one, and the one before it while that is being changed. */
async function readWebhookSecrets(webhook: ReadServeConfig['webhook']): Promise<ServeSecrets['webhook']> {
  if (!webhook || !v.is(SecretSchema, webhook.secret)) return webhook as ServeSecrets['webhook'];
  const { secret: source, ...rest } = webhook;
  const [secret, previousSecret] = await readSecrets('webhook.secret', source, { ...NO_LIMIT, most: 2 });
  return { ...rest, secret, ...(previousSecret !== undefined && { previousSecret }) };
}

export async function loadServeConfig(file: string): Promise<ReadServeConfig> {
  const config = await importDefault(resolve(file), file);
  requireKnownNames(file, config);
  const reading = read(ServeConfigSchema, config);
  if (!reading.ok) {
    const wrong = reading.errors.map(({ field, code }) => `  ${field || 'the default export'}: ${code}`);
    throw new CommandError(
      `${file} is not complete:\n${wrong.join('\n')}\nSee: npx pay-checkout serve --help`,
    );
  }
  if (!reading.value.orders.url.includes('{id}')) {
    throw new CommandError(
      `${file}: orders.url must contain {id}, for example https://shop.example/orders/{id}`,
    );
  }
  const { hooks } = reading.value.outcomes;
  if (hooks !== undefined && !hooks.includes('onConfirmed')) {
    throw new CommandError(
      `${file}: outcomes.hooks must name onConfirmed: it is how the shop learns of payments.`,
    );
  }
  const given = config as KitPart & Pick<ReadServeConfig, 'webhook'>;
  const kit = Object.fromEntries(Object.entries(given).filter(([name]) => KIT_NAMES.includes(name)));
  return { own: reading.value, kit: kit as KitPart, webhook: given.webhook };
}

const OWN_NAMES = Object.keys(ServeConfigSchema.entries);
const KIT_NAMES = OPTION_NAMES.filter(
  (name) =>
    name !== 'webhook' && !GIVEN_BY_SERVE.some((given) => given === name) && !OWN_NAMES.includes(name),
);

function requireKnownNames(file: string, config: unknown): void {
  const { service, orders, outcomes } = Object(config) as Record<string, unknown>;
  const places: readonly (readonly [string, unknown, readonly string[]])[] = [
    ['', config, [...OWN_NAMES, ...KIT_NAMES, 'webhook']],
    ['service.', service, Object.keys(ServeConfigSchema.entries.service.entries)],
    ['orders.', orders, Object.keys(OrdersSchema.entries)],
    ['outcomes.', outcomes, Object.keys(OutcomesSchema.entries)],
  ];
  for (const [place, given, names] of places) {
    const unknown = unknownName(Object(given) as object, names);
    if (unknown === undefined) continue;
    const hint = HOOK_NAMES.some((name) => name === unknown.name)
      ? 'serve sends notices to outcomes.url; outcomes.hooks says which'
      : `Did you mean ${place}${unknown.nearest}?`;
    throw new CommandError(`${file}: ${place}${unknown.name} is not an option. ${hint}`);
  }
}

async function importDefault(path: string, file: string): Promise<unknown> {
  if (!existsSync(path)) {
    throw new CommandError(
      `There is no ${file} in ${dirname(path)}.\nnpx pay-checkout init writes a first one; --config names another.`,
    );
  }
  try {
    const module = (await import(pathToFileURL(path).href)) as { default?: unknown };
    return module.default;
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'ERR_MODULE_NOT_FOUND') {
      const [, missing = 'something'] = /'([^']+)'/.exec((error as Error).message) ?? [];
      throw new CommandError(`${file} imports ${missing}, which is not there.`);
    }
    if (code === 'ERR_UNKNOWN_FILE_EXTENSION') {
      throw new CommandError(
        `This Node does not read TypeScript. Run it as: node --import tsx node_modules/.bin/pay-checkout serve --config ${file} (npm install tsx), or use Node 22.18 or later, or a .mjs file.`,
      );
    }
    throw new CommandError(
      `${file} could not be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
}
