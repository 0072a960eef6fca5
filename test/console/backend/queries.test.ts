import assert from 'node:assert/strict';
import { test } from 'vitest';
import { ConsoleProblemError } from '../../../src/console/backend/problem.js';
import {
  HandledSchema,
  readAttemptsQuery,
  readBody,
  ReconcileSchema,
  RepeatSchema,
} from '../../../src/console/backend/queries.js';

const query = (text: string) => readAttemptsQuery(new URLSearchParams(text));
const refused = (ask: () => unknown, field: string) =>
  assert.throws(ask, (error) => {
    assert.ok(error instanceof ConsoleProblemError);
    assert.equal(error.problem, 'invalid_input');
    assert.deepEqual(
      error.errors.map((each) => each.field),
      [field],
    );
    return true;
  });

test('days are asked for as Colombian ones, the last of them included', () => {
  assert.deepEqual(
    query('from=2026-01-15&to=2026-01-16&rail=PSE&state=canceled&search=pedido&after=1768489200000.id'),
    {
      query: {
        from: new Date('2026-01-15T05:00:00.000Z'),
        until: new Date('2026-01-17T05:00:00.000Z'),
        rail: 'PSE',
        state: 'canceled',
        search: 'pedido',
      },
      after: '1768489200000.id',
    },
  );
});

test('what is empty or unknown is not asked for', () => {
  assert.deepEqual(query(''), { query: {} });
  assert.deepEqual(query('from=&to=&rail=&state=&search=&after=&page=2'), { query: {} });
  assert.deepEqual(query('to=2026-01-15'), { query: { until: new Date('2026-01-16T05:00:00.000Z') } });
});

test('words of a query have a longest length, and what is beyond names its field', () => {
  assert.deepEqual(query(`search=${'x'.repeat(128)}`), { query: { search: 'x'.repeat(128) } });
  assert.deepEqual(query(`after=${'x'.repeat(256)}`), { query: {}, after: 'x'.repeat(256) });
  refused(() => query(`search=${'x'.repeat(129)}`), 'search');
  refused(() => query(`after=${'x'.repeat(257)}`), 'after');
});

test('a day that is none, a method or a state that is not known is refused', () => {
  for (const day of [
    '2026-13-01',
    '2026-02-30',
    '2026-01-32',
    '15-01-2026',
    '2026-1-5',
    '2026-01-15T00:00:00Z',
  ]) {
    refused(() => query(`from=${day}`), 'from');
    refused(() => query(`to=${day}`), 'to');
    refused(() => readBody(ReconcileSchema, { from: day, to: '2026-01-15' }), 'from');
    refused(() => readBody(ReconcileSchema, { from: '2026-01-15', to: day }), 'to');
  }
  refused(() => query('rail=CASH'), 'rail');
  refused(() => query('state=maybe'), 'state');
});

test('what was handled is named and may have a note, which is kept without the space around it', () => {
  for (const item of ['x', 'x'.repeat(512)]) assert.deepEqual(readBody(HandledSchema, { item }), { item });
  for (const item of ['', 'x'.repeat(513), 7, undefined])
    refused(() => readBody(HandledSchema, { item }), 'item');
  const note = 'x'.repeat(500);
  assert.deepEqual(readBody(HandledSchema, { item: 'x', note: ` ${note}\n` }), { item: 'x', note });
  refused(() => readBody(HandledSchema, { item: 'x', note: `${note}x` }), 'note');
});

test('the notice to repeat is named', () => {
  for (const notice of ['x', 'x'.repeat(512)])
    assert.deepEqual(readBody(RepeatSchema, { notice }), { notice });
  for (const notice of ['', 'x'.repeat(513), null])
    refused(() => readBody(RepeatSchema, { notice }), 'notice');
});
