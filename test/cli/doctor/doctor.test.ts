import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import type { Result } from '../../../src/cli/checks.js';
import { examine } from '../../../src/cli/doctor/run.js';
import { listen } from '../../../src/node.js';
import { createSandbox, manualClock, SANDBOX_DEFAULTS, type ScenarioName } from '../../../src/sandbox.js';
import { runCli } from '../cli-process.js';

type Serve = (request: Request) => Promise<Response>;

interface World {
  readonly variants?: readonly ScenarioName[];
  /** Stands between the doctor and the sandbox, for what the sandbox does in one way only. */
  readonly between?: (request: Request, next: Serve) => Promise<Response>;
  readonly mayCreate?: boolean;
  readonly apiKey?: string;
  readonly accessToken?: string | undefined;
}

/** The examination of a sandbox whose time passes only while the doctor waits. */
async function diagnose(world: World = {}) {
  const clock = manualClock();
  const sandbox = createSandbox({ clock, seed: 1, publicUrl: 'https://service.test' });
  for (const name of world.variants ?? []) sandbox.engine.setMishap(name, true);
  const amounts: unknown[] = [];
  const { results: facts, options } = await examine({
    baseUrl: 'https://service.test/',
    apiKey: world.apiKey ?? SANDBOX_DEFAULTS.apiKey,
    accessToken: 'accessToken' in world ? world.accessToken : SANDBOX_DEFAULTS.accessToken,
    mayCreate: world.mayCreate ?? true,
    bank: 'CO_BANKA',
    callbackUrl: 'https://example.com/',
    pause: (durationMs) => clock.advance(durationMs),
    fetch: async (input, init) => {
      if (typeof init.body === 'string') {
        amounts.push((JSON.parse(init.body) as { amountInCents: number }).amountInCents);
      }
      const request = new Request(input, init);
      const next = (passed: Request) => sandbox.fetch(passed);
      return world.between === undefined ? next(request) : world.between(request, next);
    },
  });
  const { payins, links } = sandbox.engine;
  sandbox.close();
  return { facts, options, payins, links, amounts, found: foundIn(facts) };
}

const foundIn = (facts: readonly Result[]) =>
  Object.fromEntries(facts.map(({ id, outcome, found }) => [id, `${outcome}: ${found}`]));

