import assert from 'node:assert/strict';
import { test } from 'vitest';
import * as v from 'valibot';
import { errorCodeSchema } from '../../src/contract/service/error-code.js';

const kept = (code: string) => v.parse(errorCodeSchema, code);

test('an error code that is known passes as it is', () => {
  for (const code of ['DECLINED_BY_BANK', 'limit_exceeded', 'INSUFFICIENT_FUNDS', 'AM04'])
    assert.equal(kept(code), code);
});

test('of any other text only the length is kept', () => {
  for (const code of [
    'ANA_MARIA_PEREZ',
    '1020304050',
    'ana@correo.example',
    'NO_FUNDS ana',
    '',
    'CC1020304050',
  ])
    assert.equal(kept(code), `unknown_${code.length}`);
});
