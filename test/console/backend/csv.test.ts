import assert from 'node:assert/strict';
import { test } from 'vitest';
import { csvFile, csvHead, csvRows } from '../../../src/console/backend/csv.js';
import type { AttemptListItem } from '../../../src/contract/merchant/sales.js';

const ATTEMPT: AttemptListItem = {
  id: 'attempt',
  order: 'pedido-7',
  reference: 'pedido-7-ABC',
  rail: 'PSE',
  status: 'CONFIRMED',
  amountInCents: 4_290_050,
  paidInCents: 4_290_050,
  startedAt: '2026-01-16T04:59:59.999Z',
  shownAt: null,
  paidAt: '2026-01-16T05:00:00.000Z',
  reason: null,
  cus: null,
  bank: null,
};
const row = (changes: Partial<AttemptListItem>) => csvRows([{ ...ATTEMPT, ...changes }]);
const cells = (changes: Partial<AttemptListItem>) => row(changes).trimEnd().split(';');

test('an attempt is a row of plain cells, in Colombian time and with a decimal comma', () => {
  assert.equal(
    row({}),
    '2026-01-15 23:59:59;pedido-7;pedido-7-ABC;PSE;Confirmado;42900,50;42900,50;0,00;42900,50;2026-01-16 00:00:00;;;;\r\n',
  );
  assert.equal(csvRows([ATTEMPT, ATTEMPT]), row({}) + row({}));
  assert.equal(csvHead().split(';').length, cells({}).length);
});

test('what is not there is an empty cell', () => {
  assert.deepEqual(cells({ paidAt: null, paidInCents: 0, reason: null }).slice(6), [
    '0,00',
    '0,00',
    '0,00',
    '',
    '',
    '',
    '',
    '',
  ]);
});

test('a payment has its CUS and bank, and a reason in words beside its code', () => {
  const written = cells({ cus: '3381422', bank: 'Bancolombia', reason: 'DECLINED_BY_BANK' }).slice(10);
  assert.deepEqual(written, ['3381422', 'Bancolombia', 'Rechazado por el banco', 'DECLINED_BY_BANK']);
  assert.equal(cells({ reason: 'E-77' }).at(-2), 'Otro motivo');
});

test('money that went out is no money received, and lowers the net', () => {
  const amounts = cells({ rail: 'REFUND', paidInCents: 1_000_000 }).slice(6, 9);
  assert.deepEqual(amounts, ['0,00', '10000,00', '-10000,00']);
});

test('few cents and those that were taken back stay numbers', () => {
  const amounts = [0, 5, 50, 99, 100, -5, -123_456].map((paidInCents) => cells({ paidInCents })[6]);
  assert.deepEqual(amounts, ['0,00', '0,05', '0,50', '0,99', '1,00', '-0,05', '-1234,56']);
});

test('names of methods and states are those of the console, unknown ones as they came', () => {
  const names = (rail: string, status: string) => cells({ rail, status }).slice(3, 5);
  assert.deepEqual(names('BRE_B', 'PENDING'), ['Bre-B', 'Pendiente']);
  assert.deepEqual(names('PAYMENT_LINK', 'COMPLETED'), ['Enlace de pago', 'Pagado']);
  assert.deepEqual(names('PSE', 'PROCESSING'), ['PSE', 'En proceso']);
  assert.deepEqual(names('PSE', 'DECLINED'), ['PSE', 'Rechazado']);
  assert.deepEqual(names('PSE', 'CANCELED'), ['PSE', 'Cancelado']);
  assert.deepEqual(names('PAYMENT_LINK', 'EXPIRED'), ['Enlace de pago', 'Vencido']);
  assert.deepEqual(names('CARD', 'HELD'), ['CARD', 'HELD']);
  assert.deepEqual(names('=CARD', '=HELD'), ["'=CARD", "'=HELD"]);
});

test('a cell that would be a formula or more than one cell is text', () => {
  for (const start of ['=', '+', '-', '@', '\t']) {
    const given = `${start}1`;
    const texts = cells({ order: given, reference: given, reason: given });
    const expected = start === '\t' ? `"'${given}"` : `'${given}`;
    assert.deepEqual([texts[1], texts[2], texts.at(-1)], [expected, expected, expected]);
  }
  assert.match(row({ order: '\r1' }), /;"'\r1";/);
  assert.match(row({ reason: 'a;b "c"\nd' }), /;"a;b ""c""\nd"\r\n$/);
  assert.equal(cells({ order: 'a=1' })[1], 'a=1');
});

test('a cell is quoted as RFC 4180 says, whichever separator its reader takes', () => {
  assert.match(row({ order: 'a,b' }), /;"a,b";/);
  assert.match(row({ order: 'a"b' }), /;"a""b";/);
  assert.match(row({ order: 'a\r\nb' }), /;"a\r\nb";/);
});

test('a formula after a separator inside a cell is text too', () => {
  for (const [given, written] of [
    ['x,=1+1', `"x,'=1+1"`],
    ['x;@SUM(A1)', `"x;'@SUM(A1)"`],
    ['x\n+1', `"x\n'+1"`],
    ['x\t-1', `"x\t'-1"`],
    ['x, =1', `"x, '=1"`],
    ['  =1', `  '=1`],
    ['"=1', `"""'=1"`],
    ['a-1=b', 'a-1=b'],
  ] as const)
    assert.ok(row({ order: given }).includes(`;${written};`), row({ order: given }));
});

test('the file goes on page after page as it is taken', async () => {
  const orders = [['e', 'd'], ['c', 'b'], ['a']];
  let pages = 0;
  const file = csvFile(
    {
      list: async () => {
        const listed = orders[pages++] ?? [];
        return {
          attempts: listed.map((order) => ({ ...ATTEMPT, order })),
          next: pages < orders.length ? String(pages) : null,
        };
      },
    },
    {},
  );
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  await turn();
  assert.equal(pages, 0, 'nothing is read before it is taken');
  const decoder = new TextDecoder();
  const readThen: number[] = [];
  let text = '';
  for await (const part of file) {
    text += decoder.decode(part);
    await turn();
    readThen.push(pages);
  }
  assert.deepEqual(readThen, [1, 2, 3, 3], 'one page ahead');
  const [, ...rows] = text.trimEnd().split('\r\n');
  assert.deepEqual(
    rows.map((row) => row.split(';')[1]),
    orders.flat(),
  );
});
