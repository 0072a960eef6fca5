import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { lanAddress } from '../../../demo/server/lan-address.js';
import { type Demo, startDemo } from '../../../scripts/demo.js';
import { freePort } from '../../../scripts/tests/free-port.js';
import { isLong } from '../../support/long.js';
import { postgresCluster, whyNoPostgres } from '../../support/postgres.js';
import { PATIENCE_MS } from '../../support/patience.js';
import { skipWhen } from '../../support/skip-when.js';

/** How `npm start` begins and ends. Each start takes seconds, so the rarer ways are for the long run. */

const MARK = 'FIRST_RUN_MARK';
const LOOK_MS = 50;

/** Every process that inherited the mark, wherever it went. */
function bearersOf(mark: string): number[] {
  return readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => {
      try {
        return readFileSync(`/proc/${entry}/environ`, 'utf8').includes(`${MARK}=${mark}`);
      } catch {
        // It ended meanwhile.
        return false;
      }
    })
    .map(Number);
}

async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const limitMs = Date.now() + PATIENCE_MS;
  while (!(await isSo())) {
    assert.ok(Date.now() < limitMs, `${what}: not within ${PATIENCE_MS / 1_000} s`);
    // real time: other processes decide when
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
}

async function placeOrder(demo: Demo): Promise<{ id: string; token: string }> {
  const response = await fetch(`${demo.siteUrl}/api/orders`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ lines: [{ product: 'panela', quantity: 1 }] }),
  });
  assert.equal(response.status, 201);
  return (await response.json()) as { id: string; token: string };
}

async function lookAt(demo: Demo, { id, token }: { id: string; token: string }): Promise<number> {
  const { status } = await fetch(`${demo.siteUrl}/api/orders/${id}?token=${encodeURIComponent(token)}`);
  return status;
}

const needsProc = process.platform === 'linux' ? false : 'only Linux lets us look for what is left';

describe('npm start', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'pay-checkout-start-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it('says which of its arguments it does not know', async () => {
    await assert.rejects(startDemo({ flags: ['--prot', '1'] }), /--prot[^]*npm start \[-- flags\]/);
  });

  if (!isLong) return;

  it('says that a port is a number', async () => {
    await assert.rejects(startDemo({ flags: ['--port', 'eighty'] }), /a port is a number/);
  });

  it(
    'takes the next port when one is taken, says so, and leaves nothing behind after Ctrl-C',
    skipWhen(needsProc),
    async () => {
      const port = await freePort();
      const taken = createServer().listen(port, '127.0.0.1');
      const mark = randomUUID();
      try {
        const demo = await startDemo({ port, env: { [MARK]: mark } });
        assert.match(demo.output(), new RegExp(`Port ${port} was taken; the pages are at \\d+`));
        assert.notEqual(Number(new URL(demo.siteUrl).port), port);
        assert.equal((await fetch(`${demo.siteUrl}/shop/`)).status, 200);
        assert.ok(bearersOf(mark).length >= 4, 'the head and its three processes');
        await demo.interrupt();
        await until('all end with the terminal', () => bearersOf(mark).length === 0);
        await demo.stop();
      } finally {
        taken.close();
      }
    },
  );

  it(
    'leaves nothing behind when its head is killed, finds everything again, and forgets only when asked',
    skipWhen(needsProc),
    async () => {
      const mark = randomUUID();
      const dataDir = join(folder, 'data');
      mkdirSync(dataDir);
      writeFileSync(join(dataDir, 'mine.txt'), 'not of the demo');
      const first = await startDemo({ dataDir, env: { [MARK]: mark } });
      const order = await placeOrder(first);
      const head = Number(readFileSync(`/proc/${first.pid('pages')}/stat`, 'utf8').split(' ')[3]);
      process.kill(head, 'SIGKILL');
      await until('all end with their head', () => bearersOf(mark).length === 0);
      await first.stop();

      const second = await startDemo({ dataDir });
      assert.equal(await lookAt(second, order), 200);
      await assert.rejects(startDemo({ dataDir }), /Another demo is open/);
      await second.stop();

      const third = await startDemo({ dataDir, flags: ['--reset'] });
      assert.equal(await lookAt(third, order), 404);
      assert.ok(existsSync(join(dataDir, 'mine.txt')), 'what is not of the demo stays');
      await third.stop();
    },
  );
});

describe('npm start with DATABASE_URL', () => {
  it('says that the database cannot be reached, without its password', async () => {
    const port = await freePort();
    const url = `postgres://demo:hush@127.0.0.1:${port}/shop`;
    await assert.rejects(startDemo({ env: { DATABASE_URL: url } }), (error: Error) => {
      assert.match(
        error.message,
        new RegExp(`DATABASE_URL \\(127\\.0\\.0\\.1:${port}/shop\\)[^]*ECONNREFUSED`),
      );
      assert.doesNotMatch(error.message, /hush/);
      return true;
    });
  });

  if (!isLong) return;

  it('keeps orders in PostgreSQL, through a restart, until a reset', skipWhen(whyNoPostgres()), async () => {
    const cluster = await postgresCluster();
    const { host, port, user, database } = await cluster.createSchema();
    const url = `postgres://${user}@/${database}?host=${encodeURIComponent(host)}&port=${port}`;
    const options = { env: { DATABASE_URL: url } };
    const first = await startDemo(options);
    const demo = (await (await fetch(`${first.siteUrl}/api/demo`)).json()) as { database: string };
    assert.equal(demo.database, 'PostgreSQL');
    const order = await placeOrder(first);
    assert.ok(!existsSync(join(first.dataDir, 'shop.db')));
    process.kill(first.pid('merchant backend'), 'SIGKILL');
    await until('the order is back', async () => (await lookAt(first, order)) === 200);
    const { dataDir } = first;
    await first.interrupt();

    const second = await startDemo({ ...options, dataDir, flags: ['--reset'] });
    assert.equal(await lookAt(second, order), 404);
    await second.stop();
    rmSync(dataDir, { recursive: true, force: true });
  });
});

describe('the address for phones', () => {
  const card = (address: string, internal = false) =>
    [{ address, internal, family: 'IPv4', netmask: '', mac: '', cidr: null }] as never;

  it('is that of the network at home or at work, before those of containers', () => {
    const found = lanAddress({
      docker0: card('172.17.0.1'),
      lo: card('127.0.0.1', true),
      wlan0: card('192.168.1.7'),
    });
    assert.equal(found, '192.168.1.7');
  });

  it('is missing on a machine that is on no network', () => {
    assert.equal(lanAddress({ lo: card('127.0.0.1', true) }), undefined);
  });
});
