import assert from 'node:assert/strict';
import { onTestFinished, test, vi } from 'vitest';
import { basicOrder, basicPage } from '../../src/element/basic-order.js';
import { es } from '../../src/locales/es.js';
import { config } from '../machine/fixtures.js';

type Page = Parameters<typeof basicPage>[0];

const BANKS = [{ code: 'CO_BBVA', name: 'BBVA Colombia' }];
const PAGE: Page = {
  order: 'A-1042',
  amountInCents: 5_000_000,
  description: 'Zapatos',
  banks: BANKS,
  apps: null,
  merchant: null,
  merchantName: 'Tienda',
  privacyUrl: null,
  termsUrl: null,
  words: es,
};
const UNSAID = { taxId: null, supportEmail: null, supportPhone: null, payeeName: null };
const QR = { kind: 'PAYIN', rail: 'BRE_B', keyType: 'QR_CODE', requires: [] };
const KEY = { ...QR, keyType: 'SINGLE_USE' };
const PSE = {
  kind: 'PAYIN',
  rail: 'PSE',
  banks: BANKS,
  requires: ['name', 'idType', 'idNumber', 'phone', 'email'],
};

async function told(page: Partial<Page> = {}, wishes: Partial<typeof config> = {}) {
  const mistakes: string[] = [];
  const order = await basicOrder({ ...PAGE, ...page }, { ...config, ...wishes }, (each) =>
    mistakes.push(each),
  );
  return { order, mistakes };
}

test('attributes make an order: its amount, its merchant and every way to pay', async () => {
  assert.deepEqual(await told(), {
    order: {
      amountInCents: 5_000_000,
      description: 'Zapatos',
      merchant: { ...UNSAID, name: 'Tienda' },
      methods: [QR, KEY, PSE],
    },
    mistakes: [],
  });
});

test('without an amount there is no order to show', async () => {
  for (const amountInCents of [null, 0, 10.5]) assert.equal((await told({ amountInCents })).order, null);
});

test('only the methods that the page asks for are offered, in its order, and PSE only with banks', async () => {
  for (const [page, wishes, methods] of [
    [{}, { rails: ['PSE', 'BRE_B'] }, [PSE, QR, KEY]],
    [{}, { rails: ['BRE_B'], keyType: 'SINGLE_USE' }, [KEY]],
    [{}, { keyType: 'QR_CODE' }, [QR, PSE]],
    [{ banks: [] }, {}, [QR, KEY]],
    [{ banks: null }, { rails: ['PSE'] }, []],
  ] as const) {
    const { order, mistakes } = await told(page, wishes);
    assert.deepEqual(order?.methods, methods);
    assert.deepEqual(mistakes, [], 'a page may offer no PSE');
  }
});

test('banks may be written as JSON or as its address; anything else is said, and PSE left out', async () => {
  const json = JSON.stringify(BANKS);
  for (const banks of [json, ` ${json}`, `data:application/json,${encodeURIComponent(json)}`]) {
    const { order, mistakes } = await told({ banks }, { rails: ['PSE'] });
    assert.deepEqual([order?.methods, mistakes], [[PSE], []], banks);
  }
  for (const banks of ['[', '[{"code":1}]', 'data:application/json,{}', 'data:text/plain,none']) {
    const { order, mistakes } = await told({ banks });
    assert.deepEqual(order?.methods, [QR, KEY], banks);
    assert.equal(mistakes.length, 1, banks);
    assert.match(mistakes[0] ?? '', /^"banks" is neither a list/);
  }
});

test('the merchant is the one that the page names; a page that names none is warned', async () => {
  const merchant = { name: 'Café', supportEmail: 'ayuda@cafe.test', termsUrl: 'https://cafe.test/terms' };
  for (const [page, shown, said] of [
    [{ merchant }, { ...UNSAID, ...merchant }, 0],
    [{ merchant, merchantName: null }, { ...UNSAID, ...merchant }, 0],
    [{ merchantName: null }, { ...UNSAID, name: es.theMerchant }, 1],
    [{ merchantName: '' }, { ...UNSAID, name: es.theMerchant }, 1],
  ] as const) {
    const { order, mistakes } = await told(page);
    assert.deepEqual(order?.merchant, shown);
    assert.equal(mistakes.length, said);
  }
  assert.deepEqual(basicPage(PAGE), {
    order: 'A-1042',
    description: 'Zapatos',
    merchant: { ...UNSAID, name: 'Tienda' },
  });
});

test('an address of banks that never answers is given up after a while, and the other ways are offered', async () => {
  const patience = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(patience.signal);
  vi.stubGlobal(
    'fetch',
    (_: string, init?: RequestInit) =>
      new Promise((_, reject) => {
        init?.signal?.addEventListener('abort', () => reject(new DOMException('', 'TimeoutError')));
      }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  onTestFinished(() => void vi.restoreAllMocks());
  const reading = told({ banks: '/banks.json' });
  assert.deepEqual(timeout.mock.calls, [[15_000]]);
  patience.abort();
  const { order, mistakes } = await reading;
  assert.deepEqual(order?.methods, [QR, KEY]);
  assert.match(mistakes.join(), /^"banks" is neither a list/);
});
