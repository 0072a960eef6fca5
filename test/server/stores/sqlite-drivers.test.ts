import assert from 'node:assert/strict';
import { onTestFinished, test, vi } from 'vitest';
import {
  SqliteConnection,
  type SqliteDatabase,
  type SqliteStatement,
} from '../../../src/server/stores/sqlite/driver.js';
import { Sqlite, sqliteStore } from '../../../src/server/stores/sqlite/sqlite-store.js';
import {
  migrate,
  type Migration,
  StoreSchemaError,
  tableNames,
} from '../../../src/server/stores/sql/schema.js';
import { sqliteFile } from '../../support/sqlite.js';
import { removeOrder, wait } from './contract/support.js';
import { statementOf, write } from './sqlite-world.js';

test('a handle in the shape of node:sqlite is as good, with its way of saying busy', async (t) => {
  const file = sqliteFile(t);
  const store = sqliteStore(likeNodeSqlite(file.open()));
  await store.migrate();
  const other = file.open();
  other.exec('begin immediate');
  const written = store.update('order', () => ({ result: 'done', write: { ...write, addKeys: ['key'] } }));
  setTimeout(() => other.exec('commit'), 200);
  assert.equal(await written, 'done');
  assert.deepEqual(await store.find('key'), { id: 'order', revision: 1, body: { step: 1 } });
});

test('a disk that fails leaves nothing half-written and says so', async (t) => {
  const database = sqliteFile(t).open();
  const failure = new Error('disk I/O error');
  let broken = false;
  let failures = 0;
  const store = sqliteStore({
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (broken && sql === 'commit') {
        failures += 1;
        throw failure;
      }
      database.exec(sql);
    },
  });
  await store.migrate();
  let woken = 0;
  await wait(store, 'a', () => (woken += 1));
  broken = true;
  const writes = ['a', 'b'].map((id) => store.update(id, () => ({ result: id, write })));
  await Promise.all(writes.map((attempt) => assert.rejects(attempt, failure)));
  broken = false;
  assert.equal(failures, 1, 'it is not tried again');
  assert.equal(woken, 0);
  assert.equal(await store.read('a'), undefined);
  assert.equal(await store.update('a', () => ({ result: 'again', write })), 'again');
  await store.close();
});

test('each statement is prepared once', async (t) => {
  const database = sqliteFile(t).open();
  const prepared: string[] = [];
  const store = sqliteStore({
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      prepared.push(sql);
      return database.prepare(sql);
    },
  });
  await store.migrate();
  const work = async () => {
    await store.update('order', () => ({ result: 0, write }));
    await store.read('order');
  };
  await work();
  prepared.length = 0;
  await work();
  assert.deepEqual(prepared, []);
});

test('a file that is busy or locked is tried again, whatever the driver calls it; other failures are said at once', async (t) => {
  const connection = new SqliteConnection(sqliteFile(t).open());
  const named = (errcode: number) => ({ code: 'ERR_SQLITE_ERROR', errcode });
  for (const [facts, tries] of [
    [{ code: 'SQLITE_BUSY' }, 2],
    [{ code: 'SQLITE_BUSY_SNAPSHOT' }, 2],
    [{ code: 'SQLITE_LOCKED' }, 2],
    [named(5), 2],
    [named(6), 2],
    [named(5 + 2 * 256), 2],
    [{ code: 'SQLITE_FULL' }, 1],
    [named(7), 1],
    [named(10), 1],
    [{}, 1],
  ] as const) {
    const failure = Object.assign(new Error('not now'), facts);
    let tried = 0;
    const outcome = connection.whenFree(() => {
      tried += 1;
      if (tried === 1) throw failure;
      return 'done';
    });
    if (tries === 2) assert.equal(await outcome, 'done');
    else await assert.rejects(outcome, failure);
    assert.equal(tried, tries, JSON.stringify(facts));
  }
});

test('a file that stays busy is given up after ten seconds', async (t) => {
  const connection = new SqliteConnection(sqliteFile(t).open());
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const failure = Object.assign(new Error('not now'), { code: 'SQLITE_BUSY' });
  const startedAtMs = performance.now();
  let tried = 0;
  const givenUp = assert.rejects(
    connection.whenFree(() => {
      tried += 1;
      throw failure;
    }),
    failure,
  );
  await vi.runAllTimersAsync();
  await givenUp;
  assert.ok(tried > 200, `${tried} tries`);
  assert.equal(Math.floor((performance.now() - startedAtMs) / 100), 100);
});

test('a log that cannot be emptied yet is left for the next time; other failures are said', async (t) => {
  const database = sqliteFile(t).open();
  let code: string | undefined;
  const store = sqliteStore({
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      if (!sql.includes('wal_checkpoint')) return database.prepare(sql);
      return {
        ...statementOf(database, sql),
        get(...values) {
          if (code !== undefined) throw Object.assign(new Error('not now'), { code });
          return database.prepare(sql).get(...values);
        },
      };
    },
  });
  await store.migrate();
  await store.update('order', () => ({ result: 0, write }));
  code = 'SQLITE_BUSY';
  assert.equal(await removeOrder(store, 'order'), true);
  code = 'SQLITE_IOERR';
  await assert.rejects(removeOrder(store, 'order'), { code: 'SQLITE_IOERR' });
});

