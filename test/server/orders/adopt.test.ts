import assert from 'node:assert/strict';
import { test } from 'node:test';
import { adoptPayin } from '../../../src/server/orders/adopt.js';
import { NO_SOURCE } from '../../../src/server/orders/record.js';
import { attempt, claim, HOUR_MS, observation, order, PRICE, START, submission } from './records.js';

const NOW = START + HOUR_MS;
const found = {
  id: 'found',
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
