import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { test } from 'vitest';
import {
  fromPg,
  fromPostgresJs,
  type PgPool,
  type PostgresJs,
} from '../../../src/server/stores/postgres/adapters.js';

const lost = new Error('the connection is lost');

test('a pool lends a connection for listening for good when it has another', () => {
  for (const [max, canListen] of [
    [1, false],
    [2, true],
    [undefined, true],
    [null, true],
  ] as const) {
    const { pool } = fakePg([], { max });
    assert.equal(fromPg(pool).listen !== undefined, canListen, `with at most ${max}`);
  }
  assert.ok(fromPg(fakePg([]).pool).listen);
});

test('a connection that dies while it is idle does not end the process', () => {
  const { pool, events } = fakePg([]);
  fromPg(pool);
  assert.ok(events.emit('error', lost));
});

test('a transaction ends with its connection given back as it was found, or thrown away when it broke', async () => {
  const [begin, commit, rollback] = ['begin isolation level read committed', 'commit', 'rollback'];
  for (const [failing, asked, isThrownAway] of [
    [[], [begin, 'work 1', commit], false],
    [['work 1'], [begin, 'work 1', rollback], false],
    [['work 1', rollback], [begin, 'work 1', rollback], true],
    [[commit], [begin, 'work 1', commit, rollback], false],
    [[commit, rollback], [begin, 'work 1', commit, rollback], true],
    [[begin], [begin], true],
  ] as const) {
    const { pool, clients } = fakePg(failing);
    const values = [1];
    const outcome = fromPg(pool).transaction(async (query) => {
      clients[0]?.emit('error', lost);
      return query('work', values);
    });
    if (failing.length === 0) assert.deepEqual(await outcome, [{ answer: 'work' }]);
    else await assert.rejects(outcome, { message: `${failing[0]} fails` });
    const [client] = clients;
    assert.deepEqual(client?.asked, asked);
    assert.deepEqual(client.released, [isThrownAway]);
    assert.equal(client.listenerCount('error'), 0);
  }
});

test('a query is asked on any connection, with values of its own', async () => {
  const { pool, asked } = fakePg([]);
  assert.deepEqual(await fromPg(pool).query('select', ['a', null]), [{ answer: 'select' }]);
  assert.deepEqual(asked, ['select a,']);
});

test('a connection of pg that listens passes messages on until it is lost, which it reports once', async () => {
  for (const event of ['error', 'end']) {
    const { client, heard, losses, stop } = await listeningPg();
    assert.deepEqual(client.asked, ['listen "channel"']);
    client.emit('notification', { payload: 'first' });
    client.emit('notification', {});
    assert.deepEqual(heard, ['first', '']);
    client.emit(event, lost);
    client.emit('end');
    client.emit('error', lost);
    client.emit('notification', { payload: 'late' });
    await stop();
    assert.deepEqual([heard.length, losses(), client.released], [2, 1, [true]]);
  }
});

test('a listening connection of pg is discarded when it is stopped, and reports nothing more', async () => {
  const { client, heard, losses, stop } = await listeningPg();
  await stop();
  await stop();
  client.emit('notification', { payload: 'late' });
  client.emit('end');
  assert.deepEqual([heard, losses(), client.released], [[], 0, [true]]);
});

test('a connection of pg that cannot listen is thrown away once, whether or not it has reported that it is lost', async () => {
  for (const isLost of [false, true]) {
    const { pool, clients } = fakePg(['listen "channel"'], { loseOnFailure: isLost });
    let losses = 0;
    const listening = fromPg(pool).listen?.(
      'channel',
      () => {},
      () => (losses += 1),
    );
    await assert.rejects(listening ?? Promise.resolve(), { message: 'listen "channel" fails' });
    const [client] = clients;
    client?.emit('end');
    assert.deepEqual(client?.released, [true]);
    assert.equal(losses, isLost ? 1 : 0);
  }
});

test('queries of postgres.js are prepared, inside and outside of a transaction', async () => {
  const { sql, asked } = fakePostgresJs();
  const port = fromPostgresJs(sql);
  assert.deepEqual(await port.query('outside', [1, null]), [{ answer: 'outside' }]);
  assert.equal(
    await port.transaction(async (query) => {
      assert.deepEqual(await query('inside', ['a']), [{ answer: 'inside' }]);
      return 7;
    }),
    7,
  );
  assert.deepEqual(asked, [
    ['outside', [1, null], { prepare: true }],
    ['begin', 'isolation level read committed'],
    ['inside', ['a'], { prepare: true }],
  ]);
});

