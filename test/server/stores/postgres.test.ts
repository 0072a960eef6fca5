import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, describe, test } from 'vitest';
import pg from 'pg';
import { fromPg, fromPostgresJs } from '../../../src/server/stores/postgres/adapters.js';
import type { PostgresPort, PostgresQuery } from '../../../src/server/stores/postgres/port.js';
import { Postgres, postgresStore } from '../../../src/server/stores/postgres/postgres-store.js';
import {
  migrate,
  type Migration,
  StoreSchemaError,
  tableNames,
} from '../../../src/server/stores/sql/schema.js';
import type { OrderWrite, Store } from '../../../src/server/stores/store.js';
import { cleanup } from '../../support/cleanup.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { pgPool, postgresJs } from '../../support/postgres-stores.js';
import { type Connection, postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { skipWhen } from '../../support/skip-when.js';

const write: OrderWrite = { body: { step: 1 }, dueAt: null, addKeys: [], at: 1, wake: true };

describe('PostgreSQL', skipWhen(whyNoPostgres()), () => {
  for (const [driver, connect] of [
    ['pg', (t: TestContext, connection: Connection) => fromPg(pgPool(t, connection))],
    ['postgres.js', (t: TestContext, connection: Connection) => fromPostgresJs(postgresJs(t, connection))],
  ] as const) {
    test(`a server that is restarted under waiters loses none of them and no write (${driver})`, async (t) => {
      const cluster = await postgresCluster();
      const connection = await cluster.createSchema();
      const [writer, reader] = [openStore(t, connect(t, connection)), openStore(t, connect(t, connection))];
      await writer.migrate();
      const ids = Array.from({ length: 30 }, (_, index) => `order ${index}`);
      for (const id of ids) await writer.update(id, () => ({ result: undefined, write }));

      const waiting = ids.flatMap((id) => [reader, writer].map((store) => untilRevision(store, id, 3)));
      await cluster.crash();
      await assert.rejects(writer.update('order 0', () => ({ result: undefined, write })));
      await cluster.resume();
      for (const id of ids) assert.equal(await insist(() => reader.read(id).then((row) => row?.revision)), 1);
      for (const id of ids) await insist(() => writer.update(id, () => ({ result: undefined, write })));
      await cluster.restart();
      for (const id of ids) {
        await insist(() =>
          writer.update(id, (row) => ({ result: undefined, ...(row?.revision === 2 ? { write } : {}) })),
        );
      }
      await Promise.all(waiting);
    });

    test(`waiters are woken by messages of another instance, without asking (${driver})`, async (t) => {
      const connection = await (await postgresCluster()).createSchema();
      const port = connect(t, connection);
      let asked = 0;
      let begun = () => {};
      const listening = new Promise<void>((resolve) => (begun = resolve));
      const reader = openStore(t, {
        ...port,
        query: (sql, values) => {
          if (sql.includes('json_array_elements_text')) asked += 1;
          return port.query(sql, values);
        },
        listen: async (...given) => {
          const stop = await port.listen?.(...given);
          begun();
          return stop ?? assert.fail('it cannot listen');
        },
      });
      const writer = openStore(t, connect(t, connection));
      await writer.migrate();
      await writer.update('order', () => ({ result: undefined, write }));
      reader.subscribe('order', () => {});
      await listening;
      await reader.read('order');
      // What changed before it listened has been asked for by now.
      asked = 0;
      for (let revision = 2; revision < 7; revision++) {
        const woken = untilRevision(reader, 'order', revision);
        await reader.read('order');
        await writer.update('order', () => ({ result: undefined, write }));
        await woken;
      }
      assert.equal(asked, 0);
    });
  }

  test('a connection that is cut in the middle of a decision leaves nothing behind and is not used again', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const pool = pgPool(t, connection, 2);
    const port = fromPg(pool);
    const store = openStore(t, port);
    await store.migrate();
    const other = pgPool(t, connection);
    const cutting: PostgresPort = {
      ...port,
      transaction: (work) =>
        port.transaction(async (query) => {
          const [row] = await query('select pg_backend_pid() as pid', []);
          const result = await work(query);
          await other.query('select pg_terminate_backend($1)', [row?.['pid']]);
          return result;
        }),
    };
    const doomed = postgresStore(cutting).update('order', () => ({ result: undefined, write }));
    await assert.rejects(doomed);
    assert.equal(await store.read('order'), undefined);
    assert.equal(await store.update('order', () => ({ result: 'fine', write })), 'fine');
  });

  test('updates that the server undoes for the sake of another are decided again', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const port = fromPg(pgPool(t, connection));
    let failures = 3;
    const store = openStore(t, {
      ...port,
      transaction: (work) =>
        port.transaction(async (query) => {
          const result = await work(query);
          if (failures-- > 0)
            throw Object.assign(new Error('undone'), { code: ['40001', '40P01', '23505'][failures] });
          return result;
        }),
    });
    await postgresStore(port).migrate();
    let decisions = 0;
    await store.update('order', () => {
      decisions += 1;
      return { result: undefined, write };
    });
    assert.equal(decisions, 4);
    assert.equal((await store.read('order'))?.revision, 1);
  });

  test('a pool of a single connection is enough', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const [one, two] = [pgPool(t, connection, 1), pgPool(t, connection, 1)];
    const [writer, reader] = [openStore(t, fromPg(one)), openStore(t, fromPg(two))];
    await writer.migrate();
    const woken = untilRevision(reader, 'order', 1);
    await writer.update('order', () => ({ result: undefined, write }));
    await woken;
  });

  test('closing gives the connection that listened back, and only that', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const pool = pgPool(t, connection);
    const store = postgresStore(fromPg(pool));
    await store.migrate();
    const woken = untilRevision(store, 'order', 1);
    await store.update('order', () => ({ result: undefined, write }));
    await woken;
    await store.close();
    // A question that was under way gives its connection back by itself; one that listens would keep it.
    while (pool.totalCount !== pool.idleCount) {
      await once(pool, 'release', { signal: AbortSignal.timeout(PATIENCE_MS) });
    }
    assert.ok(await store.read('order'));
  });

  test('parallel updates of an order do not undo each other, whatever the default isolation of the database', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const pool = new pg.Pool({
      ...connection,
      max: 4,
      options: `-c search_path=${connection.schema} -c default_transaction_isolation=serializable`,
    });
    cleanup(t, () => pool.end());
    const port = fromPg(pool);
    let transactions = 0;
    const store = openStore(t, {
      ...port,
      transaction: (work) => {
        transactions += 1;
        return port.transaction(work);
      },
    });
    await store.migrate();
    await store.update('order', () => ({ result: undefined, write: { ...write, body: 0 } }));
    transactions = 0;
    const increments = Array.from({ length: 20 }, () =>
      store.update('order', (row) => ({
        result: undefined,
        write: { ...write, body: (row?.body as number) + 1 },
      })),
    );
    await Promise.all(increments);
    assert.deepEqual([(await store.read('order'))?.body, transactions], [20, 20]);
  });

  test('a schema and a prefix keep stores apart, and the schema is made when missing', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const port = fromPg(pgPool(t, connection));
    const schema = `${connection.schema}_b`;
    const shop = openStore(t, port, { schema, tablePrefix: 'shop_' });
    const club = openStore(t, port, { schema, tablePrefix: 'club_' });
    await Promise.all([shop.migrate(), club.migrate()]);
    await shop.update('order', () => ({ result: undefined, write }));
    assert.equal(await club.read('order'), undefined);
    const rows = await port.query(`select count(*)::text as n from ${schema}.shop_orders`, []);
    assert.deepEqual(rows, [{ n: '1' }]);
  });

  test('takes a schema that another store made since it looked', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const port = fromPg(pgPool(t, connection));
    const schema = `${connection.schema}_b`;
    const overtaken: PostgresPort = {
      ...port,
      transaction: (work) =>
        port.transaction((query) =>
          work(async (sql, values) => {
            const found = await query(sql, values);
            if (sql.includes('pg_namespace')) await port.query(`create schema if not exists ${schema}`, []);
            return found;
          }),
        ),
    };
    const store = openStore(t, overtaken, { schema });
    await store.migrate();
    assert.equal(await store.read('order'), undefined);
  });

  test('many who start together migrate once', async (t) => {
    const connection = await (await postgresCluster()).createSchema();
    const ports = [fromPg(pgPool(t, connection)), fromPostgresJs(postgresJs(t, connection))];
    const stores = Array.from({ length: 8 }, (_, index) => openStore(t, ports[index % 2] as PostgresPort));
    await Promise.all(stores.map((store) => store.migrate()));
    await stores[0]?.migrate();
    const versions = await ports[0]?.query('select version::text from checkout_schema', []);
    assert.deepEqual(versions, [{ version: '1' }]);
  });

  test('each migration runs once, in order, and a failed one leaves the version before', async (t) => {
    const port = fromPg(pgPool(t, await (await postgresCluster()).createSchema()));
    const database = new Postgres(port, 'changes', undefined, { onChange() {}, onGap() {} });
    const tables = tableNames('checkout_');
    const first: Migration = ({ orders }) => [`create table ${orders} (a int)`];
    const second: Migration = ({ orders }) => [
      `alter table ${orders} add b int`,
      `insert into ${orders} values (1, 2)`,
    ];
    const broken: Migration = ({ orders }) => [`insert into ${orders} values (3, 4)`, 'nonsense'];
    await migrate(database, tables, [first]);
    await migrate(database, tables, [first, second]);
    await assert.rejects(migrate(database, tables, [first, second, broken]));
    assert.deepEqual(await port.query('select * from checkout_orders', []), [{ a: 1, b: 2 }]);
    const versions = await port.query('select version::int from checkout_schema order by 1', []);
    assert.deepEqual(versions, [{ version: 1 }, { version: 2 }]);
  });

  test('tables of a newer release are refused with what to do', async (t) => {
    const port = fromPg(pgPool(t, await (await postgresCluster()).createSchema()));
    await postgresStore(port).migrate();
    await port.query('insert into checkout_schema values (99)', []);
    await assert.rejects(
      postgresStore(port).migrate(),
      (error) => error instanceof StoreSchemaError && /version 99.*Update pay-checkout/.test(error.message),
    );
  });

  test('more orders are forgotten than go in one statement', async (t) => {
    const port = fromPg(pgPool(t, await (await postgresCluster()).createSchema()));
    const store = openStore(t, port);
    await store.migrate();
    await port.query(
      `insert into checkout_orders (key, revision, state, body, written_at)
       select 'order ' || n, 1, 1, '{}', 1 from generate_series(1, 1100) as n`,
      [],
    );
    assert.equal(await store.purge(2), 1_100);
    assert.deepEqual(await store.list({ limit: 1 }), []);
  });

  test('old counters go by themselves', async (t) => {
    const port = fromPg(pgPool(t, await (await postgresCluster()).createSchema()));
    const store = openStore(t, port);
    await store.migrate();
    for (let minute = 0; minute < 20; minute++) await store.hit(`client ${minute}`, 60_000, minute * 60_000);
    const [left] = await port.query('select count(*)::int as n from checkout_counters', []);
    assert.ok(Number(left?.['n']) <= 3);
  });
});

