import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'vitest';
import { listen, toNodeHandler } from '../../src/node.js';
import type { Checkout } from '../../src/server.js';
import { isLong } from '../support/long.js';
import { PATIENCE_MS } from '../support/patience.js';
import { seedOr, sizeOr } from '../support/torture.js';
import { besiege, type Served } from './slow-clients.js';

/** Over real HTTP, on the server that `npx pay-checkout serve` opens, with shorter limits so that nobody waits for them. */

const clients = sizeOr(48, 100);
const seed = seedOr(1);
/** An honest payer on a busy machine is still within them. */
const LIMITS = { headersTimeoutMs: 2_000, requestTimeoutMs: 3_000 };
/** Several times the limits, for a server that has none. */
const PLANTED_PATIENCE_MS = 8_000;

test(`${clients} slow clients: cut off, refused early and released, while a payer pays`, async () => {
  const serve = (checkout: Checkout) => listen(checkout, LIMITS);
  const { faults, ends, honestMs } = await besiege({ clients, seed, patienceMs: PATIENCE_MS, serve });
  const ended = [...ends].map(([end, count]) => `${end}: ${count}`).join(', ');
  console.log(`seed ${seed}: ${ended}; slowest honest payment ${Math.max(...honestMs).toFixed(0)} ms`);
  assert.deepEqual(faults, []);
  assert.ok(ends.has('refused with 413'), ended);
});

const around = (checkout: Checkout, change: (request: Request) => Promise<Request> | Request) =>
  listen({ fetch: async (request, env) => checkout.fetch(await change(request), env) }, LIMITS);

const DEFECTS: readonly [name: string, complaint: RegExp, serve: (checkout: Checkout) => Promise<Served>][] =
  [
    [
      'has no time limits',
      /was not cut off/,
      async (checkout) => {
        const server = createServer({ headersTimeout: 0, requestTimeout: 0 }, toNodeHandler(checkout));
        await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
        const { port } = server.address() as AddressInfo;
        const close = async () => {
          server.closeAllConnections();
          server.close();
        };
        return { port, server, close };
      },
    ],
    [
      'reads a body before it looks at it',
      /bytes of a body were taken/,
      (checkout) =>
        around(checkout, async (request) =>
          request.method === 'POST'
            ? new Request(request.url, {
                method: 'POST',
                headers: request.headers,
                body: await request.arrayBuffer(),
              })
            : request,
        ),
    ],
    [
      'does not notice who hangs up',
      /still waits/,
      (checkout) =>
        around(checkout, (request) =>
          request.method === 'GET' ? new Request(request.url, { headers: request.headers }) : request,
        ),
    ],
    [
      'waits at its end for whoever is slow',
      /could not be closed/,
      async (checkout) => {
        const served = await listen(checkout, { headersTimeoutMs: 500, requestTimeoutMs: 1_000 });
        const close = () =>
          new Promise<void>((resolve) => {
            served.server.close(() => resolve());
          });
        return { ...served, close };
      },
    ],
  ];

// Each waits for seconds of real time; a quick run has the first.
for (const [name, complaint, serve] of isLong ? DEFECTS : DEFECTS.slice(0, 1)) {
  test(`slow clients find a server that ${name}`, async () => {
    const siege = { clients: 8, seed, patienceMs: PLANTED_PATIENCE_MS, serve };
    const { faults } = await besiege(siege);
    const fault = faults.find((each) => complaint.test(each));
    assert.ok(fault !== undefined, `nothing was wrong with it: ${faults.join(', ')}`);
    console.log(`found: ${fault}`);
  });
}
