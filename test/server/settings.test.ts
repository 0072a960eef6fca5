import assert from 'node:assert/strict';
import { test, vi } from 'vitest';
import { type CheckoutOptions, memoryStore, OptionsError } from '../../src/server.js';
import { readSettings } from '../../src/server/settings.js';
import { createServiceClient } from '../../src/service.js';

const DAY_MS = 86_400_000;
const NEEDED: CheckoutOptions = {
  service: createServiceClient({ baseUrl: 'https://service.test', apiKey: 'key' }),
  store: memoryStore(),
  merchant: { name: 'Tienda' },
  findOrder: () => null,
  orderSecret: 's'.repeat(32),
  webhook: { header: 'x-webhook-secret', secret: 'w'.repeat(16) },
  onConfirmed() {},
};
const settingsOf = (options: Record<string, unknown> = {}) => readSettings({ ...NEEDED, ...options });

test('a misspelt option is refused with the nearest name', () => {
  const cases: [string, string][] = [
    ['allowedOrigin', 'allowedOrigins'],
    ['maxAttemps', 'maxAttempts'],
    ['onConfirm', 'onConfirmed'],
    ['basepath', 'basePath'],
    ['trustProxy', 'trustedProxies'],
  ];
  for (const [given, nearest] of cases)
    assert.throws(
      () => settingsOf({ [given]: undefined }),
      new RegExp(`createCheckout: ${given} is not an option\\. Did you mean ${nearest}\\?`),
    );
});

test('in workerd no answer is held, because a timer dies with the request that set it', (t) => {
  const { navigator } = globalThis;
  t.onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('navigator', { ...navigator, userAgent: 'Cloudflare-Workers' });
  assert.equal(settingsOf({ maxWaiters: 5 }).maxWaiters, 0);
  vi.unstubAllGlobals();
  assert.equal(settingsOf({ maxWaiters: 5 }).maxWaiters, 5);
});

test('options that are missing or wrong say what to do', () => {
  const cases: [Record<string, unknown>, RegExp][] = [
    [{ orderSecret: undefined, authorize: undefined }, /orderSecret or authorize is missing/],
    [{ orderSecret: 'short' }, /orderSecret must be 32 characters or more/],
    [{ findOrder: undefined }, /findOrder must be a function/],
    [{ onConfirmed: undefined }, /onConfirmed must be a function/],
    [{ onDeclined: 'x' }, /onDeclined must be a function/],
    [{ service: undefined }, /service must be a service client/],
    [{ store: {} }, /store must be a store/],
    [{ merchant: {} }, /merchant\.name must be given/],
    [{ merchant: undefined }, /: merchant must be given/],
    [{ webhook: undefined }, /webhook must be \{ header, secret \}/],
    [{ webhook: { header: 'x' } }, /webhook must be \{ header, secret \}/],
    [{ webhook: { secret: 'long-enough-secret' } }, /webhook must be \{ header, secret \}/],
    [{ webhook: { header: 'x', secret: 'short' } }, /webhook\.secret must be 16 characters/],
    [{ webhook: { header: 'x hook', secret: 'long-enough-secret' } }, /webhook must be sendable: header/],
    [{ webhook: { header: 'x', secret: 'long enough\nsecret' } }, /webhook must be sendable: .*secret/],
    [
      { webhook: { header: 'x', secret: 'long-enough-secret', previousSecret: '' } },
      /webhook\.previousSecret must be 16 characters/,
    ],
    [{ hookTimeoutMs: 2 ** 31 }, /hookTimeoutMs must be a whole number/],
    [{ createTimeoutMs: 2 ** 31 }, /createTimeoutMs must be a whole number/],
    [{ retentionMs: 1 }, /retentionMs must be a whole number/],
    [{ publicUrl: 'shop.test' }, /publicUrl must be an absolute/],
    [{ basePath: 'checkout' }, /basePath must be a path/],
    [{ allowedOrigins: ['https://a.test/'] }, /allowedOrigins must hold bare origins/],
    [{ allowedReturnUrls: ['https://a.test/?x'] }, /allowedReturnUrls must hold addresses without/],
    [{ methods: [] }, /methods must list one to sixteen/],
    [{ methods: [{ rail: 'CARD' }] }, /methods must list/],
    [{ methods: [{ kind: 'PAYMENT_LINK', bank: 'CO_BBVA' }] }, /bank only with rail PSE/],
    [{ maxAttempts: 0 }, /maxAttempts must be a whole number/],
    [{ payinLifetimeMs: { BRE_B: -1 } }, /payinLifetimeMs\.BRE_B must be a whole number/],
    [{ rateLimits: { perSecond: 1 } }, /rateLimits\.perSecond is not known/],
    [{ hookTimeoutMs: 'x' }, /hookTimeoutMs must be a whole number/],
  ];
  for (const [options, message] of cases) {
    assert.throws(
      () => settingsOf(options),
      (error) => {
        assert.ok(error instanceof OptionsError);
        assert.match(error.message, message);
        return true;
      },
    );
  }
});

