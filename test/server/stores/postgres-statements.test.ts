import assert from 'node:assert/strict';
import { test } from 'vitest';
import type { PostgresQuery } from '../../../src/server/stores/postgres/port.js';
import { postgresStore } from '../../../src/server/stores/postgres/postgres-store.js';
import type { OrderWrite } from '../../../src/server/stores/store.js';

const write: OrderWrite = { body: { step: 1 }, dueAt: null, addKeys: [], at: 1, wake: true };
const row = { key: 'known', revision: '4', state: '4', body: '{}' };

/** The statements of one update, each by its first words: each of them is a journey to the server. */
async function statements(orderId: string, changes?: Partial<OrderWrite>): Promise<string[]> {
  const asked: string[] = [];
  const query: PostgresQuery = async (sql, values) => {
    asked.push(/^\s*(with \w+|select pg_\w+|\w+)/.exec(sql)?.[1] ?? sql);
    if (sql.startsWith('insert into checkout_keys'))
      return values.filter((value) => value !== orderId).map((key) => ({ key }));
    return sql.startsWith('select key') && values[0] === row.key ? [row] : [];
  };
  const store = postgresStore({ query, transaction: (work) => work(query) });
  await store.update(orderId, () => ({
    result: undefined,
    ...(changes !== undefined && { write: { ...write, ...changes } }),
  }));
  return asked;
}

test('an update asks the server no more often than it must', async () => {
  assert.deepEqual(await statements('known'), ['select']);
  assert.deepEqual(await statements('known', { wake: false }), ['select', 'insert']);
  assert.deepEqual(await statements('known', {}), ['select', 'insert', 'select pg_notify']);
  assert.deepEqual(await statements('known', { addKeys: ['a', 'b'] }), [
    'select',
    'insert',
    'insert',
    'select pg_notify',
  ]);
});

test('an order that is not there yet is locked before it is decided on', async () => {
  assert.deepEqual(await statements('unknown', {}), [
    'select',
    'select pg_advisory_xact_lock',
    'select',
    'insert',
    'select pg_notify',
  ]);
});