test('a file that cannot have a write-ahead log is refused; a database in memory needs none', async (t) => {
  const database = sqliteFile(t).open();
  const openWith = (mode: string) =>
    sqliteStore({
      exec: (sql) => database.exec(sql),
      prepare: (sql) =>
        sql === 'pragma journal_mode = wal'
          ? { ...statementOf(database, sql), get: () => ({ journal_mode: mode }) }
          : database.prepare(sql),
    });
  await assert.rejects(
    openWith('delete').migrate(),
    /cannot use a write-ahead log here \(journal mode is delete\)/,
  );
  await openWith('memory').migrate();
});

test('a driver that answers null where there is no row is as good', async (t) => {
  const database = sqliteFile(t).open();
  const store = sqliteStore({
    exec: (sql) => database.exec(sql),
    prepare: (sql) => ({
      ...statementOf(database, sql),
      get: (...values) => database.prepare(sql).get(...values) ?? null,
    }),
  });
  await store.migrate();
  assert.equal(await store.read('order'), undefined);
  assert.equal(await store.find('key'), undefined);
  assert.equal(await store.update('order', (row) => ({ result: row })), undefined);
  assert.deepEqual(await store.takeOrphans(['key']), []);
});

test('two stores with different prefixes share a file without meeting', async (t) => {
  const database = sqliteFile(t).open();
  const [shop, club] = ['shop_', 'club_'].map((tablePrefix) => sqliteStore(database, { tablePrefix }));
  await shop?.migrate();
  await club?.migrate();
  await shop?.update('order', () => ({ result: undefined, write }));
  assert.equal(await club?.read('order'), undefined);
  assert.ok(await shop?.read('order'));
});

test('a prefix that is not a plain name is refused', (t) => {
  const database = sqliteFile(t).open();
  for (const tablePrefix of ['', 'a;b', 'a"b', 'A', '1a', 'a b', 'é', 'a'.repeat(41)]) {
    assert.throws(() => sqliteStore(database, { tablePrefix }), /tablePrefix must start with/);
  }
});

test('many who start together migrate once', async (t) => {
  const file = sqliteFile(t);
  const stores = Array.from({ length: 6 }, () => sqliteStore(file.open()));
  await Promise.all(stores.map((store) => store.migrate()));
  await Promise.all(stores.map((store) => store.migrate()));
  const versions = file.open().prepare('select version from checkout_schema').all();
  assert.deepEqual(versions, [{ version: 1 }]);
});

test('each migration runs once, in order, and a failed one leaves the version before', async (t) => {
  const database = new Sqlite(new SqliteConnection(sqliteFile(t).open()));
  const tables = tableNames('checkout_');
  const first: Migration = ({ orders }) => [`create table ${orders} (a)`];
  const second: Migration = ({ orders }) => [
    `alter table ${orders} add column b`,
    `insert into ${orders} values (1, 2)`,
  ];
  const broken: Migration = ({ orders }) => [`insert into ${orders} values (3, 4)`, 'nonsense'];
  await migrate(database, tables, [first]);
  await migrate(database, tables, [first, second]);
  await assert.rejects(migrate(database, tables, [first, second, broken]));
  assert.deepEqual(await database.read('select * from checkout_orders'), [{ a: 1, b: 2 }]);
  assert.deepEqual(await database.read('select version from checkout_schema'), [
    { version: 1 },
    { version: 2 },
  ]);
});

test('tables of a newer release are refused with what to do', async (t) => {
  const database = sqliteFile(t).open();
  await sqliteStore(database).migrate();
  database.exec('insert into checkout_schema values (99)');
  await assert.rejects(
    sqliteStore(database).migrate(),
    (error) => error instanceof StoreSchemaError && /version 99.*Update pay-checkout/.test(error.message),
  );
});

/** Rows without a prototype, and errors that carry SQLite's number instead of its name. */
function likeNodeSqlite(database: SqliteDatabase): SqliteDatabase {
  const translated = <Result>(work: () => Result): Result => {
    try {
      return work();
    } catch (error) {
      const { message, rawCode } = error as { message: string; rawCode: number };
      throw Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode: rawCode });
    }
  };
  const bare = (row: unknown): unknown => (row === undefined ? row : Object.assign(Object.create(null), row));
  return {
    exec: (sql) => translated(() => database.exec(sql)),
    prepare(sql) {
      const statement = translated(() => database.prepare(sql));
      return {
        get: (...values) => translated(() => bare(statement.get(...values))),
        all: (...values) => translated(() => statement.all(...values).map(bare)),
        run: (...values) => translated(() => statement.run(...values)),
      } satisfies SqliteStatement;
    },
  };
}