test('postgres.js listens again by itself after a loss, which counts as lost, once', async () => {
  const { line, heard, losses } = await listeningPostgresJs();
  line.say('first');
  assert.deepEqual([heard, losses()], [['first'], 0]);
  line.begin();
  line.begin();
  line.say('late');
  assert.deepEqual([heard, losses()], [['first'], 1]);
});

test('postgres.js reports nothing more once it is stopped', async () => {
  const { line, heard, losses, stop } = await listeningPostgresJs();
  await stop();
  line.say('late');
  line.begin();
  assert.deepEqual([heard, losses(), line.unlistened()], [[], 0, 1]);
});

test('postgres.js that could not listen may be asked again', async () => {
  for (const channels of [undefined, { channel: 'the failed answer', another: 'fine' }]) {
    const { sql } = fakePostgresJs();
    sql.listen = Object.assign(() => Promise.reject(lost), channels && { channels });
    const listening = fromPostgresJs(sql).listen?.(
      'channel',
      () => {},
      () => {},
    );
    await assert.rejects(listening ?? Promise.resolve(), lost);
    if (channels) assert.deepEqual(channels, { another: 'fine' });
  }
});

/** A client of pg that fails at what it is told to, and keeps what it was asked. */
class FakeClient extends EventEmitter {
  readonly asked: string[] = [];
  readonly released: (boolean | undefined)[] = [];
  readonly #answer: (sql: string, client: FakeClient) => Promise<{ rows: unknown[] }>;

  constructor(answer: (sql: string, client: FakeClient) => Promise<{ rows: unknown[] }>) {
    super();
    this.#answer = answer;
  }

  query(sql: string, values?: readonly unknown[]): Promise<{ rows: unknown[] }> {
    const asked = values === undefined ? sql : `${sql} ${values.join()}`;
    this.asked.push(asked);
    return this.#answer(asked, this);
  }

  release(destroy?: boolean): void {
    this.released.push(destroy);
  }
}

function fakePg(
  failing: readonly string[],
  { max, loseOnFailure = false }: { max?: number | null | undefined; loseOnFailure?: boolean } = {},
) {
  const clients: FakeClient[] = [];
  const asked: string[] = [];
  const events = new EventEmitter();
  const answer = async (sql: string, client?: FakeClient) => {
    if (failing.includes(sql)) {
      if (loseOnFailure) client?.emit('end');
      throw new Error(`${sql} fails`);
    }
    return { rows: [{ answer: sql.split(' ')[0] }] };
  };
  const pool: PgPool = {
    async connect() {
      const client = new FakeClient(answer);
      clients.push(client);
      return client;
    },
    query(sql, values) {
      asked.push(`${sql} ${values.join()}`);
      return answer(sql);
    },
    on: (event, listener) => events.on(event, listener),
    ...(max !== undefined && { options: { max } }),
  };
  return { pool, clients, asked, events };
}

async function listeningPg() {
  const { pool, clients } = fakePg([]);
  const heard: string[] = [];
  let losses = 0;
  const stop = await fromPg(pool).listen?.(
    'channel',
    (payload) => heard.push(payload),
    () => (losses += 1),
  );
  const [client] = clients;
  assert.ok(client && stop);
  return { client, heard, losses: () => losses, stop };
}

function fakePostgresJs() {
  const asked: unknown[] = [];
  const line = { say: (_payload: string) => {}, begin: () => {}, unlistened: () => unlistened };
  let unlistened = 0;
  const unsafe: PostgresJs['unsafe'] = async (...given) => {
    asked.push(given);
    return [{ answer: given[0] }];
  };
  const sql: PostgresJs = {
    unsafe,
    begin(options, work) {
      asked.push(['begin', options]);
      return work({ unsafe });
    },
    async listen(_channel, onMessage, onListening) {
      line.say = onMessage;
      line.begin = onListening;
      onListening();
      return { unlisten: async () => (unlistened += 1) };
    },
  };
  return { sql, asked, line };
}

async function listeningPostgresJs() {
  const { sql, line } = fakePostgresJs();
  const heard: string[] = [];
  let losses = 0;
  const stop = await fromPostgresJs(sql).listen?.(
    'channel',
    (payload) => heard.push(payload),
    () => (losses += 1),
  );
  assert.ok(stop);
  return { line, heard, losses: () => losses, stop };
}
