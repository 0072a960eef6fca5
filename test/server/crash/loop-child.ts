/** An instance of the shop that serves and works until it is killed. Argument: the plan. Says its port. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import Database from 'libsql';
import pg from 'pg';
import { fromPg, postgresStore, sqliteStore } from '../../../src/server.js';
import { refundOnRequest } from './loop-refunds.js';
import { EVER, openLoopCheckout } from './loop-shop.js';
import type { LoopPlan } from './plan.js';

const { database, serviceUrl } = JSON.parse(process.argv[2] ?? '') as LoopPlan;

function openStore() {
  if (database.kind === 'sqlite') return sqliteStore(new Database(database.path));
  const { schema, ...connection } = database.connection;
  return postgresStore(fromPg(new pg.Pool({ ...connection, max: 4, options: `-c search_path=${schema}` })));
}

const checkout = openLoopCheckout({ store: openStore(), serviceUrl });
checkout.work();
// Beside the other instances, and killed in the middle: what it has not settled is settled in the end.
void checkout.reconcile(EVER).catch(() => undefined);
const server = createServer(
  getRequestListener((request) =>
    new URL(request.url).pathname === '/refund'
      ? refundOnRequest(checkout, request)
      : checkout.fetch(request),
  ),
);
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`${(server.address() as AddressInfo).port}\n`);
});
