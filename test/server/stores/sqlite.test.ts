import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { readFileSync } from 'node:fs';
import { test, vi } from 'vitest';
import { fileURLToPath } from 'node:url';
import { sqliteStore } from '../../../src/server/stores/sqlite/sqlite-store.js';
import { cleanup } from '../../support/cleanup.js';
import { sqliteFile } from '../../support/sqlite.js';
import { removeOrder } from './contract/support.js';
import { statementOf, write } from './sqlite-world.js';

const run = promisify(execFile);

test('commits are synced to a write-ahead log, and waiting for the file never blocks for long', async (t) => {
  const database = sqliteFile(t).open();
  database.pragma('busy_timeout = 5000');
  const store = sqliteStore(database);
  await store.migrate();
  const [busy] = database.pragma('busy_timeout') as { timeout: number }[];
  assert.ok(Number(busy?.timeout) < 1_000);
  await store.hit('relaxed', 1_000, 1);
  assert.deepEqual(database.pragma('journal_mode'), [{ journal_mode: 'wal' }]);
  assert.deepEqual(database.pragma('synchronous'), [{ synchronous: 2 }]);
});

test('an order is on disk before its write is answered; leases and counts need not be', async (t) => {
  const database = sqliteFile(t).open();
  database.pragma('synchronous = off');
  const store = sqliteStore(database);
  const commits: unknown[] = [];
  const exec = database.exec.bind(database);
  database.exec = (sql) => {
    if (sql === 'commit') commits.push(...(database.pragma('synchronous') as { synchronous: number }[]));
    return exec(sql);
  };
  const committed = async (work: () => Promise<unknown>) => {
    commits.length = 0;
    await work();
    return commits;
  };
  const [relaxed, full] = [{ synchronous: 1 }, { synchronous: 2 }];
  const update = (id: string) => store.update(id, () => ({ result: 0, write: { ...write, dueAt: 1 } }));
  assert.deepEqual(await committed(() => store.migrate()), [full]);
  assert.deepEqual(await committed(() => update('one')), [full]);
  assert.deepEqual(await committed(() => store.claim(2, 1_000, 1)), [relaxed]);
  await store.hit('count', 1_000, 1);
  assert.deepEqual(await committed(() => store.hit('count', 1_000, 1)), [relaxed]);
  assert.deepEqual(
    await committed(() => store.takeOrphans(['none'])),
    [],
    'nothing to take is nothing to write',
  );
  assert.deepEqual(
    await committed(() => Promise.all([store.hit('count', 1_000, 1), update('two'), update('three')])),
    [full],
    'what comes together is written together, as safely as any of it must be',
  );
});

test('several processes write one order and each write counts, and waiters of this process are woken', async (t) => {
  const file = sqliteFile(t);
  const store = sqliteStore(file.open());
  cleanup(t, () => store.close());
  await store.migrate();
  const last = new Promise<void>((resolve, reject) => {
    store.subscribe('order', () => {
      store.read('order').then((row) => {
        if (row?.revision === 90) resolve();
      }, reject);
    });
  });
  const script = fileURLToPath(new URL('increments.ts', import.meta.url));
  const count = () => run(process.execPath, ['--import', 'tsx', script, file.path, 'order', '30']);
  await Promise.all([count(), count(), count()]);
  await last;
  assert.equal((await store.read('order'))?.revision, 90);
});

test('a write waits for another process to let go of the file, without blocking this one', async (t) => {
  const file = sqliteFile(t);
  const store = sqliteStore(file.open());
  await store.migrate();
  const other = file.open();
  other.exec('begin immediate');
  let turns = 0;
  const ticking = setInterval(() => (turns += 1), 5);
  const written = store.update('order', () => ({ result: 'done', write }));
  setTimeout(() => other.exec('commit'), 400);
  assert.equal(await written, 'done');
  clearInterval(ticking);
  assert.ok(turns > 3, `only ${turns} turns of the event loop`);
});

test('a write that comes while another one waits is made after it', async (t) => {
  const file = sqliteFile(t);
  const store = sqliteStore(file.open());
  await store.migrate();
  const other = file.open();
  other.exec('begin immediate');
  const decided: string[] = [];
  const update = (id: string) =>
    store.update(id, () => {
      decided.push(id);
      return { result: id, write };
    });
  const first = update('first');
  const second = new Promise<string>((resolve) => {
    setTimeout(() => {
      resolve(update('second'));
      other.exec('commit');
    }, 50);
  });
  await Promise.all([first, second]);
  assert.deepEqual(decided, ['first', 'second']);
});

test('writes that arrive together are committed together, and one that fails does not take the others along', async (t) => {
  const database = sqliteFile(t).open();
  let commits = 0;
  const store = sqliteStore({
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (sql === 'commit') commits += 1;
      database.exec(sql);
    },
  });
  await store.migrate();
  commits = 0;
  const refusal = new Error('no');
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, index) =>
      store.update(`order ${index}`, () => {
        if (index === 7) throw refusal;
        return { result: index, write };
      }),
    ),
  );
  assert.equal(commits, 1);
  assert.deepEqual(outcomes.filter((outcome) => outcome.status === 'rejected').length, 1);
  assert.equal(await store.read('order 7'), undefined);
  assert.ok(await store.read('order 19'));
  await store.update('order 20', () => ({ result: 20, write }));
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(commits, 2);
});

