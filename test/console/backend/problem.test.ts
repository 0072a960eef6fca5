import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { ConsoleProblem } from '../../../src/contract/merchant/console.js';
import { ConsoleProblemError } from '../../../src/console/backend/problem.js';

/** As HTTP names them: what is the caller's fault is 4xx, what is not is 5xx. */
const STATUSES: Readonly<Record<ConsoleProblem, number>> = {
  unauthenticated: 401,
  wrong_token: 401,
  forbidden: 403,
  not_found: 404,
  not_sendable: 409,
  not_payable: 409,
  invalid_input: 422,
  too_many_sign_ins: 429,
  failed: 500,
  service_away: 502,
  too_many: 503,
};

for (const [code, status] of Object.entries(STATUSES)) {
  test(`"${code}" is answered with ${status}, and no cache keeps it`, async () => {
    const answer = new ConsoleProblemError(code as ConsoleProblem).answer();
    assert.equal(answer.status, status);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.deepEqual(await answer.json(), { code, errors: [] });
  });
}

test('a refusal says how long to wait when it is known', () => {
  const refusal = new ConsoleProblemError('too_many_sign_ins', [], 60);
  assert.equal(refusal.answer().headers.get('retry-after'), '60');
  assert.equal(new ConsoleProblemError('failed').answer().headers.get('retry-after'), null);
});

test('a refusal names the fields that are wrong', async () => {
  const errors = [{ field: 'to', code: 'too_small' }];
  const refusal = new ConsoleProblemError('invalid_input', errors);
  assert.equal(refusal.name, 'ConsoleProblemError');
  assert.deepEqual(await refusal.answer().json(), { code: 'invalid_input', errors });
});
