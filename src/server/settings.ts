import * as v from 'valibot';
import { BrebAppSchema, MerchantSchema, type Merchant } from '../contract/offer.js';
import { safeUrl } from '../contract/safe-url.js';
import { read } from '../contract/schema.js';
import { cents } from '../contract/fields.js';
import { steadyClock, systemClock, type Clock } from '../service/clock.js';
import { requireWebhookSecrets } from '../service/webhook.js';
import { HOOK_NAMES, type HookName } from './hooks.js';
import { unknownName } from './known-names.js';
import type { CheckoutOptions, MethodOption, RateLimits } from './options.js';
import { DAY_MS } from './orders/schedule.js';
import type { Rail } from '../contract/kinds.js';

/** The options with every default filled in, checked once so that a mistake shows at the start. */
export interface Settings {
  readonly options: CheckoutOptions;
  /** Never goes back, whatever is done to the machine's clock. */
  readonly clock: Clock;
  readonly merchant: Merchant;
  readonly methods: readonly MethodOption[];
  /** Where the checkout is reached from outside; undefined means what the request says. */
  readonly publicOrigin: string | undefined;
  readonly basePath: string;
  readonly allowedOrigins: ReadonlySet<string>;
  /** Where payers may be sent back to; null stands for the checkout's own origin and the allowed ones. */
  readonly returnPrefixes: readonly URL[] | null;
  readonly lifetimeMs: Readonly<Record<Rail, number | null>>;
  readonly maxAttempts: number;
  readonly allowPseOverride: boolean;
  readonly rateLimits: RateLimits;
  readonly serviceReadsPerSecond: number;
  readonly maxWaiters: number;
  readonly orderTokenLifetimeMs: number | null;
  readonly chargebackWatchMs: number;
  readonly retentionMs: number;
  /** How long an order that was paid and removed is remembered; null for ever. */
  readonly tombstoneMs: number | null;
  readonly hookTimeoutMs: number;
  readonly createTimeoutMs: number;
}

const DEFAULT_RATE_LIMITS: RateLimits = {
  createsPerOrder: 10,
  createsPerClient: 60,
  createsOverall: 200,
  offersPerClient: 300,
  refusedPerClient: 60,
  readsPerAttempt: 60,
};

const SHORTEST_SECRET = 32;
const SHORTEST_WEBHOOK_SECRET = 16;
/** A timer of the platform fires at once when it is set for longer. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export class OptionsError extends TypeError {
  override readonly name = 'OptionsError';
}

/** @throws OptionsError that says which option to change and how. */
export function readSettings(options: CheckoutOptions): Settings {
  requireKnownNames(options);
  requireFunctions(options);
  requireAccess(options);
  requireWebhook(options);
  requireClientAddress(options);
  const publicUrl = options.publicUrl === undefined ? undefined : webUrl('publicUrl', options.publicUrl);
  const origins = (options.allowedOrigins ?? []).map(exactOrigin);
  const duration = (name: keyof CheckoutOptions, fallback: number, shortest = 0) =>
    wholeNumber(name, options[name], fallback, shortest, 100 * 365 * DAY_MS);
  const orderTokenLifetimeMs =
    options.orderTokenLifetimeMs === null ? null : duration('orderTokenLifetimeMs', 30 * DAY_MS, 60_000);
  return {
    options,
    clock: steadyClock(options.clock ?? systemClock),
    merchant: readMerchant(options),
    methods: readMethods('methods', options.methods ?? [{ rail: 'BRE_B' }, { rail: 'PSE' }]),
    publicOrigin: publicUrl?.origin,
    basePath: readBasePath(options.basePath ?? ''),
    allowedOrigins: new Set(origins),
    returnPrefixes: options.allowedReturnUrls?.map(returnPrefix) ?? null,
    lifetimeMs: readLifetimes(options.payinLifetimeMs ?? {}),
    maxAttempts: wholeNumber('maxAttempts', options.maxAttempts, 10, 1, 100),
    allowPseOverride: options.allowPseOverride ?? true,
    rateLimits: readRateLimits(options.rateLimits ?? {}),
    serviceReadsPerSecond: wholeNumber(
      'serviceReadsPerSecond',
      options.serviceReadsPerSecond,
      100,
      1,
      100_000,
    ),
    maxWaiters: canWait() ? wholeNumber('maxWaiters', options.maxWaiters, 20_000, 0, 10_000_000) : 0,
    orderTokenLifetimeMs,
    // A token is valid to the end of its last day.
    tombstoneMs: orderTokenLifetimeMs === null ? null : orderTokenLifetimeMs + DAY_MS,
    chargebackWatchMs: duration('chargebackWatchMs', options.onChargeback === undefined ? 0 : 120 * DAY_MS),
    retentionMs: duration('retentionMs', 365 * DAY_MS, DAY_MS),
    hookTimeoutMs: wholeNumber('hookTimeoutMs', options.hookTimeoutMs, 20_000, 1, LONGEST_TIMER_MS),
    createTimeoutMs: wholeNumber('createTimeoutMs', options.createTimeoutMs, 10_000, 1, LONGEST_TIMER_MS),
  };
}