describe('pay-checkout doctor', () => {
  it('finds every fact of the sandbox as it is, and nothing to set', async () => {
    const { found, options } = await diagnose();
    assert.deepEqual(found, {
      access: 'pass: 0 payins on the first page',
      create: 'pass: 100 cents are enough',
      'single-read': 'pass: GET /payins/{id}',
      'repeated-references': 'pass: is refused with 409',
      'final-statuses': 'pass: CONFIRMED, DECLINED, CANCELED',
      'pse-url': 'pass: 1.5 s after creation',
      'link-read': 'pass: the bearer token',
      'list-parameters': 'pass: limit, cursor',
      'status-names': 'pass: PROCESSING, CONFIRMED, DECLINED, CANCELED',
      'amount-units': 'pass: pesos; amountInCents is there',
    });
    assert.deepEqual(options, {});
  });

  it('creates what it says and no more, for one peso each', async () => {
    const { payins, links, amounts } = await diagnose();
    assert.equal(payins.length + links.length, 6, 'the repeated reference was refused');
    assert.deepEqual(new Set(amounts), new Set([100]));
  });

  it('creates nothing without --create, and says what it could not try', async () => {
    const { payins, links, amounts, facts } = await diagnose({ mayCreate: false });
    assert.deepEqual([payins.length, links.length, amounts.length], [0, 0, 0]);
    assert.deepEqual(foundIn(facts), {
      access: 'pass: 0 payins on the first page',
      'single-read': 'skip: there is no payin to read',
      'list-parameters': 'skip: the list is too short to tell',
      'status-names': 'skip: there was no payin to look at',
      'amount-units': 'skip: no payin says both',
    });
  });

  it('teaches other names of statuses, from what the test documents lead to', async () => {
    const { found, options } = await diagnose({ variants: ['renamed-statuses'] });
    assert.equal(found['final-statuses'], 'pass: APPROVED, REJECTED, CANCELLED');
    assert.deepEqual(options, {
      statusNames: { APPROVED: 'CONFIRMED', REJECTED: 'DECLINED', CANCELLED: 'CANCELED' },
    });
  });

  for (const [variant, fact, expected] of [
    ['repeated-references', 'repeated-references', 'pass: makes a second payin'],
    ['amount-as-cents', 'amount-units', 'pass: cents; amountInCents is there'],
    ['amount-in-cents-omitted', 'amount-units', 'pass: pesos; amountInCents is left out'],
    ['pse-url-never-set', 'pse-url', 'fail: not within 30 s'],
    ['lagging-reads', 'single-read', 'pass: GET /payins/{id}, 10 s after its creation'],
  ] as const) {
    it(`recognises ${variant}`, async () => {
      const { found } = await diagnose({ variants: [variant] });
      assert.equal(found[fact], expected);
    });
  }

  it('finds other names of the list’s parameters', async () => {
    const { found, options } = await diagnose({
      between: (request, next) => {
        const url = new URL(request.url);
        if (request.method !== 'GET' || url.pathname !== '/payins') return next(request);
        const query = new URLSearchParams();
        const [size, after] = [url.searchParams.get('page_size'), url.searchParams.get('after')];
        if (size !== null) query.set('limit', size);
        if (after !== null) query.set('cursor', after);
        return next(new Request(`${url.origin}/payins?${query}`, { headers: request.headers }));
      },
    });
    assert.equal(found['list-parameters'], 'pass: page_size, after');
    assert.deepEqual(options, { listParameters: { limit: 'page_size', cursor: 'after' } });
  });

  it('finds that links are read with the API key', async () => {
    const { found, options } = await diagnose({
      between: (request, next) => {
        const isLinkRead = request.method === 'GET' && request.url.includes('/payment-links/');
        if (!isLinkRead) return next(request);
        if (request.headers.get('x-api-key') !== SANDBOX_DEFAULTS.apiKey) {
          return Promise.resolve(new Response(null, { status: 401 }));
        }
        const headers = { authorization: `Bearer ${SANDBOX_DEFAULTS.accessToken}` };
        return next(new Request(request.url, { headers }));
      },
    });
    assert.equal(found['link-read'], 'pass: x-api-key');
    assert.deepEqual(options, { auth: { 'paymentLinks.retrieve': 'apiKey' } });
  });

  it('says that one payin cannot be read, which the kit needs', async () => {
    const { found, facts } = await diagnose({
      between: (request, next) =>
        /\/payins\/./.test(request.url)
          ? Promise.resolve(new Response(null, { status: 405 }))
          : next(request),
    });
    assert.match(found['single-read'] ?? '', /^fail: GET \/payins\/\S+: 405/);
    assert.match(facts.find(({ id }) => id === 'single-read')?.advice ?? '', /Ask the service/);
  });

  it('takes the next amount where one peso is too little', async () => {
    const { found, amounts } = await diagnose({
      between: async (request, next) => {
        const text = request.method === 'POST' ? await request.clone().text() : '';
        return text.includes('"amountInCents":100,')
          ? Response.json({ code: 'too_small' }, { status: 400 })
          : next(request);
      },
    });
    assert.equal(found['create'], 'pass: 100000 cents are enough');
    assert.equal(Math.max(...amounts.map(Number)), 100_000);
  });

  it('says that it learnt nothing, and ends with 1', async () => {
    const sandbox = createSandbox();
    const service = await listen(sandbox);
    const env = { SERVICE_API_KEY: SANDBOX_DEFAULTS.apiKey, SERVICE_ACCESS_TOKEN: '' };
    const { code, stdout } = await runCli(['doctor', '--base-url', service.url], env);
    const json = await runCli(['doctor', '--base-url', service.url, '--json'], env);
    await service.close();
    sandbox.close();
    assert.equal(code, 1);
    assert.match(stdout, /\nNothing was learnt about this service\. Run it with --create/);
    assert.doesNotMatch(stdout, /needs no further options/);
    assert.equal((JSON.parse(json.stdout) as { learnt: boolean }).learnt, false);
  });

  it('stops at a key that is refused', async () => {
    const { found } = await diagnose({ apiKey: 'of-another-environment' });
    const { access, ...others } = found;
    assert.match(access ?? '', /^fail: GET \/payins: 401/);
    assert.deepEqual(new Set(Object.values(others)), new Set(['skip: access failed']));
  });

  it('runs from a terminal with credentials of the environment, and prints none of them', async () => {
    const sandbox = createSandbox({
      apiKey: 'sk-very-secret-key',
      timings: { outcomeDelayMs: 1, pseUrlDelayMs: 1 },
    });
    const service = await listen(sandbox);
    sandbox.engine.setMishap('renamed-statuses', true);
    const env = { SERVICE_API_KEY: 'sk-very-secret-key', SERVICE_ACCESS_TOKEN: '' };
    const { code, stdout, stderr } = await runCli(['doctor', '--base-url', service.url, '--create'], env);
    await service.close();
    sandbox.close();
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Service .*\n\nIt creates at the service, each for the smallest amount/);
    assert.ok(stdout.indexOf('It creates') < stdout.indexOf('ok    create'), 'says so before it does');
    assert.match(
      stdout,
      /Give these to createServiceClient:\n\n {2}statusNames: \{ APPROVED: 'CONFIRMED', REJECTED: 'DECLINED', CANCELLED: 'CANCELED' \},\n$/,
    );
    assert.ok(!`${stdout}${stderr}`.includes('sk-very-secret'));
  });
});
