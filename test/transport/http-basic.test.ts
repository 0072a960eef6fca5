import assert from 'node:assert/strict';
import { describe, it } from 'vitest';
import { basicLevel } from '../../src/transport/http/basic.js';
import { type HttpTransportOptions, createHttpTransport } from '../../src/transport/http/http-transport.js';
import { NOON_MS, iso, keyMethod, link, merchant, offer } from '../machine/fixtures.js';
import { against, failing, json, problem } from './http-server.js';

const { signal } = new AbortController();
const page = () => ({ order: 'A-1042', merchant, description: 'Zapatos' });
const order = { amountInCents: 5_000_000, description: 'Zapatos', merchant, methods: [keyMethod] };
const basic = basicLevel(() => Promise.resolve(order), page);

/** A payin as the service gives it, passed through. */
const passedThrough = {
  id: '5f0f4f62-5f0c-4f0e-9a53-5b9f6f1c7a11',
  amount: 50_000,
  amountInCents: 5_000_000,
  confirmedAmount: null,
  confirmedAmountInCents: null,
  currency: 'COP',
  status: 'PROCESSING',
  settlementStatus: 'PENDING_SETTLEMENT',
  rail: 'BRE_B',
  reference: 'ref-1',
  paymentLinkId: null,
  inlineCustomer: { name: 'Ana' },
  errorCode: null,
  createdAt: iso(NOON_MS),
  updatedAt: iso(NOON_MS),
  resultAt: null,
  chargebackAt: null,
  organizationId: '5f0f4f62-0000-4f0e-9a53-5b9f6f1c7a11',
  sourceData: { keyType: 'SINGLE_USE', keyString: '@tienda', checkoutUrl: 'https://pay.example/c' },
  callbackUrl: null,
};

