import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { ORDERS_NEEDED } from '../../../src/cli/verify/plays.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import type { Level } from '../../../src/cli/verify/visit.js';
import type { Attempt } from '../../../src/contract/backend.js';
import { SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { type Example, type RunningExample, startExample } from './example-backend.js';
import { skipWhen } from '../../support/skip-when.js';

const PYTHON: Example = {
  serve: () => ['python3', 'docs/examples/backend.py'],
  run: ['python3', 'docs/examples/backend.py'],
  started: 'Checkout on http',
};
const php = (file: string): Example => ({
  serve: (host, port) => ['php', '-S', `${host}:${port}`, file],
  run: ['php', file],
  started: 'started',
});
const PHP_FILE = 'docs/examples/backend.php';

async function verify(example: RunningExample, level: Level) {
  const numbers = Array.from({ length: ORDERS_NEEDED }, (_, index) => `A-${1001 + index}`);
  const tokens = [];
  for (const order of numbers) tokens.push((await example.command('token', order)).output);
  const [order = '', ...spareOrders] = tokens;
  const checks = await verifyBackend({
    backend: example.backend,
    order,
    spareOrders,
    level,
    callbackUrl: `${example.origin}/gracias?x=1#pago`,
    webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: SANDBOX_DEFAULTS.webhookHeaderValue },
    sandbox: example.sandboxUrl,
    shop: example.shopUrl,
  });
  // It serves the pages of its own origin, and offers no links.
  const isLeftOut = (id: string) => id.startsWith('cors-') || id === 'payment-link';
  assert.deepEqual(
    checks.filter(({ id, outcome }) => outcome !== 'pass' && !isLeftOut(id)),
    [],
    example.output(),
  );
}

function create(example: RunningExample, order: string, key: string): Promise<Response> {
  return fetch(`${example.backend}/payins`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': key },
    body: JSON.stringify({
      order,
      rail: 'BRE_B',
      breb: { keyType: 'QR_CODE' },
      callbackUrl: `${example.origin}/`,
    }),
  });
}

async function created(example: RunningExample, id: string) {
  const { output: order } = await example.command('token', id);
  const attempt = (await (await create(example, order, `a-click-for-${id}-on-a-page`)).json()) as Attempt;
  const payin = example.sandbox.engine.payins.find(({ reference }) => reference === attempt.reference);
  return { order, attempt, payinId: payin?.id ?? '' };
}

const read = async (example: RunningExample, id: string) =>
  (await (await fetch(`${example.backend}/payins/${id}`)).json()) as Attempt;

/** Reads until it is so: an example reads a payin from the service at most every two seconds. */
async function until(
  example: RunningExample,
  id: string,
  isSo: (attempt: Attempt) => boolean,
): Promise<Attempt> {
  for (;;) {
    const attempt = await read(example, id);
    if (isSo(attempt)) return attempt;
  }
}

/** What every example takes from a service that does not answer as it should, each with an order of its own. */
function takesMishaps(
  running: () => RunningExample,
  { ofOmitted, ofLost }: Readonly<Record<'ofOmitted' | 'ofLost', string>>,
): void {
  it('takes payins whose answers leave amountInCents out', async () => {
    const example = running();
    example.sandbox.engine.setMishap('amount-in-cents-omitted', true);
    const { attempt, payinId } = await created(example, ofOmitted);
    example.sandbox.engine.settle(payinId, 'CONFIRMED');
    const paid = await until(example, attempt.id, ({ status }) => status === 'CONFIRMED');
    example.sandbox.engine.setMishap('amount-in-cents-omitted', false);
    assert.equal(paid.settlement.state, 'PAID');
  });

  it('looks a payin up when the answer to its creation was lost', async () => {
    const example = running();
    example.sandbox.engine.setMishap('error-after-work', true);
    const { output: order } = await example.command('token', ofLost);
    const answer = await create(example, order, 'a-click-with-a-lost-answer');
    // 201 where it was looked up, or its event came, before the payer was answered.
    assert.ok([201, 202].includes(answer.status), `answered ${answer.status}`);
    example.sandbox.engine.setMishap('error-after-work', false);
    const { id, reference } = (await answer.json()) as Attempt;
    await until(example, id, (attempt) => attempt.kind === 'PAYIN' && attempt.sourceData !== null);
    assert.equal(example.sandbox.engine.payins.filter((each) => each.reference === reference).length, 1);
  });
}