function fail(option: string, fix: string): never {
  throw new OptionsError(`createCheckout: ${option} ${fix}`);
}

const PLAIN_OPTIONS = {
  service: true,
  store: true,
  merchant: true,
  findOrder: true,
  orderSecret: true,
  orderTokenLifetimeMs: true,
  authorize: true,
  webhook: true,
  publicUrl: true,
  basePath: true,
  allowedOrigins: true,
  allowedReturnUrls: true,
  methods: true,
  payinLifetimeMs: true,
  maxAttempts: true,
  allowPseOverride: true,
  rateLimits: true,
  trustedProxies: true,
  clientAddress: true,
  serviceReadsPerSecond: true,
  maxWaiters: true,
  chargebackWatchMs: true,
  retentionMs: true,
  hookTimeoutMs: true,
  createTimeoutMs: true,
  log: true,
  metrics: true,
  clock: true,
} as const satisfies Record<Exclude<keyof CheckoutOptions, HookName>, true>;

export const OPTION_NAMES: readonly string[] = [...Object.keys(PLAIN_OPTIONS), ...HOOK_NAMES];

/** An option that is silently ignored because of a typo is worse than none. */
function requireKnownNames(options: CheckoutOptions): void {
  const unknown = unknownName(options, OPTION_NAMES);
  if (unknown !== undefined) fail(unknown.name, `is not an option. Did you mean ${unknown.nearest}?`);
}

function requireFunctions(options: CheckoutOptions): void {
  if (typeof options.service?.payins?.create !== 'function') {
    fail('service', 'must be a service client: createServiceClient({ baseUrl, apiKey })');
  }
  if (typeof options.store?.update !== 'function') {
    fail('store', 'must be a store: memoryStore(), sqliteStore(db) or postgresStore(port)');
  }
  if (typeof options.findOrder !== 'function') {
    fail('findOrder', 'must be a function that gives the order behind an id, or null');
  }
  if (typeof options.onConfirmed !== 'function') {
    fail('onConfirmed', 'must be a function: it is how you learn that an order is paid');
  }
  for (const name of HOOK_NAMES) {
    if (options[name] !== undefined && typeof options[name] !== 'function') fail(name, 'must be a function');
  }
}

function requireAccess({ orderSecret, authorize }: CheckoutOptions): void {
  const secrets = orderSecret === undefined ? [] : [orderSecret].flat();
  if (secrets.length === 0 && authorize === undefined) {
    fail(
      'orderSecret or authorize',
      'is missing: without one of them any visitor could walk through your orders. Give a random orderSecret and hand ' +
        'pages checkout.orderToken(id), or decide in authorize(request, order)',
    );
  }
  if (authorize !== undefined && typeof authorize !== 'function') fail('authorize', 'must be a function');
  for (const secret of secrets) {
    if (typeof secret !== 'string' || secret.length < SHORTEST_SECRET) {
      fail(
        'orderSecret',
        `must be ${SHORTEST_SECRET} characters or more, for example from: openssl rand -base64 32`,
      );
    }
  }
}

function requireWebhook({ webhook }: CheckoutOptions): void {
  if (webhook === false) return;
  if (typeof webhook?.header !== 'string' || typeof webhook.secret !== 'string') {
    fail('webhook', 'must be { header, secret } as set at the service, or false to go without webhooks');
  }
  for (const name of ['secret', 'previousSecret'] as const) {
    const secret = webhook[name];
    if (secret !== undefined && (typeof secret !== 'string' || secret.length < SHORTEST_WEBHOOK_SECRET))
      fail(
        `webhook.${name}`,
        `must be ${SHORTEST_WEBHOOK_SECRET} characters or more: it is all that is checked`,
      );
  }
  try {
    requireWebhookSecrets(webhook);
  } catch (error) {
    fail('webhook', `must be sendable: ${error instanceof Error ? error.message : 'it is not'}`);
  }
}

function requireClientAddress({ clientAddress, trustedProxies }: CheckoutOptions): void {
  if (clientAddress !== undefined && typeof clientAddress !== 'function')
    fail('clientAddress', 'must be a function');
  wholeNumber('trustedProxies', trustedProxies, 0, 0, 16);
  if (clientAddress !== undefined && trustedProxies !== undefined)
    fail('trustedProxies', 'and clientAddress say the same thing: give one of them');
}