test('what is not given is filled in as the documents say', () => {
  const { options: _, clock: __, ...settings } = settingsOf();
  assert.deepEqual(settings, {
    merchant: { name: 'Tienda', taxId: null, supportEmail: null, supportPhone: null, payeeName: null },
    methods: [{ rail: 'BRE_B' }, { rail: 'PSE' }],
    publicOrigin: undefined,
    basePath: '',
    allowedOrigins: new Set(),
    returnPrefixes: null,
    lifetimeMs: { BRE_B: 900_000, PSE: null },
    maxAttempts: 10,
    allowPseOverride: true,
    rateLimits: {
      createsPerOrder: 10,
      createsPerClient: 60,
      createsOverall: 200,
      offersPerClient: 300,
      refusedPerClient: 60,
      readsPerAttempt: 60,
    },
    serviceReadsPerSecond: 100,
    maxWaiters: 20_000,
    orderTokenLifetimeMs: 30 * DAY_MS,
    tombstoneMs: 31 * DAY_MS,
    chargebackWatchMs: 0,
    retentionMs: 365 * DAY_MS,
    hookTimeoutMs: 20_000,
    createTimeoutMs: 10_000,
  });
  assert.equal(settingsOf({ onChargeback() {} }).chargebackWatchMs, 120 * DAY_MS);
});

test('each number may be as small and as large as it says, and no more', () => {
  const century = 100 * 365 * DAY_MS;
  const longestTimer = 2 ** 31 - 1;
  for (const [name, least, most] of [
    ['maxAttempts', 1, 100],
    ['serviceReadsPerSecond', 1, 100_000],
    ['maxWaiters', 0, 10_000_000],
    ['orderTokenLifetimeMs', 60_000, century],
    ['chargebackWatchMs', 0, century],
    ['retentionMs', DAY_MS, century],
    ['hookTimeoutMs', 1, longestTimer],
    ['createTimeoutMs', 1, longestTimer],
  ] as const) {
    for (const fits of [least, most]) assert.equal(settingsOf({ [name]: fits })[name], fits, name);
    for (const wrong of [least - 1, most + 1, least + 0.5, NaN, String(least)])
      assert.throws(
        () => settingsOf({ [name]: wrong }),
        new RegExp(`${name} must be a whole number from ${least} to ${most}$`),
      );
  }
  const lifetimes = (payinLifetimeMs: object) => settingsOf({ payinLifetimeMs }).lifetimeMs;
  assert.deepEqual(lifetimes({ BRE_B: 1_000, PSE: 365 * DAY_MS }), { BRE_B: 1_000, PSE: 365 * DAY_MS });
  assert.deepEqual(lifetimes({ BRE_B: null }), { BRE_B: null, PSE: null });
  assert.throws(() => lifetimes({ PSE: 999 }), /payinLifetimeMs\.PSE must be/);
  assert.throws(() => lifetimes({ BRE_B: 365 * DAY_MS + 1 }), /payinLifetimeMs\.BRE_B must be/);
  const limits = (rateLimits: object) => settingsOf({ rateLimits }).rateLimits;
  assert.equal(limits({ createsOverall: Infinity }).createsOverall, Infinity);
  assert.deepEqual(limits({ createsPerOrder: 1 }), { ...limits({}), createsPerOrder: 1 });
  // What was meant to be read from somewhere and is not there must not end as no limit, or as none at all.
  for (const createsPerOrder of [0, undefined, null, NaN, -Infinity])
    assert.throws(() => limits({ createsPerOrder }), /rateLimits\.createsPerOrder must be/);
});