describe('the reference backend in Python', skipWhen(whyWithout('python')), () => {
  let example: RunningExample;
  beforeAll(async () => {
    example = await startExample(PYTHON);
  });
  afterAll(() => example.close());

  it('passes verify at the full level, with payments played at the sandbox', async () => {
    await verify(example, 'full');
    assert.doesNotMatch(example.output(), /Traceback|Error/);
  });

  takesMishaps(() => example, { ofOmitted: 'A-2001', ofLost: 'A-2002' });

  it('does not start without secrets of its own', () => {
    const env = { ...process.env, ORDER_SECRET: '', SERVICE_URL: 'http://x', SERVICE_API_KEY: 'x' };
    const { status, stderr } = spawnSync('python3', ['docs/examples/backend.py'], { env, encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stderr, /Set ORDER_SECRET in the environment \(32 characters or more\)/);
  });
});

describe('the reference backend in PHP', skipWhen(whyWithout('php')), () => {
  const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-php-'));
  let example: RunningExample;
  beforeAll(async () => {
    // The shop's own code refuses A-2003 until a file is there.
    const source = readFileSync(PHP_FILE, 'utf8');
    const ship = '    error_log("$orderId is paid: ship it");';
    const failing = `    if ($orderId === 'A-2003' && !file_exists('${folder}/open')) throw new Exception('closed');\n${ship}`;
    assert.ok(source.includes(ship));
    writeFileSync(join(folder, 'backend.php'), source.replace(ship, failing));
    example = await startExample(php(join(folder, 'backend.php')));
  });
  afterAll(async () => {
    await example.close();
    rmSync(folder, { recursive: true, force: true });
  });

  it('passes verify at the basic level with its offers, with payments played at the sandbox', async () => {
    await verify(example, 'basic');
    assert.doesNotMatch(example.output(), /Warning|Fatal|Notice|Deprecated/);
  });

  it('makes one payin of four clicks at once, and sells nothing twice', async () => {
    const { output: order } = await example.command('token', 'A-2001');
    const clicks = await Promise.all(
      Array.from({ length: 4 }, () => create(example, order, 'one-click-on-one-page')),
    );
    const attempts = (await Promise.all(clicks.map((click) => click.json()))) as Attempt[];
    assert.equal(new Set(attempts.map(({ id }) => id)).size, 1);
    const { payins } = example.sandbox.engine;
    const made = payins.filter(({ reference }) => reference === attempts[0]?.reference);
    assert.equal(made.length, 1);
    example.sandbox.engine.settle(made[0]?.id ?? '', 'CONFIRMED');
    await until(example, attempts[0]?.id ?? '', ({ settlement }) => settlement.state === 'PAID');
    assert.equal((await create(example, order, 'another-click-on-one-page')).status, 409);
  });

  it('finds a payment whose payer is gone by its schedule, past a payin it cannot read', async () => {
    const lost = await created(example, 'A-0001');
    const found = await created(example, 'A-2002');
    const { engine } = example.sandbox;
    engine.setWebhooks([]);
    engine.settle(found.payinId, 'CONFIRMED');
    writeFileSync(join(example.env.DATA_DIR, `payin-${'0'.repeat(32)}`), 'an order nobody knows');
    let last = { code: 0 as number | null, output: '' };
    while (example.said('A-2002 is paid: ship it') === 0) last = await example.command('reconcile');
    rmSync(join(example.env.DATA_DIR, `payin-${'0'.repeat(32)}`));
    assert.equal(last.code, 1, 'what could not be read is said');
    assert.equal((await example.command('reconcile')).code, 0);
    assert.equal((await read(example, lost.attempt.id)).status, 'PROCESSING');
  });

  it('tells the shop again what it did not take', async () => {
    const { attempt, payinId } = await created(example, 'A-2003');
    example.sandbox.engine.settle(payinId, 'CONFIRMED');
    await until(example, attempt.id, ({ status }) => status === 'CONFIRMED');
    assert.equal((await example.command('reconcile')).code, 1);
    assert.equal(example.said('A-2003 is paid: ship it'), 0);
    writeFileSync(join(folder, 'open'), '');
    assert.equal((await example.command('reconcile')).code, 0);
    assert.equal((await example.command('reconcile')).code, 0);
    assert.equal(example.said('A-2003 is paid: ship it'), 1);
  });

  takesMishaps(() => example, { ofOmitted: 'A-2004', ofLost: 'A-2005' });

  it('signs nothing without a secret of its own', () => {
    const env = { ...process.env, ORDER_SECRET: '' };
    const { status, stdout, stderr } = spawnSync('php', [PHP_FILE, 'token', 'A-1'], {
      env,
      encoding: 'utf8',
    });
    assert.notEqual(status, 0);
    assert.match(stdout + stderr, /Set ORDER_SECRET/);
  });
});
