import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { whyWithout } from '../../scripts/tests/needs.js';
import { findPostgresFolder } from '../../scripts/tests/programs.js';
import { afterThisProcess } from './after-this-process.js';

const run = promisify(execFile);
/** Only part of the socket's name: the server is reached through a file in its own folder. */
const port = 5432;

export interface Connection {
  /** The folder of the server's socket. */
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  /** The schema that names without one mean. */
  readonly schema: string;
}

export interface ClusterOptions {
  /** Whether commits wait for the disk. Without, only a loss of power could lose one, not a crash of the server. */
  readonly fsync: boolean;
  /** A disk of its own that holds no more than this, which only root can have on Linux. */
  readonly diskMegabytes?: number;
}

/** Why nothing can be tried on PostgreSQL here, or undefined when it can. */
export function whyNoPostgres(): string | undefined {
  if (isRoot() && unprivilegedUser() === undefined)
    return 'PostgreSQL refuses to run as root, and nobody else is here';
  return whyWithout('postgres');
}

/** The same, for a server on a small disk. */
export function whyNoSmallDisk(): string | undefined {
  return (
    whyNoPostgres() ?? (isRoot() && process.platform === 'linux' ? undefined : 'only root mounts a disk')
  );
}

let shared: Promise<Cluster> | undefined;

/** The private server of this process, started by whoever asks first. */
export function postgresCluster(): Promise<Cluster> {
  shared ??= Cluster.start({ fsync: false });
  return shared;
}

/** A server in a temporary folder. Both are gone once this process is, however it ends. */
export class Cluster {
  readonly #folder: string;
  #server: ChildProcess | undefined;

  constructor(folder: string) {
    this.#folder = folder;
  }

  static async start({ fsync, diskMegabytes }: ClusterOptions): Promise<Cluster> {
    const folder = mkdtempSync(join(tmpdir(), 'pay-checkout-postgres-'));
    const isMounted = diskMegabytes !== undefined;
    if (isMounted) await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'none', folder]);
    const { uid, gid } = owner();
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    removeAfterThisProcess(folder, isMounted);
    const data = join(folder, 'data');
    const options = '--username=postgres --auth=trust --encoding=UTF8 --locale=C --no-sync'.split(' ');
    await run(binary('initdb'), ['--pgdata', data, ...options], { cwd: folder, ...owner() });
    // Small, and without background work: it shares the machine with the tests.
    const settings = {
      shared_buffers: '16MB',
      max_connections: 100,
      autovacuum: 'off',
      listen_addresses: '',
      fsync: fsync ? 'on' : 'off',
    };
    const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
    writeFileSync(join(data, 'postgresql.auto.conf'), lines.join(''));
    const cluster = new Cluster(folder);
    await cluster.resume();
    return cluster;
  }

  /** A place of its own: an empty schema, which costs a fraction of a database. It goes with the server. */
  async createSchema(): Promise<Connection> {
    const schema = `test_${randomUUID().replaceAll('-', '')}`;
    await this.#administer((client) => client.query(`create schema ${schema}`));
    return { ...this.#connection, schema };
  }

  /** Takes all the room that is left on its disk, or gives it back. */
  async fillDisk(isFull: boolean): Promise<void> {
    const filler = join(this.#folder, 'filler');
    if (!isFull) return rmSync(filler, { force: true });
    await run('sh', ['-c', 'cat /dev/zero > "$0" 2> /dev/null || true', filler]);
  }

  get pid(): number {
    const { pid } = this.#server ?? {};
    if (pid === undefined) throw new Error('The server is not running');
    return pid;
  }

  /** Starts the server again if somebody else has stopped it. */
  async revive(): Promise<void> {
    const isUp = await this.#administer((client) => client.query('select 1')).then(
      () => true,
      () => false,
    );
    if (!isUp) await this.restart();
  }

  /** Stops the server in immediate mode: no checkpoint, every connection cut, as after a loss of power. */
  async crash(): Promise<void> {
    const server = this.#server;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const ended = new Promise((resolve) => server.once('exit', resolve));
    server.ref();
    server.kill('SIGQUIT');
    await ended;
  }

  /** Starts the server on the data it left. */
  async resume(): Promise<void> {
    const server = spawn(
      binary('postgres'),
      ['-D', join(this.#folder, 'data'), '-p', String(port), '-k', this.#folder],
      { cwd: this.#folder, stdio: 'ignore', ...owner() },
    );
    server.unref();
    this.#server = server;
    for (;;) {
      try {
        return await this.#administer((client) => client.query('select 1'));
      } catch (error) {
        if (server.exitCode !== null) throw error;
      }
      // real time: the database server starts when it starts
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  async restart(): Promise<void> {
    await this.crash();
    await this.resume();
  }

  get #connection(): Omit<Connection, 'schema'> {
    return { host: this.#folder, port, user: 'postgres', database: 'postgres' };
  }

  async #administer(work: (client: pg.Client) => Promise<unknown>): Promise<void> {
    const client = new pg.Client(this.#connection);
    client.on('error', () => {});
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}

/**
 * Leaves a shell waiting for this process to end, whose standard input then closes, even after SIGKILL. It stops the
 * server and removes its folder.
 */
function removeAfterThisProcess(folder: string, isMounted: boolean): void {
  const script = `
    pid=$(head -n 1 "$0/data/postmaster.pid" 2> /dev/null) && kill -QUIT "$pid" 2> /dev/null
    tries=0
    while [ -f "$0/data/postmaster.pid" ] && [ $tries -lt 50 ]; do
      sleep 0.1
      tries=$((tries + 1))
    done
    ${isMounted ? 'umount -l "$0"' : ''}
    rm -rf "$0"`;
  afterThisProcess(script, folder, isMounted ? {} : owner());
}

function binary(name: string): string {
  return join(findPostgresFolder() ?? '', name);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/** Where the tests run as root the server runs as somebody else. */
function owner(): { uid?: number; gid?: number } {
  return isRoot() ? (unprivilegedUser() ?? {}) : {};
}

function unprivilegedUser(): { uid: number; gid: number } | undefined {
  const users = new Map(
    readFileSync('/etc/passwd', 'utf8')
      .split('\n')
      .map((line) => line.split(':'))
      .map(([name, , uid, gid]) => [name, { uid: Number(uid), gid: Number(gid) }]),
  );
  return users.get('postgres') ?? users.get('nobody');
}
