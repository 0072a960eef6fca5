import assert from 'node:assert/strict';
import { test } from 'vitest';
import { adoptPayin } from '../../../src/server/orders/adopt.js';
import { NO_SOURCE } from '../../../src/server/orders/record.js';
import { attempt, claim, HOUR_MS, observation, order, PRICE, START, submission } from './records.js';

const NOW = START + HOUR_MS;
const found = {
  id: 'found',
  otherId: 'made-for-it',
  token: 'token-1',
  choice: attempt().choice,
  amountInCents: PRICE,
  orderAmountInCents: PRICE,
  merchant: attempt().merchant,
  createdAt: START - 1,
  expiresAt: null,
  reference: 'ref-found',
  observed: observation({ serviceId: 'id-found', reference: 'ref-found', status: 'CONFIRMED' }),
};

test('a payin that no attempt knows becomes one, in front of what is newer, and is read before it is believed', () => {
  const adopted = attempt({
    id: 'found',
    idempotencyKey: 'reconcile-id-found',
    fingerprint: '',
    createdAt: START - 1,
    changedAt: NOW,
    expiresAt: null,
    disclosed: 'ref-found',
    submissions: [
      submission({
        reference: 'ref-found',
        startedAt: START - 1,
        serviceId: 'id-found',
        status: 'PENDING',
        source: { ...NO_SOURCE, keyString: '@key' },
        unverifiedEvents: [claim({ serviceId: 'id-found', at: NOW, nextAt: NOW })],
        nextReadAt: NOW + HOUR_MS / 3,
      }),
    ],
  });
  const newer = attempt();
  const known = order([newer], { version: 5 });
  assert.deepEqual(adoptPayin(known, found, NOW, 0), { ...known, attempts: [adopted, newer] });
});

test('a payin that the order knows by now, by its id or its reference, changes nothing', () => {
  const adopted = adoptPayin(order([attempt()]), found, NOW, 0);
  assert.equal(adoptPayin(adopted, found, NOW, 0), adopted, 'the same once more');
  for (const known of [{ serviceId: 'ID-FOUND' }, { reference: 'ref-found', serviceId: 'id-other' }]) {
    const record = order([attempt({ submissions: [submission(known)] })]);
    assert.equal(adoptPayin(record, found, NOW, 0), record, JSON.stringify(known));
  }
});

test('a second payin with the way back of a known attempt becomes an attempt of its own', () => {
  const known = order([attempt({ id: 'found' })]);
  const { attempts } = adoptPayin(known, found, NOW, 0);
  assert.deepEqual(
    attempts.map(({ id }) => id),
    ['made-for-it', 'found'],
  );
});
