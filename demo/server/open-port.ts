import { createServer } from 'node:https';
import { createAdaptorServer } from '@hono/node-server';
import type { DemoSettings } from './settings.js';

interface Door extends Pick<DemoSettings, 'host' | 'tls'> {
  readonly port: number;
  readonly fetch: (request: Request) => Promise<Response> | Response;
}

/** Listens, with TLS when there is a certificate; returns how to stop. */
export function openPort({ host, tls, port, fetch }: Door): Promise<() => Promise<void>> {
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
            // Long polls must not delay the exit.
            if ('closeAllConnections' in server) server.closeAllConnections();
          }),
      ),
    );
  });
}
