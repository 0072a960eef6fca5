import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Engine, SANDBOX_DEFAULTS } from '../../src/sandbox.js';

export interface BenchService {
  readonly url: string;
  readonly engine: Engine;
  /** Where events go, once the servers under test have ports; each event to the next one in turn. */
  deliverTo(ports: readonly number[]): void;
  /** Calls back when an event leaves, with the payment it is about. */
  onDelivery(sent: (reference: string) => void): void;
  close(): Promise<void>;
}

/** The sandbox, in the process that makes the load. */
export async function openService(): Promise<BenchService> {
  let ports: readonly number[] = [];
  let turn = 0;
  let sent: (reference: string) => void = () => {};
  const sandbox = createSandbox({
    autoOutcome: 'never',
    webhooks: [
      {
        url: 'http://127.0.0.1/webhooks',
        headerName: SANDBOX_DEFAULTS.webhookHeaderName,
        headerValue: SANDBOX_DEFAULTS.webhookHeaderValue,
      },
    ],
    async send(request) {
      const body = await request.text();
      const { data } = JSON.parse(body) as { data: { reference: string } };
      const port = ports[turn++ % ports.length];
      // Creations are events, too, but nobody waits for those yet.
      if (port === undefined) return new Response(null, { status: 200 });
      sent(data.reference);
      return fetch(`http://127.0.0.1:${port}/webhooks`, { method: 'POST', headers: request.headers, body });
    },
  });
  const server = createServer(getRequestListener((request) => sandbox.fetch(request)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    engine: sandbox.engine,
    deliverTo: (given) => void (ports = given),
    onDelivery: (given) => void (sent = given),
    close: () =>
      new Promise((resolve) => {
        sandbox.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