test('a token that lasts for ever is asked for by null', () => {
  assert.equal(settingsOf({ orderTokenLifetimeMs: null }).orderTokenLifetimeMs, null);
});

test('secrets have a least length, each of them', () => {
  assert.ok(settingsOf({ orderSecret: ['a'.repeat(32), 'b'.repeat(40)] }));
  assert.throws(
    () => settingsOf({ orderSecret: ['a'.repeat(32), 'b'.repeat(31)] }),
    /orderSecret must be 32/,
  );
  assert.throws(() => settingsOf({ orderSecret: [] }), /orderSecret or authorize is missing/);
  assert.ok(settingsOf({ orderSecret: undefined, authorize: () => true }));
  assert.throws(() => settingsOf({ authorize: 'x' }), /authorize must be a function/);
  const webhook = (secret: string, previousSecret?: string) =>
    settingsOf({ webhook: { header: 'x', secret, ...(previousSecret !== undefined && { previousSecret }) } });
  assert.ok(webhook('w'.repeat(16), 'v'.repeat(16)));
  assert.throws(() => webhook('w'.repeat(15)), /webhook\.secret must be 16/);
  assert.throws(() => webhook('w'.repeat(16), 'v'.repeat(15)), /webhook\.previousSecret must be 16/);
  assert.ok(settingsOf({ webhook: false }));
});

test('up to sixteen methods, each with what belongs to it', () => {
  const methods = (...given: object[]) => settingsOf({ methods: given }).methods;
  const all = [
    { rail: 'BRE_B', keyType: 'QR_CODE', requiresCustomer: true },
    { rail: 'PSE', banks: [{ code: 'CO_BBVA', name: 'BBVA' }] },
    { kind: 'PAYMENT_LINK', rail: 'PSE', bank: 'CO_BBVA' },
  ];
  assert.deepEqual(methods(...all), all);
  for (const one of [...all, { rail: 'PSE' }, { kind: 'PAYMENT_LINK' }])
    assert.deepEqual(methods(one), [one]);
  assert.equal(methods(...Array.from({ length: 16 }, () => ({ rail: 'PSE' }))).length, 16);
  for (const wrong of [
    Array.from({ length: 17 }, () => ({ rail: 'PSE' })),
    [{ rail: 'BRE_B', keyType: 'PHONE' }],
    [{ rail: 'PSE', keyType: 'QR_CODE' }],
    [{ rail: 'PSE', banks: [{ code: 'CO_BBVA' }] }],
    [{ rail: 'PSE', banks: [{ name: 'BBVA' }] }],
    [{ kind: 'PAYMENT_LINK', rail: 'BRE_B', bank: 'CO_BBVA' }],
  ])
    assert.throws(() => methods(...wrong), /methods must list one to sixteen/);
});

test('addresses lose what does not count, and what is no address is refused', () => {
  const read = (options: Record<string, unknown>) => settingsOf(options);
  assert.equal(read({ publicUrl: 'https://shop.test/pay?x' }).publicOrigin, 'https://shop.test');
  assert.equal(read({ basePath: '/api/checkout/' }).basePath, '/api/checkout');
  assert.equal(read({ basePath: '/' }).basePath, '');
  assert.deepEqual(
    read({ allowedOrigins: ['https://a.test', 'http://localhost:3000'] }).allowedOrigins,
    new Set(['https://a.test', 'http://localhost:3000']),
  );
  assert.deepEqual(read({ allowedReturnUrls: ['https://a.test/gracias'] }).returnPrefixes?.map(String), [
    'https://a.test/gracias',
  ]);
  for (const wrong of ['//x', '/a//b', '/a?b', 'a'])
    assert.throws(() => read({ basePath: wrong }), /basePath must be a path/);
  assert.throws(() => read({ allowedReturnUrls: ['https://a.test/#x'] }), /without \? and #/);
  assert.throws(() => read({ publicUrl: 7 }), /publicUrl must be an absolute/);
  assert.throws(
    () => read({ allowedOrigins: ['https://user@a.test'] }),
    /allowedOrigins must be an absolute/,
  );
});

test('each hook is a function, or not there', () => {
  for (const name of ['onDeclined', 'onCanceled', 'onReport', 'onPayout'])
    assert.throws(() => settingsOf({ [name]: {} }), new RegExp(`${name} must be a function`));
  assert.ok(settingsOf({ onDeclined: undefined, onCanceled() {} }));
});
