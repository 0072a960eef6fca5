import assert from 'node:assert/strict';
import { describe as group, it } from 'vitest';
import { describe, review } from '../../src/cli/orders/command.js';
import { pesos } from '../../src/cli/pesos.js';
import { csv, dayFlag, table } from '../../src/cli/reconcile.js';
import { describeDraft, describeRefund } from '../../src/cli/orders/refund.js';
import type { PayoutView } from '../../src/contract/merchant/payouts.js';
import type { OrderView, Reconciliation, ReviewPage } from '../../src/contract/merchant/sales.js';

/** What commands print, by what they are given. */

it('amounts have both of their cents or none, and a shortfall is negative', () => {
  assert.deepEqual([4_290_000, 4_290_050, 4_290_005, 0, 1, -4_290_050].map(pesos), [
    '$ 42.900',
    '$ 42.900,50',
    '$ 42.900,05',
    '$ 0',
    '$ 0,01',
    '-$ 42.900,50',
  ]);
});

group('the comparison with the service', () => {
  const payment = {
    createdAt: '2026-01-15T15:00:00.000Z',
    reference: 'A-1-1',
    serviceId: 'payin-1',
    order: 'A-1',
    rail: 'BRE_B',
    theirStatus: 'CONFIRMED',
    ourStatus: 'CONFIRMED',
    theirsInCents: 4_290_000,
    oursInCents: 4_290_000,
    result: 'same',
  } as const;
  const result: Reconciliation = {
    payments: [
      payment,
      payment,
      { ...payment, reference: 'A-2-1', order: 'A-2', oursInCents: 0, ourStatus: null, result: 'settled' },
      {
        ...payment,
        reference: '=cmd()',
        order: null,
        serviceId: null,
        rail: null,
        theirsInCents: 100_050,
        oursInCents: 0,
        result: 'unknown_order',
      },
    ],
    theirsInCents: 12_970_050,
    oursInCents: 8_580_000,
    moneyOut: {
      lines: [
        {
          at: '2026-01-15T16:00:00.000Z',
          reference: 'refund-1',
          order: 'A-1',
          kind: 'refund',
          status: 'CONFIRMED',
          outInCents: 1_000_005,
        },
      ],
      outInCents: 1_000_005,
      openInCents: 200_000,
    } as unknown as Reconciliation['moneyOut'],
    netInCents: 7_579_995,
    cursor: null,
    stoppedBy: null,
  };

  it('lists what is not the same, counts every result, and sums both sides', () => {
    assert.equal(
      table(result),
      `settled  A-2-1  order A-2  theirs $ 42.900  ours $ 0
unknown_order  =cmd()  order unknown  theirs $ 1.000,50  ours $ 0

       2  same
       1  settled
       1  unknown_order
Theirs $ 129.700,50, ours $ 85.800, difference -$ 43.900,50
Went out $ 10.000,05, without an outcome $ 2.000, net $ 75.799,95
`,
    );
  });

  it('says of a run that went on that it is the rest alone, and how the whole is had', () => {
    const lines = table(result, true).trimEnd().split('\n');
    assert.deepEqual(lines.slice(-2), [
      'Theirs $ 129.700,50, ours $ 85.800, difference -$ 43.900,50',
      'This is the rest only: what went out is not counted, and payments that the service lacks were not looked for. Run it without --cursor for both.',
    ]);
  });

  it('is a file whose columns add up, and in which no text is a formula', () => {
    const [head, ...rows] = csv(result).split('\r\n');
    assert.equal(
      head,
      'created_at,reference,service_id,order,rail,their_status,our_status,theirs_cop,ours_cop,difference_cop,result',
    );
    assert.deepEqual(rows, [
      '2026-01-15T15:00:00.000Z,A-1-1,payin-1,A-1,BRE_B,CONFIRMED,CONFIRMED,42900.00,42900.00,0.00,same',
      '2026-01-15T15:00:00.000Z,A-1-1,payin-1,A-1,BRE_B,CONFIRMED,CONFIRMED,42900.00,42900.00,0.00,same',
      '2026-01-15T15:00:00.000Z,A-2-1,payin-1,A-2,BRE_B,CONFIRMED,,42900.00,0.00,-42900.00,settled',
      "2026-01-15T15:00:00.000Z,'=cmd(),,,,CONFIRMED,CONFIRMED,1000.50,0.00,-1000.50,unknown_order",
      '2026-01-15T16:00:00.000Z,refund-1,,A-1,refund,,CONFIRMED,,-10000.05,,money_out',
      '',
    ]);
  });
});

it('a day begins at midnight in Colombia, and what is no day is refused', () => {
  assert.equal(dayFlag({ from: '2026-01-31' }, 'from').toISOString(), '2026-01-31T05:00:00.000Z');
  for (const from of ['2026-1-31', '2026-02-30', '2026-13-01', 'today', ''])
    assert.throws(() => dayFlag({ from }, 'from'), /--from is a day such as/);
});

