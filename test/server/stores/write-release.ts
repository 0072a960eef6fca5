/**
 * Writes down what a release leaves in a database, for the tests that open it with a later one:
 *
 *   tsx test/server/stores/write-release.ts > test/data/release-<version>.json
 *
 * Run it with the release that is about to be succeeded. The file holds the statements that made its tables, the rows
 * of a shop in the middle of its work, the statements with which that release writes (so that a test can play an old
 * instance beside a new one), and the payments as the service would show them.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'libsql';
import pg from 'pg';
import { SANDBOX_DEFAULTS } from '../../../src/sandbox.js';
import {
  fromPg,
  type PostgresPort,
  postgresStore,
  sqliteStore,
  type SqliteDatabase,
} from '../../../src/server.js';
import { postgresCluster } from '../../support/postgres.js';
import { openWorld } from '../world.js';

const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-release-'));
const handle = new Database(join(folder, 'checkout.db'));
const sqlite = recordedSqlite(handle);
const orders = Object.fromEntries(
  ['open', 'pse', 'untold', 'paid', 'twice', 'declined', 'unclear', 'link', 'forged', 'odd'].map((id) => [
    id,
    { amountInCents: 5_000_000, description: `Order ${id}` },
  ]),
);
let faulty: 'lost' | 'wrong amount' | undefined;

const world = await openWorld({
  store: sqliteStore(sqlite.database),
  orders,
  work: false,
  options: {
    onConfirmed({ order }) {
      if (order === 'untold') throw new Error('The shop is closed');
    },
  },
  async network(request, next) {
    if (faulty === undefined || (faulty === 'wrong amount' && request.method !== 'POST'))
      return next(request);
    const response = await next(request);
    if (faulty === 'lost') return new Response(null, { status: 500 });
    const payin = (await response.json()) as Record<string, unknown>;
    return Response.json({ ...payin, amountInCents: 1 }, { status: 201 });
  },
});
const work = async () => {
  await world.settle();
  for (const checkout of world.checkouts) {
    await checkout.tick();
    await checkout.idle();
  }
};
const pay = async (reference: string, outcome: 'CONFIRMED' | 'DECLINED' = 'CONFIRMED') => {
  world.engine.decide(world.payinOf(reference).id, outcome);
  await world.pass(1_000);
  await work();
};

await world.startBreb({}, 'open');
await world.startPse({}, 'pse');
await pay((await world.startBreb({}, 'untold')).attempt.reference);
await pay((await world.startBreb({}, 'paid')).attempt.reference);
const first = (await world.startBreb({}, 'twice')).attempt;
const second = (await world.startBreb({ replaces: first.id }, 'twice')).attempt;
await pay(second.reference);
await pay(first.reference);
await pay((await world.startPse({}, 'declined')).attempt.reference, 'DECLINED');
await world.startLink({}, 'link');
const forged = (await world.startBreb({}, 'forged')).attempt;
const event = (data: object) => ({ event: 'payin.confirmed', resource: 'payin', data });
await world.webhook(event(world.payinOf(forged.reference)));
await world.webhook(
  event({ ...world.payinOf(forged.reference), id: crypto.randomUUID(), reference: 'nobody-knows' }),
);
faulty = 'wrong amount';
await world.startBreb({}, 'odd');
await work();
faulty = 'lost';
await world.startPse({}, 'unclear');
await world.settle();

const cluster = await postgresCluster();
const connection = await cluster.createSchema();
const pool = new pg.Pool({ ...connection, options: `-c search_path=${connection.schema}` });
const postgres = recordedPostgres(fromPg(pool));
const postgresMade = postgresStore(postgres.port);
await postgresMade.migrate();
const postgresTables = postgres.take();
await postgresMade.update('o:x', () => ({
  result: undefined,
  write: { body: {}, dueAt: 1, addKeys: ['k:x'], at: 1, wake: true },
}));
await postgresMade.update('o:x', () => ({
  result: undefined,
  write: { body: {}, dueAt: 1, addKeys: [], at: 1, wake: true },
}));

const rows = (table: string) => handle.prepare(`select * from checkout_${table}`).all();
const isMade = (sql: string) => /^\s*create/i.test(sql);
const release = {
  at: world.clock.now(),
  sqlite: {
    tables: sqlite.statements.filter(isMade),
    writes: sqlite.statements.filter((sql) => /^\s*(?:insert into|update) checkout_orders/i.test(sql)),
  },
  postgres: {
    tables: postgresTables.filter(isMade),
    writes: postgres.take().filter((sql) => /^\s*(?:insert into|update) checkout_orders/i.test(sql)),
  },
  rows: Object.fromEntries(
    ['schema', 'orders', 'keys', 'orphans', 'orphan_keys', 'counters'].map((table) => [table, rows(table)]),
  ),
  payins: await shownByService('/payins?limit=100', { 'x-api-key': SANDBOX_DEFAULTS.apiKey }),
};
process.stdout.write(`${JSON.stringify(release, null, 2)}\n`);
handle.close();
rmSync(folder, { recursive: true });
process.exit(0);

async function shownByService(path: string, headers: Record<string, string>): Promise<unknown> {
  const response = await world.sandbox.fetch(new Request(`https://service.test${path}`, { headers }));
  return ((await response.json()) as { data: unknown }).data;
}

function recordedSqlite(real: Database.Database) {
  const statements = new Set<string>();
  const database: SqliteDatabase = {
    exec(sql) {
      statements.add(sql);
      return real.exec(sql);
    },
    prepare(sql) {
      statements.add(sql);
      return real.prepare(sql);
    },
  };
  return {
    database,
    get statements() {
      return [...statements];
    },
  };
}

function recordedPostgres(real: PostgresPort) {
  let statements: string[] = [];
  const noting =
    (query: PostgresPort['query']): PostgresPort['query'] =>
    (sql, values) => {
      statements.push(sql);
      return query(sql, values);
    };
  const port: PostgresPort = {
    query: noting(real.query),
    transaction: (run) => real.transaction((query) => run(noting(query))),
  };
  return {
    port,
    take() {
      const taken = statements;
      statements = [];
      return [...new Set(taken)];
    },
  };
}
