import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import type { DemoSettings } from './settings.js';

type Fetch = (request: Request) => Promise<Response> | Response;

/** Listens, with TLS when the demo has a certificate; returns how to stop. */
export function openPort(
  { host, tls }: DemoSettings,
  port: number,
  fetch: Fetch,
): Promise<() => Promise<void>> {
  const server = createAdaptorServer({
    fetch,
    ...(tls ? { createServer, serverOptions: { key: tls.key, cert: tls.cert } } : {}),
  });
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () =>
      resolve(
        () =>
          new Promise((closed) => {
            server.close(() => closed());
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      ),
    );
  });
}