it('what needs a person is listed from all pages', async () => {
  const item = { kind: 'duplicate', since: 'T1', detail: 'paid twice', key: 'k1' };
  const pages: Readonly<Record<string, unknown>> = {
    first: { orders: [{ order: 'A-1', items: [item] }], next: 'second' },
    second: { orders: [{ order: null, items: [item, { ...item, key: 'k2' }] }], next: null },
  };
  const { text } = await review({
    review: ({ after = 'first' } = {}) => Promise.resolve(pages[after] as ReviewPage),
  });
  assert.equal(
    text,
    `A-1  duplicate  since T1  (paid twice)  k1
payout  duplicate  since T1  (paid twice)  k1
payout  duplicate  since T1  (paid twice)  k2
`,
  );
});

it('an order is shown with its attempts, payments, what waits for a person, notices and history', () => {
  const payment = { kind: 'PAYIN' as const, confirmedAmountInCents: null, nextReadAt: null };
  const view: OrderView = {
    order: 'A-1',
    description: null,
    amountInCents: 4_290_050,
    paidInCents: 4_290_050,
    missingInCents: 0,
    handled: [],
    attempts: [
      {
        kind: 'PAYIN',
        rail: 'BRE_B',
        status: 'CONFIRMED',
        amountInCents: 4_290_050,
        createdAt: 'T1',
        payments: [
          { ...payment, reference: 'A-1-1', serviceId: 'payin-1', status: 'CONFIRMED', readAt: 'T2' },
          { ...payment, reference: 'A-1-2', serviceId: null, status: 'PENDING', readAt: null },
        ],
      },
      {
        kind: 'PAYMENT_LINK',
        rail: null,
        status: 'EXPIRED',
        amountInCents: 100,
        createdAt: 'T3',
        payments: [],
      },
    ],
    payments: [{ reference: 'A-1-1', amountInCents: 4_290_050, at: 'T2' }],
    review: [
      { kind: 'DUPLICATE', key: 'k1', detail: 'A-1-2', since: 'T4' },
    ] as unknown as OrderView['review'],
    notices: [
      { key: 'n1', hook: 'onConfirmed', tries: 3, deliveredAt: null },
      { key: 'n2', hook: 'onEnded', tries: 1, deliveredAt: 'T5' },
    ],
    history: [{ at: 'T1', event: 'attempt_created' }],
    dueAt: null,
  };
  assert.deepEqual(
    describe(view)
      .split('\n')
      .map((line) => line.trimEnd()),
    [
      'Order A-1',
      '  T1  BRE_B  CONFIRMED  $ 42.900,50',
      '    A-1-1  CONFIRMED  payin-1  read T2',
      '    A-1-2  PENDING  not known at the service  read never',
      '  T3  PAYMENT_LINK  EXPIRED  $ 1',
      '  paid $ 42.900,50  A-1-1  T2',
      '  needs a person: DUPLICATE (A-1-2)  k1',
      '  onConfirmed  n1  waiting, 3 tries',
      '  onEnded  n2  delivered T5',
      '  History',
      '    T1  attempt_created',
      '',
    ],
  );
});

group('a refund', () => {
  const draft = {
    amountInCents: 4_290_000,
    returnableInCents: 5_000_050,
    receiver: {
      name: 'XIMENA Q***',
      document: 'CC ***789',
      bank: 'Banco de Prueba',
      account: '***6789',
      key: '@xim***',
      typed: { name: 'Ana P***', document: 'CC ***123' },
      differs: true,
    },
  } as unknown as PayoutView;

  it('says before it is sent how much of how much goes to whom, and that it is another person', () => {
    assert.equal(
      describeDraft(draft),
      `Refund of $ 42.900, of $ 50.000,50 that can be given back
  key       @xim***
  owner     XIMENA Q***  CC ***789
  account   Banco de Prueba  ***6789
  expected  Ana P***  CC ***123
  The key belongs to another person than was expected.
`,
    );
    const same = { ...draft, receiver: { ...draft.receiver, differs: false } };
    assert.doesNotMatch(describeDraft(same), /another person/);
  });

  it('that may have been sent is never called sent or failed', () => {
    const told = (state: string, reason: string | null = null) =>
      describeRefund({ state, reference: 'refund-1', reason } as PayoutView);
    for (const state of ['PROCESSING', 'SENDING']) assert.match(told(state), /is on its way as refund-1/);
    assert.match(
      told('UNCLEAR', 'timeout'),
      /^Unclear whether refund-1 was sent \(timeout\)\. Do not send it again/,
    );
    assert.equal(told('REFUSED', 'bad_request'), 'refund-1 is REFUSED (bad_request).\n');
    assert.equal(told('CONFIRMED'), 'refund-1 is CONFIRMED.\n');
  });
});