test('what is read again is as another process has left it, and as this one could not write it', async (t) => {
  const file = sqliteFile(t);
  const database = file.open();
  let broken = false;
  const here = sqliteStore({
    prepare: (sql) => database.prepare(sql),
    exec(sql) {
      if (broken && sql === 'commit') throw new Error('disk I/O error');
      database.exec(sql);
    },
  });
  const there = sqliteStore(file.open());
  await here.migrate();
  const put = (store: typeof here, step: number) =>
    store.update('order', () => ({
      result: undefined,
      write: { ...write, body: { step }, addKeys: ['key'] },
    }));
  const seenHere = async () => [(await here.read('order'))?.body, (await here.find('key'))?.body];
  await put(here, 1);
  assert.deepEqual(await seenHere(), [{ step: 1 }, { step: 1 }]);
  await put(there, 2);
  assert.deepEqual(await seenHere(), [{ step: 2 }, { step: 2 }]);
  await put(here, 3);
  assert.deepEqual(await seenHere(), [{ step: 3 }, { step: 3 }]);
  broken = true;
  const lost = [put(here, 4), here.update('order', (row) => ({ result: row }))];
  await Promise.all(lost.map((attempt) => assert.rejects(attempt)));
  broken = false;
  assert.deepEqual(await seenHere(), [{ step: 3 }, { step: 3 }]);
  await there.purge(2);
  assert.deepEqual(await seenHere(), [undefined, undefined]);
});

test('what is removed is in neither the file nor its log', async (t) => {
  const file = sqliteFile(t);
  const store = sqliteStore(file.open());
  await store.migrate();
  const kept = () =>
    ['', '-wal'].some((suffix) => readFileSync(`${file.path}${suffix}`).includes('ana@correo.test'));
  await store.update('order', () => ({ result: 0, write: { ...write, body: 'ana@correo.test' } }));
  assert.ok(kept());
  await removeOrder(store, 'order');
  assert.ok(!kept());
});

test('more orders are forgotten than go in one transaction', async (t) => {
  const store = sqliteStore(sqliteFile(t).open());
  await store.migrate();
  const ids = Array.from({ length: 450 }, (_, index) => `order ${index}`);
  await Promise.all(ids.map((id) => store.update(id, () => ({ result: id, write }))));
  assert.equal(await store.purge(2), 450);
  assert.deepEqual(await store.list({ limit: 1 }), []);
});

test('the file is asked for changes each second while there are waiters, and only then', async (t) => {
  const database = sqliteFile(t).open();
  let asked = 0;
  let looked = 0;
  const store = sqliteStore({
    exec: (sql) => database.exec(sql),
    prepare(sql) {
      const statement = statementOf(database, sql);
      return {
        ...statement,
        get(...values) {
          if (sql === 'pragma data_version') asked += 1;
          return statement.get(...values);
        },
        all(...values) {
          looked += 1;
          return statement.all(...values);
        },
      };
    },
  });
  await store.migrate();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const inThreeSeconds = async () => {
      asked = 0;
      for (let second = 0; second < 3; second++) await vi.advanceTimersByTimeAsync(1_000);
      return asked;
    };
    const [leave, leaveToo] = ['a', 'b'].map((id) => store.subscribe(id, () => {}));
    looked = 0;
    assert.equal(await inThreeSeconds(), 3);
    assert.equal(looked, 1, 'orders are looked at only when the file has changed');
    leave?.();
    assert.equal(await inThreeSeconds(), 3);
    leaveToo?.();
    assert.equal(await inThreeSeconds(), 0);
    store.subscribe('a', () => {});
    assert.equal(await inThreeSeconds(), 3);
    await store.close();
    assert.equal(await inThreeSeconds(), 0);
  } finally {
    vi.useRealTimers();
  }
});

test('only the waiters are woken whose order another process has changed since they read it', async (t) => {
  const file = sqliteFile(t);
  const [here, there] = [sqliteStore(file.open()), sqliteStore(file.open())];
  await here.migrate();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    const writeThere = async (id: string) => {
      const written = there.update(id, () => ({ result: id, write }));
      vi.advanceTimersByTime(0);
      await written;
    };
    for (const id of ['changed', 'same']) await writeThere(id);
    const woken: string[] = [];
    for (const id of ['changed', 'same', 'created', 'nobody']) {
      here.subscribe(id, () => woken.push(id));
      await here.read(id);
    }
    for (const id of ['changed', 'created', 'another']) await writeThere(id);
    await vi.advanceTimersByTimeAsync(1_000);
    assert.deepEqual(woken, ['changed', 'created']);
    await here.close();
  } finally {
    vi.useRealTimers();
  }
});

test('old counters go by themselves', async (t) => {
  const database = sqliteFile(t).open();
  const store = sqliteStore(database);
  await store.migrate();
  for (let minute = 0; minute < 50; minute++) await store.hit(`client ${minute}`, 60_000, minute * 60_000);
  const left = database.prepare('select count(*) as n from checkout_counters').get() as { n: number };
  assert.ok(left.n <= 3, `${left.n} counters left`);
});
