import { createServer } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { createSandbox, type Engine } from '../../../src/sandbox.js';
import { eventsTo, WEBHOOK } from '../../support/kit.js';
import { HttpLine, postRequest } from './http-line.js';

export interface BenchService {
  readonly url: string;
  readonly engine: Engine;
  /** How many requests it has received. */
  readonly requests: number;
  /** Where events go, once the servers under test have ports; each event to the next one in turn. */
  deliverTo(ports: readonly number[]): void;
  /** Calls back when an event leaves, with the payment it is about. */
  onDelivery(sent: (reference: string) => void): void;
  /** Sends an event that the sandbox knows nothing of. */
  send(reference: string, body: string): Promise<Response>;
  close(): Promise<void>;
}

const headers = {
  'content-type': 'application/json',
  [WEBHOOK.header]: WEBHOOK.secret,
};

/** The sandbox, in the process that makes the load. */
export async function openService(): Promise<BenchService> {
  let ports: readonly number[] = [];
  let turn = 0;
  let sent: (reference: string) => void = () => {};
  const idle = new Map<number, HttpLine[]>();

  async function send(reference: string, body: string): Promise<Response> {
    const port = ports[turn++ % ports.length];
    // Creations are events, too, but nobody waits for those yet.
    if (port === undefined) return new Response(null, { status: 200 });
    const lines = idle.get(port) ?? [];
    idle.set(port, lines);
    const kept = lines.pop();
    const line = kept === undefined || kept.closed ? await HttpLine.open(port) : kept;
    sent(reference);
    const { status } = await line.ask(postRequest('/webhooks', headers, body));
    lines.push(line);
    return new Response(null, { status });
  }

  const sandbox = createSandbox({
    autoOutcome: 'never',
    webhooks: eventsTo('http://127.0.0.1'),
    async send(request) {
      const body = await request.text();
      const { data } = JSON.parse(body) as { data: { reference: string } };
      return send(data.reference, body);
    },
  });
  let requests = 0;
  const server = createServer(
    getRequestListener((request) => {
      requests += 1;
      return sandbox.fetch(request);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The service has no port');
  return {
    url: `http://127.0.0.1:${address.port}`,
    engine: sandbox.engine,
    get requests() {
      return requests;
    },
    deliverTo: (given) => void (ports = given),
    onDelivery: (given) => void (sent = given),
    send,
    close: () =>
      new Promise((resolve) => {
        sandbox.close();
        for (const line of [...idle.values()].flat()) line.close();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