test('a database in another encoding is refused at the start', async () => {
  const query: PostgresQuery = async (sql) => (sql.includes('server_encoding') ? [{ name: 'LATIN1' }] : []);
  const store = postgresStore({ query, transaction: (work) => work(query) });
  await assert.rejects(store.migrate(), /needs a database with the encoding UTF8; this one has LATIN1/);
});

test('a schema or prefix that is not a plain name is refused', () => {
  const port: PostgresPort = { query: async () => [], transaction: (work) => work(async () => []) };
  for (const name of ['', 'a;b', 'a"b', 'a.b', 'A', '1a', 'a b', 'é', 'a'.repeat(41)]) {
    assert.throws(() => postgresStore(port, { tablePrefix: name }), /tablePrefix must start with/);
    assert.throws(() => postgresStore(port, { schema: name }), /schema must start with/);
  }
});

function openStore(t: TestContext, port: PostgresPort, options?: Parameters<typeof postgresStore>[1]): Store {
  const store = postgresStore(port, options);
  cleanup(t, () => store.close());
  return store;
}

/** Waits as the kit does; a read that fails while the server is away is left to the next wake-up. */
function untilRevision(store: Store, orderId: string, revision: number): Promise<void> {
  return new Promise((resolve) => {
    const look = async (): Promise<void> => {
      const row = await store.read(orderId).catch(() => undefined);
      if (row === undefined || row.revision < revision) return;
      leave();
      resolve();
    };
    const leave = store.subscribe(orderId, () => void look());
    void look();
  });
}

/** Tries again while the server is away. */
async function insist<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch {
      // real time: the database server comes back when it comes back
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}
