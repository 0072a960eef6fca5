import assert from 'node:assert/strict';
import { test } from 'vitest';
import { manualClock } from '../../src/sandbox.js';
import { type CheckoutOptions, type LogEntry, memoryStore } from '../../src/server.js';
import { createContext, errorName, failureFacts } from '../../src/server/context.js';
import { readSettings } from '../../src/server/settings.js';
import { createServiceClient } from '../../src/service.js';
import { ServiceError } from '../../src/service/errors.js';

function open(options: Partial<CheckoutOptions> = {}) {
  const clock = manualClock();
  const logged: [LogEntry, unknown][] = [];
  const context = createContext(
    readSettings({
      service: createServiceClient({ baseUrl: 'https://service.test', apiKey: 'key' }),
      store: memoryStore(),
      clock,
      merchant: { name: 'Tienda' },
      findOrder: () => null,
      orderSecret: 'a secret of the tests that is long enough',
      webhook: { header: 'x-webhook-secret', secret: 'w'.repeat(16) },
      onConfirmed() {},
      log: (entry, error) => void logged.push([entry, error]),
      ...options,
    }),
  );
  return { context, clock, logged };
}

test('work that runs on after an answer and fails is one line, which names the error and not its words', async () => {
  const { context, logged } = open();
  const error = new RangeError('Ana María Pérez');
  await context.background('work_failed', () => Promise.reject(error));
  await context.background('work_failed', async () => 'fine');
  assert.deepEqual(logged, [[{ level: 'error', event: 'work_failed', code: 'RangeError' }, error]]);
});

test('idle waits for the last piece of work, also for work that other work began', async () => {
  const { context } = open();
  const ended: string[] = [];
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  void context.background('first', async () => {
    await begun;
    void context.background('second', async () => {
      await new Promise((resolve) => setImmediate(resolve));
      ended.push('second');
    });
    ended.push('first');
  });
  const idle = context.idle().then(() => ended.push('idle'));
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(ended, []);
  begin();
  await idle;
  assert.deepEqual(ended, ['first', 'second', 'idle']);
  await context.idle();
});

test('the merchant’s own code has the time it was given, and leaves no timer behind', async () => {
  const { context, clock } = open();
  assert.equal(await context.inTime(5_000, async () => 7), 7);
  await assert.rejects(
    context.inTime(5_000, () => Promise.reject(new TypeError('no'))),
    TypeError,
  );
  assert.equal(clock.nextDueAtMs(), undefined);

  let failure: unknown;
  void context
    .inTime(5_000, () => new Promise(() => undefined))
    .catch((error: unknown) => {
      failure = error;
    });
  const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
  await clock.advance(4_999, turn);
  assert.equal(failure, undefined);
  await clock.advance(1, turn);
  assert.equal(errorName(failure), 'HookTimeoutError');
  assert.equal(clock.nextDueAtMs(), undefined);
});

test('what a stranger can cause is one line a minute for each event and code', async () => {
  const { context, clock, logged } = open();
  const say = (event: string, code?: string) =>
    context.logSparingly({ level: 'warn', event, ...(code !== undefined && { code }) });
  const said = () => logged.splice(0).map(([{ event, code }]) => [event, code]);
  say('refused', 'a');
  say('refused', 'a');
  say('refused', 'b');
  say('refused');
  say('other', 'a');
  assert.deepEqual(said(), [
    ['refused', 'a'],
    ['refused', 'b'],
    ['refused', undefined],
    ['other', 'a'],
  ]);
  await clock.advance(59_999);
  say('refused', 'a');
  assert.deepEqual(said(), []);
  await clock.advance(1);
  say('refused', 'a');
  say('refused', 'a');
  assert.deepEqual(said(), [['refused', 'a']]);
});

test('instances with the same secret know a client by the same digest, also while the secret is being changed', async () => {
  const [newer, older] = ['n'.repeat(32), 'o'.repeat(32)];
  const digestOf = (orderSecret?: string | string[]) =>
    open({ orderSecret, authorize: () => true } as object).context.clientDigest('198.51.100.4');
  assert.equal(await digestOf(newer), await digestOf([newer, older]));
  assert.notEqual(await digestOf(newer), await digestOf([older, newer]));
  assert.notEqual(await digestOf(), await digestOf(), 'without a secret each instance counts for itself');
});

test('a line about a failure says what is safe to say, and no words of others', () => {
  const refused = new ServiceError('unauthorized', 'payins.create');
  assert.deepEqual(failureFacts(refused), { code: 'unauthorized', message: refused.message });
  assert.deepEqual(failureFacts(new RangeError('Ana María Pérez')), { code: 'RangeError' });
  assert.deepEqual(failureFacts('Ana María Pérez'), { code: 'unknown' });
});
