import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { whyWithout } from '../../../scripts/tests/needs.js';
import { ORDERS_NEEDED } from '../../../src/cli/verify/plays.js';
import { verifyBackend } from '../../../src/cli/verify/run.js';
import { listen } from '../../../src/node.js';
import { SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import { skipWhen } from '../../support/skip-when.js';
import { type Example, type RunningExample, startExample } from './example-backend.js';
import { itLong } from '../../support/it-long.js';

/** The backends of the Basic level in docs/examples, as they are published. */

interface Language {
  readonly name: string;
  /** Why it cannot be run here. */
  readonly missing: string | undefined;
  readonly file: string;
  readonly example: (file: string) => Example;
  /** Where it ships, to make that fail. */
  readonly ship: string;
  readonly failing: (flag: string) => string;
}

const LANGUAGES: readonly Language[] = [
  {
    name: 'Python',
    missing: whyWithout('python'),
    file: 'docs/examples/basic.py',
    example: (file) => ({
      serve: () => ['python3', file],
      run: ['python3', file],
      started: 'Checkout on http',
    }),
    ship: '    print(f"{order_id} is paid: ship it", file=sys.stderr, flush=True)',
    failing: (flag) =>
      `    if order_id == "A-2003" and not os.path.exists("${flag}"): raise OSError("closed")\n`,
  },
  {
    name: 'PHP',
    missing: whyWithout('php'),
    file: 'docs/examples/basic.php',
    example: (file) => ({
      serve: (host, port) => ['php', '-S', `${host}:${port}`, file],
      run: ['php', file],
      started: 'started',
    }),
    ship: '    error_log("$orderId is paid: ship it");',
    failing: (flag) =>
      `    if ($orderId === 'A-2003' && !file_exists('${flag}')) throw new Exception('closed');\n`,
  },
];

interface Payin {
  readonly id: string;
  readonly reference: string;
  readonly status: string;
  readonly sourceData: object | null;
}

function create(example: RunningExample, order: string, key: string, more: object = {}): Promise<Response> {
  const body = {
    order,
    rail: 'BRE_B',
    breb: { keyType: 'QR_CODE' },
    callbackUrl: `${example.origin}/`,
    ...more,
  };
  const headers = { 'content-type': 'application/json', 'idempotency-key': key };
  return fetch(`${example.backend}/payins`, { method: 'POST', headers, body: JSON.stringify(body) });
}

async function created(example: RunningExample, id: string, more?: object) {
  const { output: order } = await example.command('token', id);
  const payin = (await (await create(example, order, `a-click-for-${id}-on-a-page`, more)).json()) as Payin;
  const atService = example.sandbox.engine.payins.find(({ reference }) => reference === payin.reference);
  return { order, payin, atService, payinId: atService?.id ?? '' };
}

async function until(example: RunningExample, id: string, isSo: (payin: Payin) => boolean): Promise<Payin> {
  for (;;) {
    const payin = (await (await fetch(`${example.backend}/payins/${id}`)).json()) as Payin;
    if (isSo(payin)) return payin;
  }
}

for (const language of LANGUAGES) {
  describe(`the Basic backend in ${language.name}`, skipWhen(language.missing), () => {
    const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-basic-'));
    const flag = join(folder, 'open');
    let example: RunningExample;
    beforeAll(async () => {
      // The shop's own code refuses A-2003 until a file is there.
      const source = readFileSync(language.file, 'utf8');
      assert.ok(source.includes(language.ship));
      const file = join(folder, 'backend');
      writeFileSync(file, source.replace(language.ship, language.failing(flag) + language.ship));
      example = await startExample(language.example(file));
    });
    afterAll(async () => {
      await example.close();
      rmSync(folder, { recursive: true, force: true });
    });

    const itVerifies = language === LANGUAGES[0] ? it : itLong;
    itVerifies('passes verify, with payments played at the sandbox', async () => {
      const tokens = [];
      for (let order = 1001; order < 1001 + ORDERS_NEEDED; order++)
        tokens.push((await example.command('token', `A-${order}`)).output);
      const [order = '', ...spareOrders] = tokens;
      const checks = await verifyBackend({
        backend: example.backend,
        order,
        spareOrders,
        level: 'basic',
        callbackUrl: `${example.origin}/gracias?x=1#pago`,
        webhook: { header: SANDBOX_DEFAULTS.webhookHeaderName, secret: SANDBOX_DEFAULTS.webhookHeaderValue },
        sandbox: example.sandboxUrl,
        shop: example.shopUrl,
      });
      // It serves the pages of its own origin, and has no offers.
      const isLeftOut = (id: string) => id.startsWith('cors-') || ['offer', 'price'].includes(id);
      assert.deepEqual(
        checks.filter(({ id, outcome }) => outcome !== 'pass' && !isLeftOut(id)),
        [],
        example.output(),
      );
      assert.doesNotMatch(example.output(), /Warning|Fatal|Notice|Deprecated/);
    });

    it('makes one payin of four clicks at once, and ships it once to seven readers', async () => {
      const { output: order } = await example.command('token', 'A-2001');
      const clicks = await Promise.all(
        Array.from({ length: 4 }, () => create(example, order, 'one-click-on-one-page')),
      );
      const payins = (await Promise.all(clicks.map((click) => click.json()))) as Payin[];
      assert.equal(new Set(payins.map(({ id }) => id)).size, 1);
      const made = example.sandbox.engine.payins.filter(
        ({ reference }) => reference === payins[0]?.reference,
      );
      assert.equal(made.length, 1);
      example.sandbox.engine.settle(made[0]?.id ?? '', 'CONFIRMED');
      const readers = Array.from({ length: 7 }, () =>
        until(example, payins[0]?.id ?? '', ({ status }) => status === 'CONFIRMED'),
      );
      await Promise.all(readers);
      assert.equal(example.said('A-2001 is paid: ship it'), 1);
    });

    it('finds a payment whose event was lost and whose payer is gone by its schedule', async () => {
      const { payinId } = await created(example, 'A-2002');
      const { engine } = example.sandbox;
      const [webhook] = engine.webhooks;
      engine.setWebhooks([]);
      engine.settle(payinId, 'CONFIRMED');
      while (example.said('A-2002 is paid: ship it') === 0) await example.command('reconcile');
      if (webhook !== undefined) engine.setWebhooks([webhook]);
    });

    it('ships again what the shop did not take', async () => {
      const { payinId } = await created(example, 'A-2003');
      example.sandbox.engine.settle(payinId, 'CONFIRMED');
      await example.command('reconcile');
      assert.equal(example.said('A-2003 is paid: ship it'), 0);
      writeFileSync(flag, '');
      while (example.said('A-2003 is paid: ship it') === 0) await example.command('reconcile');
      await example.command('reconcile');
      assert.equal(example.said('A-2003 is paid: ship it'), 1);
    });

    it('looks a payin up when the answer to its creation was lost', async () => {
      const { engine } = example.sandbox;
      engine.setMishap('error-after-work', true);
      const { payin } = await created(example, 'A-2004');
      engine.setMishap('error-after-work', false);
      await until(example, payin.id, ({ sourceData }) => sourceData !== null);
      assert.equal(engine.payins.filter(({ reference }) => reference === payin.reference).length, 1);
    });

    it('asks the service for a company where the payer is one', async () => {
      const inlineCustomer = {
        name: 'Café Andino SAS',
        idType: 'CO_NIT',
        idNumber: '900123456',
        phone: '+573001234567',
        email: 'pagos@cafe.example',
      };
      const pse = { bank: 'CO_BANCOLOMBIA', personType: 'BUSINESS' };
      const { payin, atService } = await created(example, 'A-2005', { rail: 'PSE', pse, inlineCustomer });
      assert.ok(atService?.source.rail === 'PSE', JSON.stringify(payin));
      assert.equal(atService.source.personType, 'BUSINESS');
      const { order } = await created(example, 'A-2006');
      const unknown = { rail: 'PSE', pse: { ...pse, personType: 'COMPANY' }, inlineCustomer };
      assert.equal((await create(example, order, 'a-payer-of-no-known-kind', unknown)).status, 400);
    });

    it('starts nothing without a secret of its own', () => {
      const env = { ...process.env, ORDER_SECRET: '' };
      const [program, ...args] = language.example(language.file).run;
      const { status, stdout, stderr } = spawnSync(program, [...args, 'token', 'A-1'], {
        env,
        encoding: 'utf8',
      });
      assert.notEqual(status, 0);
      assert.match(stdout + stderr, /Set .*ORDER_SECRET/);
    });

    it('does not carry its API key along a redirect', async () => {
      const keys: (string | null)[] = [];
      const elsewhere = await listen({
        fetch(request) {
          keys.push(request.headers.get('x-api-key'));
          return Response.json({});
        },
      });
      const redirecting = await listen({
        fetch: ({ url }) => Response.redirect(`${elsewhere.url}${new URL(url).pathname}`, 307),
      });
      const other = await startExample(language.example(language.file), { SERVICE_URL: redirecting.url });
      try {
        const { output: order } = await other.command('token', 'A-1');
        const answer = await create(other, order, 'a-click-on-a-page-of-it');
        assert.equal(answer.status, 202);
        assert.deepEqual(keys, []);
      } finally {
        await other.close();
        await redirecting.close();
        await elsewhere.close();
      }
    });
  });
}