describe('asking a Basic backend', () => {
  const read = (value: unknown, options: Partial<HttpTransportOptions> = {}) => {
    const fetch = () => Promise.resolve(Response.json(value));
    const facts = { backend: '/', basic, now: () => NOON_MS, fetch };
    const target = { kind: 'PAYIN', id: passedThrough.id } as const;
    return createHttpTransport({ ...facts, ...options }).read(target, { signal });
  };

  it('makes the offer of attributes when the backend has none', async () => {
    for (const status of [404, 405, 501]) {
      await against(
        json('Not here', status, { 'Content-Type': 'text/html' }),
        async (transport) => {
          const { offer, level } = await transport.offer('A-1042', { signal });
          assert.deepEqual([level, offer.amountInCents, offer.methods], ['BASIC', 5_000_000, [keyMethod]]);
        },
        { basic },
      );
    }
  });

  it('believes a backend that knows offers but not this order', async () => {
    await against(
      problem({ status: 404, ...{ code: 'not_found' } }),
      async (transport) => {
        assert.equal((await failing(transport.offer('A-1042', { signal }))).problem?.code, 'not_found');
      },
      { basic },
    );
  });

  it('completes no link: only a Full backend has them', async () => {
    const { settlement: _, ...bare } = link();
    assert.equal((await failing(read(bare))).kind, 'MALFORMED');
  });

  it('does not take an outage for a Basic backend, and makes no offer without attributes', async () => {
    await against(
      json('', 500),
      async (transport) => {
        assert.equal((await failing(transport.offer('A-1042', { signal }))).status, 500);
      },
      { basic },
    );
    await against(json('', 404), async (transport) => {
      assert.equal((await failing(transport.offer('A-1042', { signal }))).status, 404);
    });
  });

  it('asks for no offer where the page says that there is none', async () => {
    await against(
      json(offer()),
      async (transport, asked) => {
        assert.equal((await transport.offer('A-1042', { signal })).level, 'BASIC');
        assert.deepEqual(asked, []);
      },
      { basic, level: 'basic' },
    );
    const transport = createHttpTransport({
      backend: '/',
      level: 'basic',
      basic: basicLevel(() => Promise.resolve(null), page),
    });
    const error = await failing(transport.offer('A-1042', { signal }));
    assert.deepEqual([error.kind, /"amount-in-cents"/.test(error.message)], ['MISCONFIGURED', true]);
  });

  it('fills in what the service’s payin does not say, and drops what it should not', async () => {
    const attempt = await read(passedThrough);
    assert.equal(attempt.order, 'A-1042');
    assert.equal(attempt.merchant.name, 'Tienda');
    assert.equal(attempt.description, 'Zapatos');
    assert.deepEqual(attempt.settlement, { state: 'OPEN', by: null, duplicate: false });
    assert.equal(attempt.now, iso(NOON_MS));
    assert.ok(!JSON.stringify(attempt).includes('Ana'));
    assert.ok(!('organizationId' in attempt));
  });

  it('gives another version when the status or the time of the last change is another', async () => {
    const { version } = await read(passedThrough);
    assert.equal((await read(passedThrough)).version, version);
    for (const change of [{ updatedAt: iso(NOON_MS + 1) }, { status: 'DECLINED' }])
      assert.notEqual((await read({ ...passedThrough, ...change })).version, version);
  });

  it('settles the order by the payin itself, also with another amount', async () => {
    const paid = { ...passedThrough, status: 'CONFIRMED' };
    const { id } = passedThrough;
    assert.deepEqual((await read(paid)).settlement, { state: 'PAID', by: id, duplicate: false });
    assert.equal(
      (await read({ ...paid, confirmedAmountInCents: 4_000_000 })).settlement.state,
      'AMOUNT_DIFFERS',
    );
    assert.equal((await read({ ...paid, confirmedAmountInCents: 5_000_000 })).settlement.state, 'PAID');
  });

  it('leaves the order open at any status but CONFIRMED, also at an unknown one', async () => {
    for (const status of ['APPROVED', 'confirmed', 'constructor', 'DECLINED', 'PENDING']) {
      const { settlement } = await read({ ...passedThrough, status });
      assert.deepEqual(settlement, { state: 'OPEN', by: null, duplicate: false }, status);
    }
  });

  it('needs an amount in whole cents', async () => {
    for (const amountInCents of [undefined, null, 50_000.5, '5000000', 0]) {
      assert.equal((await failing(read({ ...passedThrough, amountInCents }))).kind, 'MALFORMED');
    }
  });

  it('refuses what cannot become text, instead of breaking on it', async () => {
    const odd = { toString: null };
    const { sourceData } = passedThrough;
    for (const wrong of [
      { updatedAt: odd },
      { sourceData: { ...sourceData, bank: 'CO_BBVA', cus: odd }, rail: 'PSE' },
    ])
      assert.equal((await failing(read({ ...passedThrough, ...wrong }))).kind, 'MALFORMED');
    assert.equal((await read({ ...passedThrough, status: odd })).status, 'PROCESSING');
  });

  it('shows the key to pay, and none until the service has said it', async () => {
    const sourceDataOf = async (sourceData: object) => {
      const attempt = await read({ ...passedThrough, sourceData });
      assert.ok(attempt.kind === 'PAYIN' && attempt.rail === 'BRE_B');
      return attempt.sourceData;
    };
    assert.equal((await sourceDataOf(passedThrough.sourceData))?.keyString, '@tienda');
    assert.equal(await sourceDataOf({ keyType: 'SINGLE_USE', keyString: '' }), null);
  });

  it('takes a payin without the bank’s address or without a bank, and a CUS that is a number', async () => {
    const bank = { ...passedThrough, rail: 'PSE', sourceData: { bank: 'CO_BANCOLOMBIA', pseUrl: null } };
    const waiting = await read(bank);
    assert.ok(waiting.kind === 'PAYIN' && waiting.rail === 'PSE');
    assert.deepEqual([waiting.sourceData?.bank, waiting.sourceData?.pseUrl], ['CO_BANCOLOMBIA', null]);
    const numbered = { ...bank, sourceData: { ...bank.sourceData, cus: 1_234_567 } };
    const attempt = await read(numbered);
    assert.ok(attempt.kind === 'PAYIN' && attempt.rail === 'PSE');
    assert.equal(attempt.sourceData?.cus, '1234567');
    const none = await read({ ...bank, sourceData: {} });
    assert.ok(none.kind === 'PAYIN' && none.sourceData === null);
  });
});
