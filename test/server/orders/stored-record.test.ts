import assert from 'node:assert/strict';
import { test } from 'vitest';
import { fromStored, toStored } from '../../../src/server/orders/stored-record.js';
import { asking, attempt, claim, notice, order, payment, PRICE, START, submission } from './records.js';

const draft = { customer: null, callbackUrl: 'https://shop.test/', nextSubmissionAt: START + 7 };
const record = order(
  [
    attempt({ submissions: [submission({ unverifiedEvents: [claim()] })] }),
    asking({ id: 'attempt-2', draft }),
  ],
  { version: 4, payments: [payment()], notices: [notice()] },
);

test('a record is stored under the names of the first release, and comes back as it was', () => {
  const stored = toStored(record);
  const {
    draft: _draft,
    submissions: _submissions,
    payins: _payins,
    disclosed: _disclosed,
    ...first
  } = attempt();
  const { unverifiedEvents: _events, ...call } = submission();
  assert.deepEqual(stored.attempts[0], {
    ...first,
    draft: null,
    calls: [{ ...call, hints: [claim()] }],
    shown: 'ref-1',
  });
  assert.deepEqual(stored.attempts[1]?.draft, {
    customer: null,
    callbackUrl: 'https://shop.test/',
    nextCallAt: START + 7,
  });
  const { attempts: _attempts, ...rest } = record;
  const { attempts: _stored, ...storedRest } = stored;
  assert.deepEqual(storedRest, { ...rest, format: 1 });
  assert.deepEqual(fromStored(JSON.parse(JSON.stringify(stored))), record);
});

test('what the first release did not store is what it was then: the order cost what was asked for', () => {
  const { attempts, payments, ...rest } = toStored(record);
  const old = {
    ...rest,
    attempts: attempts.map(({ orderAmountInCents: _price, ...each }) => ({ ...each, amountInCents: 700 })),
    payments: [
      { attempt: 'attempt-1', reference: 'ref-1', amountInCents: 600, at: START },
      { attempt: 'forgotten', reference: 'ref-0', amountInCents: 500, at: START },
    ],
  };
  const { attempts: readAttempts, payments: readPayments } = fromStored(old);
  assert.deepEqual(
    readAttempts.map(({ orderAmountInCents }) => orderAmountInCents),
    [700, 700],
  );
  assert.deepEqual(
    readPayments.map(({ orderAmountInCents }) => orderAmountInCents),
    [700, 500],
  );
  assert.deepEqual(
    readPayments.map(({ serviceId, chargebackAt }) => [serviceId, chargebackAt]),
    [
      ['id-1', null],
      ['', null],
    ],
  );
  const [known] = payments;
  assert.equal(fromStored({ ...old, payments: [known] }).payments[0]?.orderAmountInCents, PRICE);
});

test('payins of a link are stored beside the calls, where an earlier release leaves them alone', () => {
  const payin = submission({
    reference: 'id-2',
    serviceId: 'id-2',
    link: 'ref-1',
    unverifiedEvents: [claim()],
  });
  const paid = order([attempt({ payins: [payin] })], { payments: [payment({ serviceId: 'id-2' })] });
  const stored = toStored(paid);
  assert.equal(stored.attempts[0]?.calls.length, 1);
  assert.deepEqual(fromStored(JSON.parse(JSON.stringify(stored))), paid);
});

test('a row of a format that this release does not know is not guessed at', () => {
  assert.throws(() => fromStored({ ...toStored(record), format: 2 }), /another version/);
});