/** Waiters share one timer, and in workerd a timer ends with the request that set it: there no answer is held. */
function canWait(): boolean {
  const { navigator } = globalThis as { navigator?: { userAgent?: string } };
  return navigator?.userAgent !== 'Cloudflare-Workers';
}

function readMerchant({ merchant }: CheckoutOptions): Merchant {
  const reading = read(MerchantSchema, merchant);
  if (reading.ok) return reading.value;
  const [first] = reading.errors;
  return fail(
    `merchant${first?.field ? `.${first.field}` : ''}`,
    'must be given: { name: "…", taxId?, supportEmail?, … }',
  );
}

const MethodOptionSchema = v.union([
  v.strictObject({
    kind: v.literal('PAYMENT_LINK'),
    rail: v.optional(v.picklist(['BRE_B', 'PSE'])),
    bank: v.optional(v.string()),
  }),
  v.strictObject({
    rail: v.literal('BRE_B'),
    keyType: v.optional(v.picklist(['SINGLE_USE', 'QR_CODE'])),
    requiresCustomer: v.optional(v.boolean()),
    ceilingInCents: v.optional(v.nullable(cents)),
    apps: v.optional(v.array(BrebAppSchema)),
  }),
  v.strictObject({
    rail: v.literal('PSE'),
    banks: v.optional(
      v.array(v.looseObject({ code: v.string(), name: v.string(), first: v.optional(v.number()) })),
    ),
  }),
]);

export function readMethods(name: string, methods: readonly MethodOption[]): readonly MethodOption[] {
  const reading = read(v.pipe(v.array(MethodOptionSchema), v.minLength(1), v.maxLength(16)), methods);
  const misplacedBank = (method: MethodOption) =>
    'kind' in method && 'bank' in method && method.rail !== 'PSE';
  if (!reading.ok || methods.some(misplacedBank)) {
    fail(
      name,
      "must list one to sixteen of { rail: 'BRE_B', keyType?, requiresCustomer?, ceilingInCents?, apps? }, { rail: 'PSE', banks? } and " +
        "{ kind: 'PAYMENT_LINK', rail?, bank? }, bank only with rail PSE",
    );
  }
  return methods;
}

function readBasePath(path: string): string {
  const trimmed = path.endsWith('/') ? path.slice(0, -1) : path;
  if (trimmed !== '' && !/^(?:\/[\w.~-]+)+$/.test(trimmed)) {
    fail('basePath', 'must be a path such as /api/checkout');
  }
  return trimmed;
}

function webUrl(name: string, text: string): URL {
  const url = typeof text === 'string' ? safeUrl(text, { pageProtocol: 'http:' }) : null;
  if (url === null) fail(name, 'must be an absolute https (or http) address without credentials');
  return new URL(url);
}

function exactOrigin(text: string): string {
  const url = webUrl('allowedOrigins', text);
  if (url.origin !== text)
    fail('allowedOrigins', `must hold bare origins such as ${url.origin}, no path and no final slash`);
  return url.origin;
}

function returnPrefix(text: string): URL {
  const url = webUrl('allowedReturnUrls', text);
  if (url.search !== '' || url.hash !== '') fail('allowedReturnUrls', 'must hold addresses without ? and #');
  return url;
}

/** How long a Bre-B key is shown as payable before it lapses; the service states no end of its own. */
const BREB_KEY_LIFETIME_MS = 15 * 60_000;

function readLifetimes(given: NonNullable<CheckoutOptions['payinLifetimeMs']>): Record<Rail, number | null> {
  const lifetime = (rail: Rail, fallback: number | null) => {
    const value = given[rail] === undefined ? fallback : given[rail];
    return value === null ? null : wholeNumber(`payinLifetimeMs.${rail}`, value, 0, 1_000, 365 * DAY_MS);
  };
  return { BRE_B: lifetime('BRE_B', BREB_KEY_LIFETIME_MS), PSE: lifetime('PSE', null) };
}

function readRateLimits(given: Partial<RateLimits>): RateLimits {
  const limits = { ...DEFAULT_RATE_LIMITS, ...given };
  for (const [name, value] of Object.entries(limits)) {
    if (!Object.hasOwn(DEFAULT_RATE_LIMITS, name)) fail(`rateLimits.${name}`, 'is not known');
    if (value !== Infinity) wholeNumber(`rateLimits.${name}`, value, 0, 1, Number.MAX_SAFE_INTEGER);
  }
  return limits;
}

function wholeNumber(name: string, value: unknown, fallback: number, least: number, most: number): number {
  const given = value ?? fallback;
  if (typeof given !== 'number' || !Number.isInteger(given) || given < least || given > most) {
    fail(name, `must be a whole number from ${least} to ${most}`);
  }
  return given;
}
