/** A process that serves one request, works until it is idle, and may be killed on the way. Argument: the plan. */
import { writeSync } from 'node:fs';
import { Socket } from 'node:net';
import Database from 'libsql';
import pg from 'pg';
import { fromPg, postgresStore, sqliteStore, type SqliteDatabase, type Store } from '../../../src/server.js';
import { creation, openCheckout, webhook } from './kit.js';
import { withoutIntent } from './planted.js';
import { tryToGiveBack } from './refunded.js';
import type { Line, Plan } from './plan.js';

const plan = JSON.parse(process.argv[2] ?? '') as Plan;
let points = 0;

function die(): void {
  process.kill(process.pid, 'SIGKILL');
}

/** Passes one of the places to die, and does not return if this is the one. */
function pass(work: () => void): void {
  points += 1;
  const { death } = plan;
  const isHere = death.kind !== 'none' && death.nth === points;
  if (isHere && death.kind === 'server' && plan.database.kind === 'postgres') {
    process.kill(plan.database.serverPid, 'SIGQUIT');
  }
  const kills = isHere && death.kind !== 'server';
  if (kills && death.side === 'before') die();
  work();
  if (kills) die();
}

function openSqlite(path: string): Store {
  const database = new Database(path);
  const mortal: SqliteDatabase = {
    prepare: (sql) => database.prepare(sql),
    exec: (sql) => (sql === 'commit' ? pass(() => database.exec(sql)) : database.exec(sql)),
  };
  return sqliteStore(mortal);
}

function openPostgres({
  schema,
  ...connection
}: Extract<Plan['database'], { kind: 'postgres' }>['connection']): Store {
  const toDatabase = new WeakSet<Socket>();
  patch(Socket.prototype, 'connect', (connect) => (socket, given) => {
    // No other socket of this process connects to a path.
    if (given.flat().some((each) => String(each).startsWith(connection.host))) toDatabase.add(socket);
    return connect(socket, given);
  });
  // Where a stream hands its bytes to the system; what was written while corked comes as one.
  for (const name of ['_write', '_writev'] as const) {
    patch(Socket.prototype, name, (write) => (socket, given) => {
      if (toDatabase.has(socket)) pass(() => write(socket, given));
      else write(socket, given);
    });
  }
  const pool = new pg.Pool({ ...connection, max: 3, options: `-c search_path=${schema}` });
  return postgresStore(fromPg(pool));
}

type Call = (socket: Socket, given: unknown[]) => unknown;

function patch(prototype: object, name: string, wrap: (original: Call) => Call): void {
  const original = Reflect.get(prototype, name) as (...given: unknown[]) => unknown;
  const wrapped = wrap((socket, given) => Reflect.apply(original, socket, given));
  Reflect.set(prototype, name, function (this: Socket, ...given: unknown[]) {
    return wrapped(this, given);
  });
}

function say(line: Line): void {
  // Straight to the pipe: what was said must have been said when the end comes.
  writeSync(1, `${JSON.stringify(line)}\n`);
}

const { database, serviceUrl, act } = plan;
const opened = database.kind === 'sqlite' ? openSqlite(database.path) : openPostgres(database.connection);
const store = plan.withoutIntent ? withoutIntent(opened) : opened;
const checkout = openCheckout({ store, serviceUrl });
const response = await (act.kind === 'refund'
  ? tryToGiveBack(checkout)
  : checkout.fetch(act.kind === 'webhook' ? webhook(act.body) : await creation(checkout)));
say({ line: 'answer', status: response.status, text: await response.text() });
await checkout.idle();
say({ line: 'done', points });
process.exit(0);
